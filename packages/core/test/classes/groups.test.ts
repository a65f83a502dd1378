import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type GroupSpec, groups, type Predicate } from '../../src/classes/auditors.ts'
import type { Partition } from '../../src/classes/compile.ts'
import { compileGroups, requiredCuts } from '../../src/classes/groups.ts'
import { nextDown } from '../../src/common/doubles.ts'
import { rejectionOf } from '../data/rejection.ts'
import { countedRows, range } from '../support/bruteForce.ts'
import { naiveLeaf } from '../support/naive.ts'
import { type DeclaredGroup, groupArbitrary, holds, isMember } from '../support/predicates.ts'
import {
  FEW_BINS,
  MANY_BINS,
  type Prepared,
  prepare,
  type SmallRow,
  type SmallTable,
  tablesArbitrary,
} from '../support/tables.ts'

function partitionsOf({ compiled }: Prepared): readonly Partition[] {
  if (compiled.space.kind !== 'partitions') throw new Error('not a finite class')
  return compiled.space.partitions
}

const inGroup = ({ rows }: Prepared, { tree }: Partition, row: number): boolean =>
  naiveLeaf(tree, rows, row, 0) === 0

const declared = tablesArbitrary().chain(table =>
  fc.record({
    table: fc.constant(table),
    groups: fc.array(groupArbitrary(table), { minLength: 1, maxLength: 4 }),
  }),
)

const row = (age: number | null, city: string | null, member: boolean | null, label = 0): SmallRow => ({
  age,
  city,
  member,
  label,
  score: 0.5,
  weight: 1,
  fold: 'fit',
})

const small: SmallTable = {
  rows: [
    row(24, 'Aachen', true, 1),
    row(25, 'Bonn', false),
    row(25, 'Bonn', null),
    row(26, 'Celle', true),
    row(null, 'Celle', true),
  ],
  weighted: false,
  folded: false,
}

const prepareSmall = (...specs: GroupSpec[]) => prepare(small, groups(specs), 'table', MANY_BINS)
const wordsOf = (...specs: GroupSpec[]) => partitionsOf(prepareSmall(...specs)).map(({ words }) => words)

describe('the members of a group', () => {
  it('are the rows that satisfy its predicates, exactly', async () => {
    const property = fc.asyncProperty(declared, async given => {
      const prepared = prepare(given.table, groups(given.groups.map(group => group.spec)), 'table', MANY_BINS)
      const [everyone, ...partitions] = partitionsOf(prepared)
      const rows = await countedRows(prepared)
      expect(everyone.words).toBe('everyone')
      expect(rows.every(({ row }) => inGroup(prepared, everyone, row))).toBe(true)
      expect(partitions.length).toBe(given.groups.length)
      partitions.forEach((partition, index) => {
        const expected = rows.map(({ values }) => isMember(given.groups[index], values))
        expect(rows.map(({ row }) => inGroup(prepared, partition, row))).toEqual(expected)
        expect(partition.indicator).toBe(true)
      })
    })
    await fc.assert(property, { numRuns: 300 })
  })

  const thresholds: [Predicate, number[]][] = [
    [{ column: 'age', below: 25 }, [0]],
    [{ column: 'age', atMost: 25 }, [0, 1, 2]],
    [{ column: 'age', atLeast: 25 }, [1, 2, 3]],
    [{ column: 'age', above: 25 }, [3]],
    [{ column: 'age', is: 25 }, [1, 2]],
    [{ column: 'age', below: 25.5 }, [0, 1, 2]],
    [{ column: 'age', above: 1000 }, []],
    [{ column: 'age', missing: true }, [4]],
    [{ column: 'age', missing: false }, [0, 1, 2, 3]],
    [{ column: 'city', in: ['Aachen', 'Celle'] }, [0, 3, 4]],
    [{ column: 'member', is: true }, [0, 3, 4]],
    [{ column: 'member', in: [false] }, [1]],
  ]

  it.each(thresholds)('of %o are the rows %o', (predicate, expected) => {
    const prepared = prepareSmall(predicate)
    const members = range(5).filter(row => inGroup(prepared, partitionsOf(prepared)[1], row))
    expect(members).toEqual(expected)
    expect(small.rows.flatMap((each, index) => (holds(predicate, each) ? [index] : []))).toEqual(expected)
  })

  it('are exact although the cuts are few', () => {
    const rows = range(40).map(index => row(index, null, null, index % 2))
    const prepared = prepare({ ...small, rows }, groups([{ column: 'age', below: 17 }]), 'table', FEW_BINS)
    const members = range(40).filter(index => inGroup(prepared, partitionsOf(prepared)[1], index))
    expect(members).toEqual(range(17))
  })
})

