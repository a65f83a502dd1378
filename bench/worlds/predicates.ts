// Which rows satisfy predicates, read off the values: shares no code with the search that finds groups.

import type { Predicate } from '../../packages/core/src/classes/auditors.ts'
import { type Column, columnLength, type Value, valueAt } from '../../packages/core/src/data/column.ts'

/** 1 for every row that satisfies all of them. */
export function membersOf(features: readonly Column[], where: readonly Predicate[]): Uint8Array {
  const members = new Uint8Array(columnLength(features[0])).fill(1)
  for (const predicate of where) {
    const column = features.find(feature => feature.name === predicate.column)!
    for (let row = 0; row < members.length; row++) {
      if (!satisfies(predicate, valueAt(column, row))) members[row] = 0
    }
  }
  return members
}

function satisfies(predicate: Predicate, value: Value): boolean {
  if ('missing' in predicate) return (value === null) === predicate.missing
  if (value === null) return predicate.orMissing ?? false
  if ('is' in predicate) return value === predicate.is
  if ('in' in predicate) return predicate.in.includes(value)
  if ('notIn' in predicate) return !predicate.notIn.includes(value)
  const number = value as number
  if ('atMost' in predicate) return number <= Number(predicate.atMost)
  if ('below' in predicate) return number < Number(predicate.below)
  return 'atLeast' in predicate ? number >= Number(predicate.atLeast) : number > Number(predicate.above)
}
