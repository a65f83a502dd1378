// Second moments of signals as SQL: each product as two whole numbers, as common/units.ts keeps them.

import { type Columns, cast, type LevelMoments, ONE } from '@featureboost/core/internal'
import type { Dialect } from './dialect.ts'

/** Columns to be summed up, two for each product: signals with the residual `r`, then signals with signals. */
export function momentValues(
  dialect: Dialect,
  signals: readonly number[],
  weight: string | undefined,
): Columns {
  const values: Record<string, string> = {}
  const times = (value: string) => (weight === undefined ? value : `${weight} * ${value}`)
  const add = (name: string, a: string, b: string) => {
    const product = `${cast(a, dialect.longType)} * ${b}`
    // Made positive before it is divided: a product is at least -2^48.
    const high = `(${dialect.divide(`${product} + ${2 ** 48}`, ONE)} - ${ONE})`
    values[`${name}_high`] = times(high)
    values[`${name}_low`] = times(`(${product} - ${high} * ${ONE})`)
  }
  for (const [i, signal] of signals.entries()) add(`x${i}`, `s${signal}`, 'r')
  for (const [i, one] of signals.entries())
    for (const [j, other] of signals.entries()) add(`g${i}_${j}`, `s${one}`, `s${other}`)
  return values
}

/** From their sums, after the count. */
export function momentsOf(
  [counts, ...sums]: readonly Float64Array[],
  levels: number,
  signalCount: number,
): LevelMoments[] {
  const split = (place: number, level: number) => ({
    high: sums[2 * place][level],
    low: sums[2 * place + 1][level],
  })
  const places = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)
  return Array.from({ length: levels }, (_, level) => ({
    count: counts[level],
    cross: places(0, signalCount).map(place => split(place, level)),
    gram: places(signalCount, signalCount ** 2).map(place => split(place, level)),
  }))
}
