// Does one group lie within another? Told by their conditions and scores alone, so "no" may also mean that it cannot be told.

import type { GroupRef } from '@featureboost/core/internal'

type Predicate = GroupRef['where'][number]

interface Named {
  readonly where: readonly Predicate[]
  readonly scores?: { readonly from: number; readonly to: number }
}

export function isNested(inner: Named, outer: Named): boolean {
  // Everyone, and groups whose conditions are not kept, tell nothing.
  if (inner.where.length === 0 || outer.where.length === 0) return false
  const { from = 0, to = 1 } = inner.scores ?? {}
  const isAtItsScores =
    outer.scores === undefined || (from >= outer.scores.from - 1e-9 && to <= outer.scores.to + 1e-9)
  return isAtItsScores && outer.where.every(condition => isMet(condition, inner.where))
}

/** Do all rows that meet these conditions meet that one? */
function isMet(condition: Predicate, where: readonly Predicate[]): boolean {
  const own = where.filter(({ column }) => column === condition.column)
  return own.some(each => implies(each, condition))
}

function implies(inner: Predicate, outer: Predicate): boolean {
  if ('missing' in outer)
    return 'missing' in inner ? inner.missing === outer.missing : !outer.missing && !inner.orMissing
  if ('missing' in inner) return inner.missing && outer.orMissing === true
  if (inner.orMissing === true && outer.orMissing !== true) return false
  const values = listOf(inner)
  if (values !== undefined) return values.every(value => holds(outer, value))
  if ('notIn' in inner) return 'notIn' in outer && outer.notIn.every(value => inner.notIn.includes(value))
  const [own, other] = [boundOf(inner), boundOf(outer)]
  if (own === undefined || other === undefined || own.side !== other.side) return false
  if (own.at === other.at) return own.isIn === other.isIn || other.isIn
  return own.side === 'up' ? own.at > other.at : own.at < other.at
}

const listOf = (test: Predicate) => ('in' in test ? test.in : 'is' in test ? [test.is] : undefined)

function holds(test: Predicate, value: unknown): boolean {
  const values = listOf(test)
  if (values !== undefined) return values.some(each => each === value)
  if ('notIn' in test) return test.notIn.every(each => each !== value)
  const bound = boundOf(test)
  if (bound === undefined || typeof value !== 'number') return false
  return value === bound.at ? bound.isIn : bound.side === 'up' ? value > bound.at : value < bound.at
}

interface Bound {
  readonly side: 'up' | 'down'
  readonly at: number
  readonly isIn: boolean
}

/** Undefined for dates and times, which are text. */
function boundOf(test: Predicate): Bound | undefined {
  const bound = (side: Bound['side'], at: number | string, isIn: boolean) =>
    typeof at === 'number' ? { side, at, isIn } : undefined
  if ('atMost' in test) return bound('down', test.atMost, true)
  if ('below' in test) return bound('down', test.below, false)
  if ('atLeast' in test) return bound('up', test.atLeast, true)
  return 'above' in test ? bound('up', test.above, false) : undefined
}
