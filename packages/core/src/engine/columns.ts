// One engine for several encodings of the same rows. Their columns stand side by side, and each encoding sees an engine that has
// its own columns only: the same answers as from an engine of its own, and the rows are brought in once.

import { shiftTree, shiftUpdate } from '../update/columns.ts'
import type { Engine, PairSearchRequest } from './engine.ts'
import type { SampleRequest } from './sample.ts'

/** How many columns an encoding has. */
export interface ColumnCount {
  readonly features: number
  readonly signals: number
}

/** They share the predictions of the engine, which is closed by who opened it: closing one of them does nothing. */
export function divideColumns(engine: Engine, counts: readonly ColumnCount[]): Engine[] {
  let [features, signals] = [0, 0]
  return counts.map(count => {
    const view = columnsFrom(engine, features, signals, count)
    features += count.features
    signals += count.signals
    return view
  })
}

const shiftRange = ([from, to]: readonly [number, number], by: number) => [from + by, to + by] as const

function columnsFrom(engine: Engine, first: number, firstSignal: number, count: ColumnCount): Engine {
  const { sample, searchPairs, shape, snapshot } = engine
  const to = first + count.features
  const shifted = (columns: readonly number[]) => columns.map(column => column + first)
  return {
    name: engine.name,
    shape: {
      ...shape,
      binCounts: shape.binCounts.slice(first, to),
      coarseCounts: shape.coarseCounts.slice(first, to),
      signalCount: count.signals,
    },
    histogram: request =>
      engine.histogram({
        ...request,
        tree: shiftTree(request.tree, first),
        features: shifted(request.features),
      }),
    jointHistogram: request =>
      engine.jointHistogram({
        ...request,
        pairs: request.pairs.map(([a, b]) => [a + first, b + first] as const),
      }),
    levelSums: request =>
      engine.levelSums({ ...request, trees: request.trees.map(tree => shiftTree(tree, first)) }),
    moments: request =>
      engine.moments({ ...request, signals: request.signals.map(signal => signal + firstSignal) }),
    losses: () => engine.losses(),
    evaluate: update => engine.evaluate(shiftUpdate(update, first, firstSignal)),
    apply: update => engine.apply(shiftUpdate(update, first, firstSignal)),
    reset: () => engine.reset(),
    fingerprint: (columns = { features: [0, count.features], signals: [0, count.signals] }) =>
      engine.fingerprint({
        features: shiftRange(columns.features, first),
        signals: shiftRange(columns.signals, firstSignal),
      }),
    close: async () => {},
    release: sums => engine.release?.(sums),
    ...(snapshot !== undefined && { snapshot: () => engine.snapshot!() }),
    ...(sample !== undefined && {
      sample: async (request: SampleRequest) => {
        const rows = await engine.sample!(request)
        return { ...rows, bins: rows.bins.slice(first, to) }
      },
    }),
    ...(searchPairs !== undefined && {
      // Sides name features by their place among those that are searched, so only the list itself moves.
      searchPairs: (request: PairSearchRequest) =>
        engine.searchPairs!({ ...request, features: shifted(request.features) }),
    }),
  }
}
