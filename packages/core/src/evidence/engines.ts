// The parts of evidence that are asked of an engine: maps of groups, and error against K.

import { chooseNoise } from '../audit/audit.ts'
import { collectScores, isBinary, type ScoreRoles } from '../audit/scores.ts'
import type { AuditSettings } from '../audit/settings.ts'
import type { GroupAuditors, TreeAuditors } from '../classes/auditors.ts'
import { compileAuditors } from '../classes/compile.ts'
import { openRows } from '../data/rows.ts'
import type { TableSource } from '../data/source.ts'
import type { Table } from '../data/table.ts'
import { FIT } from '../engine/engine.ts'
import { type CurveTerms, measureCurve } from '../model/errorAgainstBins.ts'
import type { Model } from '../model/model.ts'
import type { Encoding } from '../quantize/encoding.ts'
import { roundingsFor } from '../round/curve.ts'
import { encodedSource, learnEncoding } from '../store/encode.ts'
import type { RoundedLevel, RoundingCurve } from './evidence.ts'
import type { HeatMap, SegmentMap } from './groupEvidence.ts'
import type { ScoreRows } from './groupSums.ts'
import type { IsNamed } from './naming.ts'
import { roundedLevels } from './roundings.ts'
import { mapSegments } from './segments.ts'

export type MapRoles = ScoreRoles & {
  readonly features?: readonly string[]
  readonly except?: readonly string[]
}

/** Ranges of numbers, and categories, that a column is shown in. */
const SHOWN_BINS = 8

/** Numbers of bins that the curve is shown at, besides the planned one: each is a search of its own. */
const SHOWN_CURVE = [1, 2, 3, 5, 10, 20, 50, 100]

/** The first of the scores, and what became of it where there is a second. */
export async function mapScores(
  rows: Table | TableSource,
  roles: MapRoles,
  scores: readonly string[],
  settings: AuditSettings,
  auditors: TreeAuditors | GroupAuditors,
  isNamed: IsNamed,
): Promise<{ segments: SegmentMap; heat: HeatMap }> {
  const { confidence, quantize, significance } = settings
  const declared = auditors.kind === 'groups'
  // Declared groups are those of the audit, so their cuts are, too.
  const cuts = declared ? quantize : { ...quantize, coarseBins: SHOWN_BINS }
  const opened: ScoreRows[] = []
  let encoding: Encoding | undefined
  try {
    for (const score of scores) {
      const open = await openRows(
        rows,
        { ...roles, prediction: score },
        { keyed: true, signal: settings.signal },
      )
      encoding ??= learnEncoding(open.learnable, auditors, cuts)
      const engine = await settings.engine(encodedSource(open, encoding, {}))
      const { labels } = await collectScores(rows, open.rowCount, roles)
      opened.push({ engine, noise: await chooseNoise(engine, isBinary(labels)) })
    }
    const [before, after] = opened
    const features = encoding!.features
    return await mapSegments(before, after, { auditors, features, confidence, significance, isNamed })
  } finally {
    for (const { engine } of opened) await engine.close()
  }
}

interface ModelCurve {
  readonly model: Model
  /** Are these the corrected scores? The model holds their roundings. */
  readonly correct: boolean
  readonly terms: CurveTerms
}

export async function scoreCurve(
  rows: Table | TableSource,
  roles: MapRoles,
  settings: AuditSettings,
  given?: ModelCurve,
): Promise<RoundingCurve> {
  const open = await openRows(rows, roles, { signal: settings.signal })
  const encoding =
    given?.model.data.encoding ?? learnEncoding(open.learnable, settings.auditors, settings.quantize)
  const engine = await settings.engine(encodedSource(open, encoding, given?.model.functions ?? {}))
  try {
    const planned = given?.model.certificate.claim.bins ?? settings.bins
    const all = given?.correct ? given.model.data.roundings : await roundingsFor(engine, planned)
    const roundings = all.filter(({ bins }) => SHOWN_CURVE.includes(bins) || bins === planned)
    const terms = given?.terms ?? {
      declared: compileAuditors(settings.auditors, 'table', encoding),
      cellBudget: settings.cellBudget,
      confidence: settings.confidence,
      candidates: all.length,
    }
    const { points, ...rest } = await measureCurve(engine, roundings, { ...terms, fold: FIT })
    const levels: RoundedLevel[][] = []
    for (const rounding of roundings) levels.push(await roundedLevels(engine, rounding))
    return { ...rest, points: points.map((point, index) => ({ ...point, levels: levels[index] })) }
  } finally {
    await engine.close()
  }
}
