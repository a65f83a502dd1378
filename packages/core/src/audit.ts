// audit: how wrong is a score, for which groups, at which scores, by how much, how sure, and is that more than noise?
// No model is needed: any column of probabilities can be audited, and so can the predictions of a model.

import { levelSetError } from './audit/levelSet.ts'
import type { Measured } from './audit/measured.ts'
import type { Estimate } from './audit/measures/rows.ts'
import { type ScoreMeasures, scoreMeasures } from './audit/measures/scoreMeasures.ts'
import { multiaccuracyError } from './audit/multiaccuracy.ts'
import { multicalibrationError } from './audit/multicalibration.ts'
import { swapRegret } from './audit/swapRegret.ts'
import type { BinnedRows } from './audit/worst/choose.ts'
import { openFamily } from './audit/worst/family.ts'
import { declaredSpace, type GroupSpace, treeSpace } from './audit/worst/space.ts'
import { findWorstGroups, type WorstGroups } from './audit/worst/worstGroups.ts'
import { type AuditOptions, type AuditSettings, readAuditSettings } from './auditSettings.ts'
import { describeAuditors } from './certify/statements.ts'
import { type CompiledClass, compileAuditors } from './classes/compile.ts'
import { compileGroups } from './classes/groups.ts'
import { formatNumber } from './common/text.ts'
import { columnLength } from './data/column.ts'
import type { LearnableRows } from './data/roleRows.ts'
import { openRows } from './data/rows.ts'
import type { TableSource } from './data/source.ts'
import type { Table } from './data/table.ts'
import { encodedSource, learnEncoding } from './encode.ts'
import { type Engine, FIT, type Noise } from './engine/engine.ts'
import { makeBinner } from './engine/memory/binner.ts'
import { makeSorter } from './engine/memory/sorter.ts'
import { shiftFor } from './engine/outcome.ts'
import { rememberJoint } from './engine/remember.ts'
import { askAllPairs } from './oracle/pairs.ts'
import { type Encoding, encodeTable } from './quantize/encoding.ts'
import { binCount } from './quantize/schema.ts'
import { discretize, type Rounding } from './round/discretize.ts'
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
  const { onPhase } = settings
  onPhase('reading')
  const opened = await openRows(rows, settings.roles, { keyed: true, signal: settings.signal })
  const scored = await collectScores(rows, opened.rowCount, settings.roles)
  onPhase('learning')
  const encoding = learnEncoding(opened.learnable, settings.auditors, {
    ...settings.quantize,
    sort: makeSorter().sort,
  })
  const compiled = compileAuditors(settings.auditors, 'table', encoding)
  onPhase('loading')
  const engine = rememberJoint(await settings.engine(encodedSource(opened, encoding, {})))
  try {
    const space = await openSpace(engine, compiled, settings)
    const noise = isBinary(scored.labels) ? 'labels' : 'signs'
    // The threads count what the search will ask for while this one measures.
    const shift = shiftFor((await engine.losses())[FIT].squaredWeight)
    const rounding = await discretize(engine, settings.bins)
    const counted = Promise.all([space.prepare(noise, shift), prepareMeasures(engine, compiled, rounding)])
    onPhase('measuring')
    const measures = scoreMeasures(scored, { confidence: settings.confidence, seed: settings.seed })
    await counted
    const sample = sampleRows(opened.learnable, encoding)
    return await auditEngine(engine, compiled, { space, measures, noise, rounding, sample }, settings)
  } finally {
    await engine.close()
  }
}

interface Prepared {
  readonly space: GroupSpace
  readonly measures: ScoreMeasures
  readonly noise: Noise
  readonly rounding: Rounding
  readonly sample: BinnedRows
}

/** Puts the questions of the worst errors to an engine that remembers, all at once. */
async function prepareMeasures(
  engine: Engine,
  { space }: CompiledClass,
  { bins, values }: Rounding,
): Promise<void> {
  if (space.kind !== 'trees' || space.depth === 1) return
  const levelValues = Int32Array.from(values)
  await Promise.all([
    askAllPairs(engine, space.features, { fold: FIT, levels: 1 }),
    askAllPairs(engine, space.features, { fold: FIT, levels: bins, levelValues }),
  ])
}

function sampleRows({ features }: LearnableRows, encoding: Encoding): BinnedRows {
  const rowCount = columnLength(features[0])
  const { bins } = encodeTable(encoding, { rowCount, columns: features }, {}, makeBinner().bin)
  return { rowCount, bins, binCounts: encoding.features.map(binCount) }
}

async function auditEngine(
  engine: Engine,
  compiled: CompiledClass,
  { measures, noise, rounding, sample, space }: Prepared,
  settings: AuditSettings,
): Promise<Audit> {
  const { bins, cellBudget, roles } = settings
  const scope = { fold: FIT, cellBudget }
  settings.onPhase('searching')
  const groups = await findWorstGroups(space, {
    ...settings,
    noise,
    sample,
    features: compiled.encoding.features,
    score: roles.prediction,
  })
  settings.onPhase('summing up')
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
