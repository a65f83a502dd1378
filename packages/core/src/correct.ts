// How the updates of a model come about: rounds, forests, or a baseline. Rows for the latter two are collected on their
// way into the engine.

import { BASELINE_PARTS } from './baselines/baseline.ts'
import { BASELINES, type BaselineName } from './baselines/baselines.ts'
import { runBaseline } from './baselines/thread/run.ts'
import { type ForestHelper, growForest, partsFor } from './boost/forest/growForest.ts'
import { ForestCollector, type ForestRows } from './boost/forest/rows.ts'
import type { Trace } from './boost/trace.ts'
import type { KeptWork } from './checkpoint.ts'
import type { CompiledClass } from './classes/compile.ts'
import { type Engine, meanLoss } from './engine/engine.ts'
import type { Update } from './engine/update.ts'
import type { Method } from './options.ts'
import type { Encoding } from './quantize/encoding.ts'
import { binCount } from './quantize/schema.ts'
import type { Settings } from './settings.ts'

export interface Corrected {
  readonly updates: readonly Update[]
  readonly trace: Trace
}

/** Undefined for rounds, which never see a row. */
export function collectorFor(
  method: Method,
  { features }: Encoding,
  rows: { rowCount: number; weighted: boolean; weightScale: number },
): ForestCollector | undefined {
  if (method === 'rounds') return undefined
  const collected = features.map(schema => ({ bins: binCount(schema), ordered: schema.kind === 'numeric' }))
  const parts = method === 'forest' ? partsFor(rows.rowCount) : BASELINE_PARTS
  return new ForestCollector(collected, { ...rows, parts })
}

export interface ForestWork {
  readonly rows: ForestRows
  readonly helpers: readonly ForestHelper[]
  readonly kept: KeptWork | undefined
  /** What can be asked of the engine while other threads grow. */
  readonly meanwhile: () => Promise<void>
}

/** Forests, cross-fitted on the fitting rows, perhaps after a slope and an intercept. The engine stays where it is: the certificate moves it. */
export async function boostForest(
  engine: Engine,
  { helpers, kept, meanwhile, rows }: ForestWork,
  { onTree, signal, threads }: Settings,
): Promise<Corrected> {
  const startLosses = (await engine.losses()).map(meanLoss)
  const options = { helpers, log: kept?.forests, meanwhile, onTree, signal, threads }
  const { losses, rounds, updates, ...recalibrated } = await growForest(rows, options)
  const trace = {
    startLosses,
    rounds: [],
    stopReason: 'cross-fit',
    keptCount: rounds,
    crossFit: losses,
  } as const
  return { updates, trace: { ...trace, ...recalibrated } }
}

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
