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
    const mean = (of: (one: MethodFigures) => number) => meanOf(own.map(of))
    return {
      method,
      kind: own[0].kind,
      rows: own[0].rows,
      seeds: own.length,
      gap: mean(one => one.gap),
      worst: mean(one => one.worst),
      off: meanOf(own.map(one => one.off).filter(off => !Number.isNaN(off))),
      distance: mean(one => one.distance),
      seconds: mean(one => one.seconds),
    }
  })
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, one) => sum + one, 0) / values.length

/** Of the mean gap of one method over that of another, in the same worlds: the ratio, and its standard error (jackknife over worlds). */
export function gapRatio(
  ours: readonly MethodFigures[],
  theirs: readonly MethodFigures[],
): { ratio: number; error: number } {
  const pairs = ours.map(({ gap, seed }) => [gap, theirs.find(other => other.seed === seed)!.gap])
  const ratioWithout = (left: number): number => {
    const [own, other] = [0, 1].map(side =>
      pairs.reduce((sum, pair, index) => sum + (index === left ? 0 : pair[side]), 0),
    )
    return own / other
  }
  const without = pairs.map((_, index) => ratioWithout(index))
  const mean = meanOf(without)
  const squares = without.reduce((sum, one) => sum + (one - mean) ** 2, 0)
  return { ratio: ratioWithout(-1), error: Math.sqrt(((pairs.length - 1) / pairs.length) * squares) }
}
