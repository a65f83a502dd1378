// audit: how wrong is a score, for which groups, at which scores, by how much, how sure, and is that more than noise?
// No model is needed: any column of probabilities can be audited, and so can the predictions of a model.

import { describeAuditors } from '../certify/statements.ts'
import { certifiedClass } from '../certify/tolerance.ts'
import { type WorstErrors, worstErrors } from '../certify/worstErrors.ts'
import { type CompiledClass, compileAuditors } from '../classes/compile.ts'
import { compileGroups } from '../classes/groups.ts'
import { columnLength, gatherColumn } from '../data/column.ts'
import { checkOptionsObject } from '../data/given.ts'
import type { LearnableRows } from '../data/roleRows.ts'
import type { TableSource } from '../data/source.ts'
import type { Table } from '../data/table.ts'
import { readWords } from '../data/wording.ts'
import { type Engine, FIT, type Noise } from '../engine/engine.ts'
import { shiftFor } from '../engine/outcome.ts'
import { REMEMBERED_CELLS } from '../engine/remember.ts'
import { makeBinner } from '../kernels/binner.ts'
import { type AverageError, averageError } from '../measures/class/averageError.ts'
import type { MulticalibrationError } from '../measures/score/mce.ts'
import type { ScoreMeasures } from '../measures/score/scoreMeasures.ts'
import { openFamily } from '../oracle/groups/family.ts'
import { askAllPairs, pairCount } from '../oracle/pairs.ts'
import { type Encoding, encodeTable } from '../quantize/encoding.ts'
import { binCount } from '../quantize/schema.ts'
import { columnWarnings } from '../quantize/warnings.ts'
import { discretize, type Rounding } from '../round/discretize.ts'
import type { RowStore } from '../store/store.ts'
import { type OpenedScore, openScore } from './open.ts'
import { auditProtected, type ProtectedGroup } from './protected.ts'
import { measureSegments } from './scores.ts'
import { type AuditOptions, type AuditSettings, readAuditSettings } from './settings.ts'
import { judgeAudit } from './verdict.ts'
import type { BinnedRows } from './worst/choose.ts'
import { screenFamily } from './worst/screen.ts'
import { declaredSpace, type GroupSpace, treeSpace } from './worst/space.ts'
import { findWorstGroups, leastVarianceOf, type WorstGroups } from './worst/worstGroups.ts'

/** What an audit found. */
export interface Audit extends WorstGroups, WorstErrors {
  readonly rows: {
    readonly rowCount: number
    /** Rows that are exact copies of another. */
    readonly copyCount: number
    /** The sum of the weights as they were given; without weights, the rows. */
    readonly weight: number
    /** As many equal rows would tell as much. */
    readonly effectiveRows: number
    readonly fingerprint: string
  }
  readonly label: string
  readonly score: string
  /** What was searched, in words. */
  readonly auditors: string
  readonly bins: number
  readonly measures: ScoreMeasures
  /** Over groups and levels, on average and not in the worst case. */
  readonly averageError: AverageError
  /** MCGrad's measure over segments; only where segmentDepth asks for it. */
  readonly mce?: MulticalibrationError
  /** Every protected group; only where columns are protected. */
  readonly protected?: readonly ProtectedGroup[]
  /** The first thing to read. */
  readonly verdict: string
}

/**
 * Says how wrong a score is: overall, for which groups, at which scores, by how much, and whether that
 * is more than noise. Takes a table, rows that come in chunks, or rows that stay where they are.
 */
export async function audit(rows: Table | TableSource | RowStore, options: AuditOptions): Promise<Audit> {
  checkOptionsObject(options)
  const settings = readAuditSettings(options)
  const opened = await openScore(readWords(rows, options), settings)
  try {
    const { encoding, scored } = opened
    for (const warning of columnWarnings(encoding.features, scored.labels.length, options.categorical))
      options.onWarning?.(warning)
    return await auditScore(opened, settings)
  } finally {
    await opened.close()
  }
}

/** Of rows that are open: they stay so. */
export async function auditScore(opened: OpenedScore, settings: AuditSettings): Promise<Audit> {
  const { copyCount, encoding, engine, learnable, measuring, noise, rows, scored, weightScale } = opened
  const { auditors, confidence, onPhase, seed, segmentDepth } = settings
  const compiled = compileAuditors(auditors, 'table', encoding)
  const space = await openSpace(engine, compiled, noise, settings)
  const rounding = await discretize(engine, settings.bins)
  const counted = await beginCounting(engine, compiled, space, rounding, noise)
  onPhase('measuring')
  const names = encoding.features.map(feature => feature.name)
  const mce = segmentDepth > 0 && {
    mce: await measureSegments(rows as Table | TableSource, scored, names, {
      depth: segmentDepth,
      confidence,
      seed,
    }),
  }
  await counted.done
  const sample = binSample(learnable, encoding)
  const found = await searchEngine(
    engine,
    compiled,
    { space, noise, rounding, sample, weightScale, copyCount },
    settings,
  )
  const { protect, roles } = settings
  const named = protect.length > 0 && {
    protected: await auditProtected(engine, {
      ...{ protect, noise, confidence, features: encoding.features, score: roles.prediction },
    }),
  }
  const judged = judgeAudit({ ...found, ...named }, found.rows.rowCount)
  return { ...found, ...mce, ...named, measures: await measuring.answer, verdict: judged.sentence }
}

