// audit: how wrong is a score, for which groups, at which scores, by how much, how sure, and is that more than noise?
// No model is needed: any column of probabilities can be audited, and so can the predictions of a model.

import { levelSetError } from './audit/levelSet.ts'
import type { Measured } from './audit/measured.ts'
import type { Estimate } from './audit/measures/rows.ts'
import { type ScoreMeasures, scoreMeasures } from './audit/measures/scoreMeasures.ts'
import { multiaccuracyError } from './audit/multiaccuracy.ts'
import { multicalibrationError } from './audit/multicalibration.ts'
import { swapRegret } from './audit/swapRegret.ts'
import { openFamily } from './audit/worst/family.ts'
import { declaredSpace, type GroupSpace, treeSpace } from './audit/worst/space.ts'
import { findWorstGroups, type WorstGroups } from './audit/worst/worstGroups.ts'
import { type AuditOptions, type AuditSettings, readAuditSettings } from './auditSettings.ts'
import { describeAuditors } from './certify/statements.ts'
import { type CompiledClass, compileAuditors } from './classes/compile.ts'
import { compileGroups } from './classes/groups.ts'
import { formatNumber } from './common/text.ts'
import { openRows } from './data/rows.ts'
import type { TableSource } from './data/source.ts'
import type { Table } from './data/table.ts'
import { encodedSource, learnEncoding } from './encode.ts'
import { type Engine, FIT, type Noise } from './engine/engine.ts'
import { makeSorter } from './engine/memory/sorter.ts'
import { discretize } from './round/discretize.ts'
import { collectScores, isBinary } from './scores.ts'

export interface Audit extends WorstGroups {
  readonly rows: { readonly rowCount: number; readonly weight: number; readonly fingerprint: string }
  readonly label: string
  readonly score: string
  /** What was searched, in words. */
  readonly auditors: string
  readonly bins: number
  readonly measures: ScoreMeasures
  readonly multiaccuracy: MeasuredEstimate
  readonly multicalibration: MeasuredEstimate
  readonly levelSet: MeasuredEstimate
  readonly swapRegret: number
  /** The first thing to read. */
  readonly verdict: string
}

/** The worst auditor's error with an interval that holds for all auditors at once. */
export interface MeasuredEstimate extends Measured, Estimate {}

export async function audit(rows: Table | TableSource, options: AuditOptions): Promise<Audit> {
  const settings = readAuditSettings(options)
  const opened = await openRows(rows, settings.roles, { keyed: true, signal: settings.signal })
  const scored = await collectScores(rows, opened.rowCount, settings.roles)
  const encoding = learnEncoding(opened.learnable, settings.auditors, {
    ...settings.quantize,
    sort: makeSorter().sort,
  })
  const compiled = compileAuditors(settings.auditors, 'table', encoding)
  const engine = await settings.engine(encodedSource(opened, encoding, {}))
  try {
    const measures = scoreMeasures(scored, { confidence: settings.confidence, seed: settings.seed })
    const noise = isBinary(scored.labels) ? 'labels' : 'signs'
    return await auditEngine(engine, compiled, measures, noise, settings)
  } finally {
    await engine.close()
  }
}

async function auditEngine(
  engine: Engine,
  compiled: CompiledClass,
  measures: ScoreMeasures,
  noise: Noise,
  settings: AuditSettings,
): Promise<Audit> {
  const { bins, cellBudget, roles } = settings
  const scope = { fold: FIT, cellBudget }
  const space = await openSpace(engine, compiled, settings)
  const groups = await findWorstGroups(space, {
    ...settings,
    noise,
    features: compiled.encoding.features,
    score: roles.prediction,
  })
  const rounding = await discretize(engine, bins)
  const { weight } = (await engine.losses())[FIT]
  const found = {
    multiaccuracy: await multiaccuracyError(engine, compiled, scope),
    multicalibration: await multicalibrationError(engine, compiled, rounding, scope),
    levelSet: (await levelSetError(engine, compiled, rounding, scope))!,
  }
  return {
    rows: { rowCount: engine.shape.rowCount, weight, fingerprint: await engine.fingerprint() },
    label: roles.label,
    score: roles.prediction,
    auditors: describeAuditors(settings.auditors, compiled),
    bins,
    measures,
    ...found,
    swapRegret: (await swapRegret(engine, compiled, bins, scope))!,
    ...groups,
    verdict: stateVerdict(groups),
  } as unknown as Audit
}

async function openSpace(
  engine: Engine,
  { encoding, space }: CompiledClass,
  { auditors, bins }: AuditSettings,
): Promise<GroupSpace> {
  const { features } = encoding
  if (auditors.kind === 'groups') {
    const paths = compileGroups(auditors, features).map(group => group.path)
    return declaredSpace(engine, FIT, bins, paths)
  }
  const searched = space.kind === 'trees' ? space.features : []
  const depth = auditors.depth === 1 ? 1 : 2
  return treeSpace(
    await openFamily(engine, { fold: FIT, levels: bins, depth, schemas: features, features: searched }),
  )
}

function stateVerdict({ significance, worst }: WorstGroups): string {
  const [first] = worst
  if (!significance.beyondNoise || first === undefined) return significance.sentence
  const side = first.gap > 0 ? 'too low' : 'too high'
  return `${significance.sentence} Worst: ${first.group}, ${side} by ${formatNumber(Math.abs(first.gap), 2)}.`
}
