import { describe, expect, it } from 'vitest'
import { matchRows } from '../../src/classes/matches.ts'
import { makeTable, type Predicate } from '../../src/index.ts'

const table = makeTable({
  age: [17, 18, 25, null],
  city: ['Bonn', 'Celle', null, 'Bonn'],
  member: [true, false, null, true],
})

const rows = (...predicates: Predicate[]) => [...matchRows(table, predicates)].join('')

describe('rows that satisfy predicates', () => {
  it.each<[Predicate, string]>([
    [{ column: 'age', atMost: 18 }, '1100'],
    [{ column: 'age', below: 18 }, '1000'],
    [{ column: 'age', atLeast: 18 }, '0110'],
    [{ column: 'age', above: 18 }, '0010'],
    [{ column: 'age', is: 25 }, '0010'],
    [{ column: 'age', above: 18, orMissing: true }, '0011'],
    [{ column: 'age', missing: true }, '0001'],
    [{ column: 'age', missing: false }, '1110'],
    [{ column: 'city', in: ['Bonn', 'Essen'] }, '1001'],
    [{ column: 'city', notIn: ['Bonn'] }, '0100'],
    [{ column: 'city', notIn: ['Bonn'], orMissing: true }, '0110'],
    [{ column: 'city', missing: true }, '0010'],
    [{ column: 'member', is: true }, '1001'],
    [{ column: 'member', in: [false], orMissing: true }, '0110'],
  ])('%j', (predicate, expected) => {
    expect(rows(predicate)).toBe(expected)
  })

  it('are those that satisfy all of them', () => {
    expect(rows({ column: 'city', is: 'Bonn' }, { column: 'age', missing: false })).toBe('1000')
    expect(rows()).toBe('1111')
  })
})
