// From draws of a named world to figures, each beside what chance alone allows.

import { kolmogorov, mostByChance } from './chance.ts'
import { type Bounded, CONFIDENCE, type DrawResult } from './run.ts'
import type { NamedWorld } from './worlds.ts'

/** So many of so many, and the most that chance alone allows. */
export interface Counted {
  readonly count: number
  readonly of: number
  readonly allowed: number
}

/** Means over draws, and how often the truth was above the bound. */
export interface BoundFigures extends Bounded {
  readonly violations: Counted
}

export interface NamedFigures {
  readonly world: string
  readonly draws: number
  readonly pValues: {
    readonly upTo: readonly (Counted & { readonly p: number })[]
    readonly kolmogorov: { readonly distance: number; readonly limit: number }
    readonly promised: boolean
  }
  /** Intervals that did not hold: of the worst group, and of any that is listed. */
  readonly missed: { readonly worst: Counted; readonly any: Counted }
  readonly boundsPromised: boolean
  readonly multicalibration: BoundFigures
  readonly levelSet: BoundFigures
}

const LEVELS = [0.05, 0.2] as const

export function figuresOf(
  { name, noBound, noPValue }: NamedWorld,
  results: readonly DrawResult[],
): NamedFigures {
  const ps = results.map(({ p }) => p)
  const listed = results.filter(({ worstHeld }) => worstHeld !== undefined)
  const failures = (held: (result: DrawResult) => boolean | undefined): Counted =>
    counted(listed.filter(result => held(result) === false).length, listed.length, 1 - CONFIDENCE)
  return {
    world: name,
    draws: results.length,
    pValues: {
      upTo: LEVELS.map(p => ({ p, ...counted(ps.filter(each => each <= p).length, ps.length, p) })),
      kolmogorov: kolmogorov(ps),
      promised: noPValue === undefined,
    },
    missed: { worst: failures(({ worstHeld }) => worstHeld), any: failures(({ allHeld }) => allHeld) },
    boundsPromised: noBound === undefined,
    multicalibration: boundFigures(results.map(result => result.multicalibration)),
    levelSet: boundFigures(results.map(result => result.levelSet)),
  }
}

const counted = (count: number, of: number, rate: number): Counted => ({
  count,
  of,
  allowed: mostByChance(of, rate),
})

function boundFigures(bounds: readonly Bounded[]): BoundFigures {
  const mean = (of: (each: Bounded) => number) =>
    bounds.reduce((sum, each) => sum + of(each), 0) / bounds.length
  return {
    truth: mean(each => each.truth),
    measured: mean(each => each.measured),
    slack: mean(each => each.slack),
    bound: mean(each => each.bound),
    violations: counted(
      bounds.filter(({ bound, truth }) => truth > bound).length,
      bounds.length,
      1 - CONFIDENCE,
    ),
  }
}

export const isTooMany = ({ allowed, count }: Counted): boolean => count > allowed

/** What was promised and did not hold, in words. */
export function missedPromises(figures: readonly NamedFigures[]): string[] {
  return figures.flatMap(({ boundsPromised, levelSet, missed, multicalibration, pValues, world }) => {
    const { distance, limit } = pValues.kolmogorov
    return [
      ...(boundsPromised && isTooMany(multicalibration.violations) ? ['multicalibration bound'] : []),
      ...(boundsPromised && isTooMany(levelSet.violations) ? ['level-set bound'] : []),
      ...(pValues.promised ? pValues.upTo.filter(isTooMany).map(({ p }) => `p <= ${p}`) : []),
      ...(pValues.promised && distance > limit ? ['p-values, Kolmogorov'] : []),
      ...(pValues.promised && isTooMany(missed.worst) ? ['interval of the worst group'] : []),
      ...(pValues.promised && isTooMany(missed.any) ? ['intervals of listed groups'] : []),
    ].map(promise => `${world}: ${promise}`)
  })
}
