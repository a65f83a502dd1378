// A score's rows, opened once for everything that is asked about them: an audit, and where a report is made, maps and curves in
// encodings of their own.

import { FeatureBoostError } from '../common/errors.ts'
import type { Task } from '../common/task.ts'
import { openRows } from '../data/openRows.ts'
import type { LearnableRows, RoleRows } from '../data/roleRows.ts'
import { isSource, type TableSource } from '../data/source.ts'
import type { Table } from '../data/table.ts'
import { divideColumns } from '../engine/columns.ts'
import type { Engine, Noise } from '../engine/engine.ts'
import { rememberJoint } from '../engine/remember.ts'
import { makeSorter } from '../kernels/sorter.ts'
import type { ScoredRows } from '../measures/score/scoredRows.ts'
import type { ScoreMeasures } from '../measures/score/scoreMeasures.ts'
import { beginMeasuring } from '../measures/score/thread.ts'
import type { Encoding } from '../quantize/encoding.ts'
import { columnCount, type EncodingPart, joinedSource, learnEncoding } from '../store/encode.ts'
import { isStore, type RowStore } from '../store/store.ts'
import { chooseNoise } from './noise.ts'
import { collectScores, tapScores } from './scores.ts'
import type { AuditSettings } from './settings.ts'

export interface OpenedScore {
  readonly rows: Table | TableSource | RowStore
  readonly learnable: LearnableRows
  /** Rows that are exact copies of another. */
  readonly copyCount: number
  /** What a given weight of 1 became in the engine. */
  readonly weightScale: number
  readonly scored: ScoredRows
  /** Measures of the score alone, under way in a thread of their own. */
  readonly measuring: Task<ScoreMeasures>
  /** Of the audit. */
  readonly encoding: Encoding
  readonly engine: Engine
  readonly noise: Noise
  /** The same rows in the other encodings, in their order. */
  readonly others: readonly Engine[]
  close(): Promise<void>
}

/** `known`: the measures of the score, where they have been taken before. */
export async function openScore(
  stored: Table | TableSource | RowStore,
  settings: AuditSettings,
  encodeOthers: (rows: LearnableRows) => readonly EncodingPart[] = () => [],
  known?: ScoreMeasures,
): Promise<OpenedScore> {
  if (isStore(stored)) return await openStored(stored, settings)
  const rows = stored
  const { auditors, confidence, onPhase, quantize, roles, seed, signal, threads } = settings
  onPhase('reading')
  const tapped = isSource(rows) ? tapScores(rows, roles) : undefined
  const opened = await openRows(tapped?.rows ?? rows, roles, { keyed: true, signal })
  const given = tapped?.scores() ?? (await collectScores(rows, opened.rowCount, roles))
  const scored = roles.copies === 'one' ? { ...given, ...mergedWeights(opened) } : given
  const measuring =
    known === undefined
      ? beginMeasuring(scored, { confidence, seed }, { apart: threads !== 1 })
      : { answer: Promise.resolve(known), stop: async () => {} }
  try {
    onPhase('learning')
    const { learnable } = opened
    const encoding = learnEncoding(learnable, auditors, { ...quantize, sort: makeSorter().sort })
    const parts = [{ encoding }, ...encodeOthers(learnable)]
    onPhase('loading')
    const whole = await settings.engine(joinedSource(opened, parts))
    const close = async () => {
      await Promise.all([measuring.stop(), whole.close()])
    }
    try {
      const [own, ...others] =
        parts.length === 1
          ? [whole]
          : divideColumns(
              whole,
              parts.map(part => columnCount(part.encoding)),
            )
      const noise = await chooseNoise(whole)
      const engine = rememberJoint(own)
      const { copyCount, weightScale } = opened
      return {
        ...{ rows, learnable, copyCount, weightScale, scored, measuring, encoding, engine, noise, others },
        close,
      }
    } catch (error) {
      await whole.close()
      throw error
    }
  } catch (error) {
    await measuring.stop()
    throw error
  }
}

/** Of rows that stay where they are: the store says what must be known of each. */
async function openStored(store: RowStore, settings: AuditSettings): Promise<OpenedScore> {
  const { auditors, confidence, onPhase, quantize, roles, seed, segmentDepth, signal, threads } = settings
  if (segmentDepth > 0) throw segmentsNeedRows()
  onPhase('reading')
  const profile = await store.profile(roles, { sampled: true, noisy: true, signal })
  if (profile.scores === undefined) throw auditsNeedScores()
  const { learnable, ...scored } = await profile.scores()
  const measuring = beginMeasuring(scored, { confidence, seed }, { apart: threads !== 1 })
  try {
    onPhase('learning')
    const encoding = await profile.learn(auditors, quantize)
    onPhase('loading')
    const whole = await profile.open(encoding)
    const close = async () => {
      await Promise.all([measuring.stop(), whole.close()])
    }
    try {
      const noise = await chooseNoise(whole)
      const { copyCount, weightScale } = profile
      return {
        ...{ rows: store, learnable, copyCount, weightScale, scored, measuring, encoding, noise, close },
        engine: rememberJoint(whole),
        others: [],
      }
    } catch (error) {
      await whole.close()
      throw error
    }
  } catch (error) {
    await measuring.stop()
    throw error
  }
}

const segmentsNeedRows = (): FeatureBoostError =>
  new FeatureBoostError(
    'FB_ENGINE_ROWS',
    'the MCE over segments is measured on rows, and these stay where they are.',
    {
      expected: 'a segment depth of 0',
      hint: 'Leave the segments out (segmentDepth 0), or audit rows that may be read.',
    },
  )

const auditsNeedScores = (): FeatureBoostError =>
  new FeatureBoostError('FB_ENGINE_ROWS', 'an audit measures every score, and this store gives none.', {
    expected: 'a table, rows in chunks, or a store that gives its scores',
  })

/** Copies that are one weigh nothing but for the first. */
const mergedWeights = ({ weight, weightScale }: RoleRows): Pick<ScoredRows, 'weights'> =>
  weight === undefined ? {} : { weights: Float64Array.from(weight, each => each / weightScale) }
