// Declared groups with what they mean, row by row.

import fc from 'fast-check'
import type { GroupSpec, Predicate } from '../../src/classes/auditors.ts'
import { AGES, type SmallRow, type SmallTable } from './tables.ts'

/** Missing values satisfy `missing: true` and what says `orMissing`, and nothing else. */
export function holds(predicate: Predicate, row: SmallRow): boolean {
  const value = row[predicate.column as 'age' | 'city' | 'member']
  if ('missing' in predicate) return (value === null) === predicate.missing
  if (value === null) return predicate.orMissing ?? false
  if ('is' in predicate) return value === predicate.is
  if ('in' in predicate) return predicate.in.some(candidate => candidate === value)
  if ('notIn' in predicate) return !predicate.notIn.some(candidate => candidate === value)
  const number = value as number
  if ('atMost' in predicate) return number <= Number(predicate.atMost)
  if ('below' in predicate) return number < Number(predicate.below)
  return 'atLeast' in predicate ? number >= Number(predicate.atLeast) : number > Number(predicate.above)
}

/** Values of the table, values next to them, and values far from them. */
const threshold = fc.oneof(
  fc.constantFrom(...AGES),
  fc.constantFrom(-3, -0.5, 17.6, 24.999999, 25.000001, 33, 64, 70),
  fc.constantFrom(25 - 2 ** -48, 25 + 2 ** -48, 2 ** -40, -(2 ** -40)),
)

/** A predicate that the table allows: categories only where some row that counts has them. */
export function predicateArbitrary({ rows, weighted }: SmallTable): fc.Arbitrary<Predicate> {
  const counted = rows.filter(row => !weighted || row.weight > 0)
  const cities = [...new Set(counted.flatMap(({ city }) => city ?? []))]
  const members = rows.some(({ member }) => member !== null)
  const age = { column: fc.constant('age') }
  const city = { column: fc.constant('city') }
  const anyCity = cities.length > 0 ? fc.constantFrom(...cities) : fc.constant('')
  const missing = fc.record({ column: fc.constantFrom('age', 'city', 'member'), missing: fc.boolean() })
  const orMissing = { orMissing: fc.boolean() }
  return fc.oneof(
    missing,
    fc.record({ ...age, ...orMissing, atMost: threshold }),
    fc.record({ ...age, ...orMissing, below: threshold }),
    fc.record({ ...age, atLeast: threshold }),
    fc.record({ ...age, ...orMissing, above: threshold }),
    fc.record({ ...age, ...orMissing, is: threshold }),
    ...(cities.length > 0
      ? [
          fc.record({ ...city, is: anyCity }),
          fc.record({ ...city, ...orMissing, in: fc.uniqueArray(anyCity, { minLength: 1 }) }),
          fc.record({ ...city, ...orMissing, notIn: fc.uniqueArray(anyCity, { minLength: 1 }) }),
        ]
      : []),
    ...(members ? [fc.record({ column: fc.constant('member'), is: fc.boolean() })] : []),
  )
}

/** What a group is declared with, and its predicates. */
export interface DeclaredGroup {
  readonly spec: Exclude<GroupSpec, string>
  readonly where: readonly Predicate[]
}

export const isMember = ({ where }: DeclaredGroup, row: SmallRow): boolean =>
  where.every(predicate => holds(predicate, row))

/** One predicate, a list of them, or a list with a name. */
export function groupArbitrary(table: SmallTable): fc.Arbitrary<DeclaredGroup> {
  const predicate = predicateArbitrary(table)
  const list = fc.array(predicate, { minLength: 1, maxLength: 3 })
  return fc.oneof(
    predicate.map(one => ({ spec: one, where: [one] })),
    list.map(where => ({ spec: where, where })),
    list.map(where => ({ spec: { name: 'mine', where }, where })),
  )
}