interface Search {
  readonly space: GroupSpace
  readonly noise: Noise
  readonly rounding: Rounding
  readonly sample: BinnedRows
  readonly weightScale: number
  readonly copyCount: number
}

/** The threads count what the search will ask for while this one measures; `done` when they have. */
async function beginCounting(
  engine: Engine,
  { space: auditors }: CompiledClass,
  space: GroupSpace,
  { bins, values }: Rounding,
  noise: Noise,
): Promise<{ done: Promise<unknown> }> {
  const shift = shiftFor((await engine.losses())[FIT].squaredWeight)
  const asked = [space.prepare(noise, shift)]
  if (auditors.kind === 'trees' && auditors.depth > 1) {
    const levelValues = Int32Array.from(values)
    const fits = pairCount(engine, auditors.features, bins) <= REMEMBERED_CELLS
    if (fits) asked.push(askAllPairs(engine, auditors.features, { fold: FIT, levels: 1 }))
    if (fits) asked.push(askAllPairs(engine, auditors.features, { fold: FIT, levels: bins, levelValues }))
  }
  const done = Promise.all(asked)
  // Should the measuring throw first, nobody waits for the answers.
  done.catch(() => {})
  return { done }
}

/** Rows that weigh something: a table holds others, too, and chunks of it do not. */
function binSample({ features, start, weight }: LearnableRows, encoding: Encoding): BinnedRows {
  const all = Int32Array.from({ length: columnLength(features[0]) }, (_, row) => row)
  const rows = weight === undefined ? all : all.filter(row => weight[row] > 0)
  const rowCount = rows.length
  const columns = weight === undefined ? features : features.map(column => gatherColumn(column, rows))
  const { bins } = encodeTable(encoding, { rowCount, columns }, {}, makeBinner().bin)
  const predictions = rows.map(row => start![row])
  return { rowCount, bins, binCounts: encoding.features.map(binCount), predictions }
}

async function searchEngine(
  engine: Engine,
  compiled: CompiledClass,
  search: Search,
  settings: AuditSettings,
): Promise<Omit<Audit, 'measures' | 'mce' | 'protected' | 'verdict'>> {
  const { auditors, bins, cellBudget, confidence, onPhase, roles } = settings
  onPhase('searching')
  const groups = await findWorstGroups(search.space, {
    ...settings,
    noise: search.noise,
    sample: search.sample,
    features: compiled.encoding.features,
    score: roles.prediction,
  })
  onPhase('summing up')
  const { squaredWeight, weight } = (await engine.losses())[FIT]
  const scope = { fold: FIT, cellBudget, confidence }
  // Beyond the budget, errors are those of one condition at a time.
  const searched = certifiedClass(compiled, engine.shape, bins, cellBudget)
  return {
    rows: {
      rowCount: engine.shape.rowCount,
      copyCount: search.copyCount,
      weight: weight / search.weightScale,
      effectiveRows: weight ** 2 / squaredWeight,
      fingerprint: await engine.fingerprint(),
    },
    label: roles.label,
    score: roles.prediction,
    auditors: describeAuditors(auditors, searched.compiled),
    bins,
    ...(await worstErrors(engine, searched.compiled, search.rounding, scope)),
    averageError: (await averageError(engine, compiled, bins, { fold: FIT }))!,
    ...groups,
  }
}

async function openSpace(
  engine: Engine,
  { encoding, space }: CompiledClass,
  noise: Noise,
  { auditors, bins, budget }: AuditSettings,
): Promise<GroupSpace> {
  const schemas = encoding.features
  if (auditors.kind === 'groups') {
    return declaredSpace(engine, FIT, bins, compileGroups(auditors, schemas))
  }
  const features = space.kind === 'trees' ? space.features : []
  const depth = auditors.depth === 1 ? 1 : 2
  const family = await openFamily(engine, { fold: FIT, levels: bins, depth, schemas, features })
  const { squaredWeight, weight } = (await engine.losses())[FIT]
  const shift = shiftFor(squaredWeight)
  const leastVariance = leastVarianceOf(shift, squaredWeight / weight)
  return treeSpace(await screenFamily(family, { noise, shift, leastVariance }, { budget }))
}
