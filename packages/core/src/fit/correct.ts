// How the updates of a model come about: rounds, forests, or a baseline. The latter two learn from a sample of the rows.

import { BASELINE_PARTS, BASELINE_ROWS } from '../baselines/baseline.ts'
import { BASELINES, type BaselineName } from '../baselines/baselines.ts'
import { runBaseline } from '../baselines/thread/run.ts'
import { replay } from '../boost/boost.ts'
import { type Finished, finishForest } from '../boost/groups/finish.ts'
import { type MendedGroup, mendGroups } from '../boost/groups/mend.ts'
import type { NamedGroup, Trace } from '../boost/trace.ts'
import type { CompiledClass } from '../classes/compile.ts'
import { describePath, describeUpdate } from '../classes/describe.ts'
import { FeatureBoostError } from '../common/errors.ts'
import { type Engine, FIT, meanLoss, observationCount } from '../engine/engine.ts'
import { unfoldCopies } from '../engine/sample.ts'
import type { ForestRows } from '../forest/forestRows.ts'
import { type ForestHelper, type Grown, growForest, partsFor } from '../forest/growForest.ts'
import { growsForests, type Method } from '../options/options.ts'
import type { Encoding } from '../quantize/encoding.ts'
import { binCount } from '../quantize/schema.ts'
import type { Update } from '../update/update.ts'
import type { KeptWork } from './checkpoint.ts'
import type { Settings } from './settings.ts'

export interface Corrected {
  readonly updates: readonly Update[]
  readonly trace: Trace
}

/** What forests and baselines learn from; rounds never see a row. */
export async function learningRows(
  engine: Engine,
  { features }: Encoding,
  weightScale: number,
  { forest, method }: Pick<Settings, 'forest' | 'method'>,
): Promise<ForestRows> {
  if (engine.sample === undefined) throw rowsStay(engine, method)
  const { observationWeight } = engine.shape
  const sampled = await engine.sample(
    growsForests(method)
      ? { rowLimit: forest.sampleRows, parts: forest.parts ?? partsFor(observationCount(engine.shape)) }
      : { rowLimit: BASELINE_ROWS, parts: BASELINE_PARTS },
  )
  // Only weights that are as they were given count rows.
  const rows = observationWeight === undefined ? sampled : unfoldCopies(sampled)
  return {
    ...rows,
    features: features.map(schema => ({ bins: binCount(schema), ordered: schema.kind === 'numeric' })),
    ...(weightScale !== 1 && { weightScale }),
    ...(observationWeight !== undefined && { observationWeight }),
  }
}

const rowsStay = ({ name }: Engine, method: Method): FeatureBoostError =>
  new FeatureBoostError('FB_ENGINE_ROWS', `method "${method}" learns from rows.`, {
    found: `the engine "${name}", which answers with sums only`,
    expected: 'an engine that gives a sample of its rows',
    hint: 'Use method "rounds", which needs sums only, or an engine whose rows may be sampled.',
  })

interface ForestWork {
  readonly rows: ForestRows
  readonly helpers: readonly ForestHelper[]
  readonly kept: KeptWork | undefined
  /** What can be asked of the engine while other threads grow. */
  readonly meanwhile: () => Promise<void>
}

/**
 * Forests, cross-fitted on the fitting rows, perhaps after a slope and an intercept; then groups, until none is surely off. The
 * engine stays where it is, or goes back there: the certificate moves it.
 */
export async function boostForest(
  engine: Engine,
  { helpers, kept, meanwhile, rows }: ForestWork,
  encoding: Encoding,
  settings: Settings,
): Promise<Corrected> {
  const { forest: chosen, method, onTree, signal, threads } = settings
  const startLosses = (await engine.losses()).map(meanLoss)
  const { rules } = chosen
  const options = {
    helpers,
    log: kept?.forests,
    meanwhile,
    onTree,
    signal,
    threads,
    ...(rules !== undefined && { rules }),
  }
  const grown = await growForest(rows, options)
  const { losses, recalibration } = grown
  const start = recalibration === undefined ? {} : { recalibration }
  const trace = { startLosses, rounds: [], stopReason: 'cross-fit', crossFit: losses } as const
  if (method === 'forest')
    return { updates: grown.updates, trace: { ...trace, ...start, keptCount: grown.rounds } }
  const finished = await mendAfter(engine, rows, grown, encoding, settings)
  const { forest, groups, rounds, share, updates } = finished
  const named = groups.map(group => nameGroup(group, encoding))
  const ofForest = { ...start, ...(share < 1 && { forestShare: share }) }
  const outcome = { keptCount: rounds, groups: named, forest, ...(forest === 'kept' && ofForest) }
  return { updates, trace: { ...trace, ...outcome } }
}

/** Groups of the rows that forests learned from; and of all rows, where these are more. */
async function mendAfter(
  engine: Engine,
  rows: ForestRows,
  grown: Grown,
  { features: schemas }: Encoding,
  { cellBudget, forest, onGroup, signal, threads }: Settings,
): Promise<Finished> {
  const features = schemas.map((_, feature) => feature)
  const options = { schemas, features, cellBudget, signal, threads, onGroup }
  const finished = await finishForest(rows, grown, options)
  if (engine.shape.countedRows <= forest.sampleRows) return finished
  await replay(engine, finished.updates)
  const more = await mendGroups(engine, { ...options, fold: FIT, clip: grown.clip, mostGroups: MAX_OF_ALL })
  await engine.reset()
  const updates = [...finished.updates, ...more.flatMap(({ updates }) => updates)]
  return { ...finished, updates, groups: [...finished.groups, ...more] }
}

/** Groups that are mended by all rows, at most. */
const MAX_OF_ALL = 100

const nameGroup = ({ evidence, path, updates }: MendedGroup, encoding: Encoding): NamedGroup => ({
  group: describePath(path, encoding.features),
  words: updates.map(update => describeUpdate(update, encoding)).join('; '),
  evidence,
  updateCount: updates.length,
})

export async function correctByBaseline(
  method: BaselineName,
  engine: Engine,
  rows: ForestRows,
  { encoding: { features }, space }: CompiledClass,
  { baseline, onStep, signal, threads }: Settings,
): Promise<Corrected> {
  const startLosses = (await engine.losses()).map(meanLoss)
  const question = { method, rows, space, features, settings: { ...baseline, threads } }
  const updates = await runBaseline(question, { signal, onRound: onStep })
  const { title } = BASELINES[method]
  return {
    updates,
    trace: { startLosses, rounds: [], stopReason: 'baseline', keptCount: updates.length, baseline: title },
  }
}