describe('a column name', () => {
  it('stands for one group per value, which part the rows among them', async () => {
    const property = fc.asyncProperty(tablesArbitrary(), async table => {
      for (const column of ['age', 'city', 'member'] as const) {
        const prepared = prepare(table, groups([column]), 'table', MANY_BINS)
        const partitions = partitionsOf(prepared).slice(1)
        const rows = await countedRows(prepared)
        const memberships = rows.map(({ row }) => partitions.filter(each => inGroup(prepared, each, row)))
        for (const memberOf of memberships) expect(memberOf.length).toBe(1)
        rows.forEach(({ values }, i) => {
          const same = (j: number) => values[column] === rows[j].values[column]
          rows.forEach((_, j) => {
            expect(memberships[i][0] === memberships[j][0]).toBe(same(j))
          })
        })
      }
    })
    await fc.assert(property, { numRuns: 50 })
  })

  it('has a group for missing values only where there are any', () => {
    expect(wordsOf('age')).toEqual(['everyone', 'age <= 24', 'age = 25', 'age >= 26', 'age is missing'])
    expect(wordsOf('city')).toEqual(['everyone', 'city = Aachen', 'city = Bonn', 'city = Celle'])
    expect(wordsOf('member')).toEqual(['everyone', 'member = false', 'member = true', 'member is missing'])
  })

  it('stands for coarse bins where there are more values', () => {
    const rows = range(40).map(index => row(index, null, null, index % 2))
    const prepared = prepare({ ...small, rows }, groups(['age']), 'table', {
      bins: 20,
      coarseBins: 4,
      rare: 0,
    })
    const partitions = partitionsOf(prepared).slice(1)
    expect(partitions.length).toBe(4)
    for (const index of range(40)) {
      expect(partitions.filter(each => inGroup(prepared, each, index)).length).toBe(1)
    }
  })

  it('of a number that is always the same stands for the rows that know it', () => {
    const rows = [row(30, null, null, 1), row(30, null, null), row(null, null, null)]
    const prepared = prepare({ ...small, rows }, groups(['age']), 'table', MANY_BINS)
    expect(partitionsOf(prepared).map(({ words }) => words)).toEqual([
      'everyone',
      'age is known',
      'age is missing',
    ])
    const [, known, missing] = partitionsOf(prepared)
    expect(range(3).filter(index => inGroup(prepared, known, index))).toEqual([0, 1])
    expect(range(3).filter(index => inGroup(prepared, missing, index))).toEqual([2])
  })
})

describe('the words for a group', () => {
  it('are its own name, or its conditions', () => {
    const where: Predicate[] = [
      { column: 'age', below: 25 },
      { column: 'city', is: 'Aachen' },
    ]
    expect(wordsOf({ name: 'the young of Aachen', where }, where, where[0])).toEqual([
      'everyone',
      'the young of Aachen',
      'age < 25 and city = Aachen',
      'age < 25',
    ])
  })
})

describe('pairs', () => {
  const columnsOf = ({ where }: DeclaredGroup) => where.map(predicate => predicate.column)

  it('add the overlap of every two groups on different columns, after all groups', async () => {
    const property = fc.asyncProperty(declared, async given => {
      const specs = given.groups.map(group => group.spec)
      const prepared = prepare(given.table, groups(specs, { pairs: true }), 'table', MANY_BINS)
      const overlaps = given.groups.flatMap((one, index) =>
        given.groups
          .slice(index + 1)
          .filter(other => !columnsOf(one).some(column => columnsOf(other).includes(column)))
          .map(other => (values: SmallRow) => isMember(one, values) && isMember(other, values)),
      )
      const added = partitionsOf(prepared).slice(1 + specs.length)
      const rows = await countedRows(prepared)
      expect(added.length).toBe(overlaps.length)
      added.forEach((partition, index) => {
        expect(rows.map(({ row }) => inGroup(prepared, partition, row))).toEqual(
          rows.map(({ values }) => overlaps[index](values)),
        )
      })
    })
    await fc.assert(property)
  })

  it('are named by both conditions', () => {
    const prepared = prepare(
      small,
      groups(['member', { column: 'age', below: 25 }], { pairs: true }),
      'table',
      MANY_BINS,
    )
    expect(partitionsOf(prepared).map(({ words }) => words)).toEqual([
      'everyone',
      'member = false',
      'member = true',
      'member is missing',
      'age < 25',
      'member = false and age < 25',
      'member = true and age < 25',
      'member is missing and age < 25',
    ])
  })
})

describe('required cuts', () => {
  it('are the thresholds of all predicates, those of "less than" just below', () => {
    const auditors = groups([
      'city',
      { column: 'age', atMost: 10 },
      [
        { column: 'age', below: 20 },
        { column: 'income', above: 5 },
      ],
      { name: 'exactly 30', where: [{ column: 'age', is: 30 }] },
      { column: 'age', atLeast: 40 },
      { column: 'city', is: 'Bonn' },
      { column: 'height', missing: true },
    ])
    expect([...requiredCuts(auditors)]).toEqual([
      ['age', [10, nextDown(20), nextDown(30), 30, nextDown(40)]],
      ['income', [5]],
    ])
  })
})

