// From one line for every method, world and seed to means over seeds.

import type { Figures } from './case.ts'
import type { Kind } from './world.ts'

export interface MethodFigures extends Figures {
  readonly method: string
  readonly kind: Kind
  readonly rows: number
  readonly seed: number
  /** Processor time of the fit; NaN for a score that is left as it is. */
  readonly seconds: number
}

export interface Summary extends Omit<MethodFigures, 'seed'> {
  readonly seeds: number
}

/** One line for each method, in the order of their first appearance: all of one kind and size. */
export function summarize(figures: readonly MethodFigures[]): Summary[] {
  const methods = [...new Set(figures.map(({ method }) => method))]
  return methods.map(method => {
    const own = figures.filter(one => one.method === method)
    const mean = (of: (one: MethodFigures) => number) =>
      own.reduce((sum, one) => sum + of(one), 0) / own.length
    return {
      method,
      kind: own[0].kind,
      rows: own[0].rows,
      seeds: own.length,
      gap: mean(one => one.gap),
      worst: mean(one => one.worst),
      off: mean(one => one.off),
      distance: mean(one => one.distance),
      seconds: mean(one => one.seconds),
    }
  })
}
