// A score's rows, opened once for everything that is asked about them: an audit, and where a report is made, maps and curves in
// encodings of their own.

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
import { chooseNoise } from './noise.ts'
import { collectScores, tapScores } from './scores.ts'
import type { AuditSettings } from './settings.ts'

export interface OpenedScore {
  readonly rows: Table | TableSource
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

export async function openScore(
  rows: Table | TableSource,
  settings: AuditSettings,
  encodeOthers: (rows: LearnableRows) => readonly EncodingPart[] = () => [],
): Promise<OpenedScore> {
  const { auditors, confidence, onPhase, quantize, roles, seed, signal, threads } = settings
  onPhase('reading')
  const tapped = isSource(rows) ? tapScores(rows, roles) : undefined
  const opened = await openRows(tapped?.rows ?? rows, roles, { keyed: true, signal })
  const given = tapped?.scores() ?? (await collectScores(rows, opened.rowCount, roles))
  const scored = roles.copies === 'one' ? { ...given, ...mergedWeights(opened) } : given
  const measuring = beginMeasuring(scored, { confidence, seed }, { apart: threads !== 1 })
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

/** Copies that are one weigh nothing but for the first. */
const mergedWeights = ({ weight, weightScale }: RoleRows): Pick<ScoredRows, 'weights'> =>
  weight === undefined ? {} : { weights: Float64Array.from(weight, each => each / weightScale) }