describe('a wrong group', () => {
  it('on an unknown column is refused with the nearest name', () => {
    for (const spec of ['agee', { column: 'agee', below: 3 }]) {
      const { code, message } = rejectionOf(() => prepareSmall(spec))
      expect(code).toBe('FB_COLUMN_UNKNOWN')
      expect(message).toContain('no feature "agee" for a group. Did you mean "age"?')
    }
  })

  it('of an unknown category is refused with the nearest one', () => {
    const { code, details, message } = rejectionOf(() => prepareSmall({ column: 'city', is: 'Bon' }))
    expect(code).toBe('FB_OPTION_VALUE')
    expect(details.column).toBe('city')
    expect(message).toContain('no group can be made of "Bon". Did you mean "Bonn"?')
  })

  it('of a rare category is refused with a way to keep it', () => {
    const cityOf = (index: number) => ['Aachen', 'Celle'][index] ?? 'Bonn'
    const rows = range(40).map(index => row(null, cityOf(index), null, index % 2))
    const auditors = groups([{ column: 'city', in: ['Bonn', 'Aachen'] }])
    const refused = rejectionOf(() =>
      prepare({ ...small, rows }, auditors, 'table', { ...MANY_BINS, rare: 0.1 }),
    )
    expect(refused.code).toBe('FB_OPTION_VALUE')
    expect(refused.message).toContain('This category is rare and shares a bin with others; pass rare: 0')
    expect(() => prepare({ ...small, rows }, auditors, 'table', MANY_BINS)).not.toThrow()
    const together = groups([{ column: 'city', notIn: ['Celle', 'Aachen'] }])
    const pooled = prepare({ ...small, rows }, together, 'table', { ...MANY_BINS, rare: 0.1 })
    const members = range(40).filter(at => inGroup(pooled, partitionsOf(pooled)[1], at))
    expect(members).toEqual(range(40).slice(2))
  })

  const wrongKinds: [string, Predicate][] = [
    ['an empty list of values', { column: 'city', in: [] }],
    ['a threshold on a category', { column: 'city', below: 3 }],
    ['a threshold on a boolean', { column: 'member', atLeast: 1 }],
    ['a number as a category', { column: 'city', is: 3 }],
    ['a number in a list of categories', { column: 'city', in: [3] }],
    ['a string as a boolean', { column: 'member', is: 'true' }],
    ['a boolean as a category', { column: 'city', is: true }],
    ['a string as a number', { column: 'age', is: '25' }],
    ['a list of numbers', { column: 'age', in: [24, 25] }],
    ['a list of one number', { column: 'age', in: [25] }],
    ['a missing value as a number', { column: 'age', is: null }],
  ]

  it.each(wrongKinds)('with %s is refused', (_, predicate) => {
    expect(rejectionOf(() => prepareSmall(predicate)).code).toBe('FB_COLUMN_KIND')
  })

  it('with a threshold on a category is refused by any encoding, whatever it was learned for', () => {
    const { features } = prepareSmall('city').encoding
    const refused = rejectionOf(() => compileGroups(groups([{ column: 'city', below: 3 }]), features))
    expect(refused.code).toBe('FB_COLUMN_KIND')
    expect(refused.message).toContain('a categorical column cannot be tested against a threshold.')
  })

  it('with a threshold that the encoding has no cut for is refused, rather than moved to the next cut', () => {
    const { features } = prepareSmall({ column: 'age', below: 25 }).encoding
    const compile = (predicate: Predicate) => compileGroups(groups([predicate]), features)
    expect(() => compile({ column: 'age', atLeast: 25 })).not.toThrow()
    // Between two whole numbers, one cut is as good as another.
    expect(compile({ column: 'age', below: 25.25 })[1].path).toEqual(
      compile({ column: 'age', atMost: 25 })[1].path,
    )
    const refused = rejectionOf(() => compile({ column: 'age', below: 28 }))
    expect(refused.code).toBe('FB_OPTION_VALUE')
    expect(refused.message).toContain(
      'is not a cut of this column. Thresholds become cuts when a model is fitted',
    )
  })

  it('of the wrong kind says what its column can be tested against', () => {
    expect(rejectionOf(() => prepareSmall({ column: 'city', is: true })).message).toBe(
      'FB_COLUMN_KIND column "city": a categorical column cannot be tested against the value true. Numbers take atMost, below, atLeast, above or is; categories and booleans take is or in.',
    )
  })
})

describe('groups beyond number', () => {
  it('are refused at once', () => {
    const specs = (count: number): GroupSpec[] => Array(count).fill({ column: 'age', below: 21 })
    expect(groups(specs(10_000)).groups).toHaveLength(10_000)
    expect(() => groups(specs(10_001))).toThrow(
      'FB_OPTION_VALUE groups: 10,001 groups are declared. Expected at most 10,000, where one that names a column counts once.',
    )
  })
})
