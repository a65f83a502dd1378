// The parts of evidence that are asked of an engine: maps of groups, and error against K. The rows of a score are opened once, with
// columns for the audit, for the map and for the curve side by side.

import { type OpenedScore, openScore } from '../audit/open.ts'
import type { AuditSettings } from '../audit/settings.ts'
import { compileAuditors } from '../classes/compile.ts'
import type { LearnableRows } from '../data/roleRows.ts'
import type { TableSource } from '../data/source.ts'
import type { Table } from '../data/table.ts'
import { type Engine, FIT } from '../engine/engine.ts'
import type { ScoreMeasures } from '../measures/score/scoreMeasures.ts'
import { type CurveTerms, measureCurve } from '../model/errorAgainstBins.ts'
import type { Model } from '../model/model.ts'
import type { Encoding } from '../quantize/encoding.ts'
import { roundingsFor } from '../round/curve.ts'
import { learnEncoding } from '../store/encode.ts'
import type { RoundedLevel, RoundingCurve } from './evidence.ts'
import type { HeatMap, SegmentMap } from './groupEvidence.ts'
import { roundedLevels } from './roundings.ts'
import { mapSegments, type SegmentOptions } from './segmentMap.ts'

/** Ranges of numbers, and categories, that a column is shown in. */
const SHOWN_BINS = 8

/** Numbers of bins that the curve is shown at, besides the planned one: each is a search of its own. */
export const SHOWN_CURVE = [1, 2, 3, 5, 10, 20, 50, 100]

/** A score's rows as evidence looks at them. */
export interface ShownScore {
  readonly opened: OpenedScore
  readonly mapped: { readonly engine: Engine; readonly encoding: Encoding }
  /** In the model's own encoding where there is a model, else in that of the audit. */
  readonly curved: { readonly engine: Engine; readonly encoding: Encoding }
}

interface Known {
  readonly model?: Model
  /** Maps of two scores show the same groups: the encoding of the first. */
  readonly encoding?: Encoding
  /** Of the score, where they have been taken before. */
  readonly measures?: ScoreMeasures
}

export async function openShown(
  rows: Table | TableSource,
  settings: AuditSettings,
  { model, ...known }: Known = {},
): Promise<ShownScore> {
  let { encoding } = known
  const encodeOthers = (learnable: LearnableRows) => {
    encoding ??= mapEncoding(learnable, settings)
    const ofModel = model === undefined ? [] : [{ encoding: model.data.encoding, functions: model.functions }]
    return [{ encoding }, ...ofModel]
  }
  const opened = await openScore(rows, settings, encodeOthers, known.measures)
  const [engine, ofModel] = opened.others
  return {
    opened,
    mapped: { engine, encoding: encoding! },
    curved: model === undefined ? opened : { engine: ofModel, encoding: model.data.encoding },
  }
}

/** Declared groups are those of the audit, so their cuts are, too. */
function mapEncoding(rows: LearnableRows, { auditors, quantize }: AuditSettings): Encoding {
  const cuts = auditors.kind === 'groups' ? quantize : { ...quantize, coarseBins: SHOWN_BINS }
  return learnEncoding(rows, auditors, cuts)
}

/** The first of the scores, and what became of it where there is a second. */
export async function mapScores(
  before: ShownScore,
  after: ShownScore | undefined,
  { auditors, confidence, significance }: AuditSettings,
  told: Pick<SegmentOptions, 'isNamed' | 'criticalZ' | 'known'>,
): Promise<{ segments: SegmentMap; heat: HeatMap }> {
  const rowsOf = ({ mapped: { engine }, opened: { noise } }: ShownScore) => ({ engine, noise })
  const { features } = before.mapped.encoding
  return await mapSegments(rowsOf(before), after && rowsOf(after), {
    ...{ auditors, features, confidence, significance },
    ...told,
  })
}

interface ModelCurve {
  readonly model: Model
  /** Are these the corrected scores? The model holds their roundings. */
  readonly correct: boolean
  readonly terms: CurveTerms
}

export async function scoreCurve(
  { curved: { encoding, engine } }: ShownScore,
  settings: AuditSettings,
  given?: ModelCurve,
): Promise<RoundingCurve> {
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
}
