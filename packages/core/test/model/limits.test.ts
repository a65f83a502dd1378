// What the reader of model files takes and what it does not, at the very ends of every range.

import { describe, expect, it } from 'vitest'
import { MAX_SCALE, MAX_STEP } from '../../src/common/logistic.ts'
import { ONE } from '../../src/common/units.ts'
import { MAX_BINS, MAX_LEVELS } from '../../src/model/data.ts'
import { readAuditors, readEncoding, readPredicate, readRounding } from '../../src/model/parts.ts'
import { strictlyAscending, text, yes } from '../../src/model/shape.ts'
import { readForestTree, readRoundUpdate, readUpdate } from '../../src/model/updates.ts'
import type { Encoding } from '../../src/quantize/encoding.ts'
import { rejectionOf } from '../data/rejection.ts'

/** Bins of age: four of values, and missing; of city: two and missing; of flag: two and missing. */
const ENCODING: Encoding = {
  features: [
    { name: 'age', kind: 'numeric', missing: false, cuts: [10, 20, 30], coarse: [1] },
    { name: 'city', kind: 'categorical', missing: true, categories: ['a', 'b'], pooled: [], coarse: [0, 1] },
    { name: 'flag', kind: 'boolean', missing: false },
  ],
  signals: [{ kind: 'one' }, { kind: 'function', name: 'age' }],
  functions: ['age'],
}

/** Reads these, and refuses those at their places. */
function expectEnds(
  read: (value: unknown) => unknown,
  taken: readonly unknown[],
  refused: readonly unknown[],
) {
  for (const value of taken) expect(read(value)).toEqual(value)
  for (const value of refused) expect(rejectionOf(() => read(value)).code).toBe('FB_MODEL_FORMAT')
}

const update = (value: unknown) => readUpdate(value, 'u', ENCODING)

describe('updates', () => {
  it('of tables have values within one, and some levels, but not too many', () => {
    const table = (levels: number, values: readonly number[]) => ({
      kind: 'table',
      tree: { leaf: 0 },
      levels,
      values,
    })
    const many = new Array<number>(MAX_LEVELS).fill(0)
    expectEnds(
      update,
      [table(1, [ONE]), table(2, [-ONE, 0]), table(MAX_LEVELS, many)],
      [table(1, [ONE + 1]), table(1, [-ONE - 1]), table(0, []), table(MAX_LEVELS + 1, [...many, 0])],
    )
    const round = (value: unknown) => readRoundUpdate(value, 'u', ENCODING)
    expectEnds(round, [table(1, [0])], [{ kind: 'curve', from: [0, ONE], to: [0, ONE] }])
  })

  it('of linear functions have signals that there are, and coefficients that do not overflow', () => {
    const linear = (signals: number[], levels: number, coefficients: number[]) => ({
      ...{ kind: 'linear', signals, levels, coefficients },
    })
    const round = (value: unknown) => readRoundUpdate(value, 'u', ENCODING)
    expectEnds(
      round,
      [
        linear([0], 1, [1e100]),
        linear([1], 2, [-1e100, 0.5]),
        linear([0, 1], 2, [1, 2, 3, 4]),
        linear([], 1, []),
      ],
      [
        linear([2], 1, [0]),
        linear([-1], 1, [0]),
        linear([0], 1, [1.01e100]),
        linear([0], 1, [-1.01e100]),
        linear([0], 0, []),
        linear([0], MAX_LEVELS + 1, new Array<number>(MAX_LEVELS + 1).fill(0)),
        linear([0, 1], 2, [1, 2, 3]),
      ],
    )
  })

  it('of forests have clips, scales and steps within their ranges', () => {
    const forest = (clip: number, more: object = {}, steps = [0]) => ({
      ...{ kind: 'forest', clip, trees: [{ tree: { leaf: 0 }, steps }] },
      ...more,
    })
    const identity = { link: 'identity' }
    expectEnds(
      update,
      [
        ...[forest(1), forest(ONE / 2), forest(0, identity), forest(1, { scale: MAX_SCALE })],
        ...[forest(1, { scale: -MAX_SCALE }), forest(1, {}, [MAX_STEP]), forest(1, {}, [-MAX_STEP])],
      ],
      [
        ...[forest(0), forest(ONE / 2 + 1), forest(-1, identity), forest(1, { scale: MAX_SCALE + 1 })],
        ...[
          forest(1, { scale: -MAX_SCALE - 1 }),
          forest(1, {}, [MAX_STEP + 1]),
          forest(1, {}, [-MAX_STEP - 1]),
        ],
        ...[forest(1, { ...identity, scale: 1 }), forest(1, {}, [0, 0]), forest(1, {}, [])],
      ],
    )
  })

  it('of forests have largest steps, of either sign, that sum to less than 2^31', () => {
    const split = { kind: 'missing', feature: 0 }
    const tree = { split, yes: { leaf: 0 }, no: { leaf: 1 } }
    const trees = (largest: number) => [
      ...Array.from({ length: 3 }, () => ({ tree, steps: [5, -MAX_STEP] })),
      { tree, steps: [largest, 0] },
    ]
    // MAX_STEP is 2^29.
    expect(MAX_STEP).toBe(2 ** 29)
    const forest = (largest: number) => ({ kind: 'forest', clip: 1, trees: trees(largest) })
    expectEnds(update, [forest(MAX_STEP - 1), forest(1 - MAX_STEP)], [forest(MAX_STEP), forest(-MAX_STEP)])
  })

  it('of curves go from 0 to one in ascending places', () => {
    const curve = (from: number[], to: number[]) => ({ kind: 'curve', from, to })
    expectEnds(
      update,
      [curve([0, ONE], [ONE, 0]), curve([0, 1, ONE], [0, 0, 0])],
      [
        ...[curve([0, ONE - 1], [0, 0]), curve([1, ONE], [0, 0]), curve([0, 0, ONE], [0, 0, 0])],
        ...[curve([0, ONE], [0]), curve([0, ONE], [0, ONE + 1]), curve([0, ONE], [-1, 0]), curve([0], [0])],
      ],
    )
  })

  it('of polynomials have a degree from 1 to 4, and terms up to 2^40', () => {
    const polynomial = (degree: number, values: number[]) => ({
      ...{ kind: 'polynomial', tree: { leaf: 0 }, degree, values },
    })
    expectEnds(
      update,
      [polynomial(1, [2 ** 40, -(2 ** 40)]), polynomial(4, [1, 2, 3, 4, 5])],
      [
        ...[polynomial(0, [1]), polynomial(5, [1, 2, 3, 4, 5, 6]), polynomial(1, [2 ** 40 + 1, 0])],
        ...[polynomial(1, [0, -(2 ** 40) - 1]), polynomial(1, [0]), polynomial(1, [0, 0, 0])],
      ],
    )
  })
})

describe('trees', () => {
  const stump = (split: unknown) => ({ tree: { split, yes: { leaf: 0 }, no: { leaf: 1 } }, steps: [1, 2] })
  const tree = (value: unknown) => readForestTree(value, 't', ENCODING)

  it('split on features and bins that there are', () => {
    const atMost = (feature: number, bin: number) => stump({ kind: 'atMost', feature, bin, missing: true })
    const among = (feature: number, ...bins: number[]) => stump({ kind: 'in', feature, bins })
    const missing = (feature: number) => stump({ kind: 'missing', feature })
    const below = (units: number) => stump({ kind: 'below', units })
    expectEnds(
      tree,
      [
        ...[atMost(0, 0), atMost(0, 4), among(1, 0, 2), among(1), among(0, 4), among(2, 2)],
        ...[missing(0), missing(2), below(0), below(ONE)],
      ],
      [
        ...[
          atMost(0, 5),
          atMost(0, -1),
          atMost(1, 0),
          atMost(2, 0),
          among(1, 0, 3),
          among(2, 3),
          among(0, 5),
        ],
        ...[missing(3), missing(-1), below(-1), below(ONE + 1), among(1, MAX_BINS + 1)],
      ],
    )
  })

  it('have leaves that are numbered without gaps, and may share a number', () => {
    const leaves = (yes: number, no: number, steps: number[]) => ({
      tree: { split: { kind: 'missing', feature: 0 }, yes: { leaf: yes }, no: { leaf: no } },
      steps,
    })
    expectEnds(
      tree,
      [leaves(1, 0, [1, 2]), leaves(0, 0, [1])],
      [leaves(0, 2, [1, 2, 3]), leaves(1, 2, [1, 2]), leaves(1, 1, [1]), leaves(0, 1, [1])],
    )
  })

  it('are up to 256 splits deep, on either side', () => {
    const deep = (depth: number, side: 'yes' | 'no') => {
      let node: object = { leaf: 0 }
      for (let level = 0; level < depth; level++) {
        const other = { leaf: 0 }
        const split = { kind: 'missing', feature: 0 }
        node = side === 'yes' ? { split, yes: node, no: other } : { split, yes: other, no: node }
      }
      return { tree: node, steps: [1] }
    }
    for (const side of ['yes', 'no'] as const) {
      expectEnds(tree, [deep(256, side)], [])
      expect(rejectionOf(() => tree(deep(257, side))).message).toContain('deeper than 256')
    }
  })

  it('have up to 1,025 leaves', () => {
    const chain = (count: number): object =>
      count === 1
        ? { leaf: 0 }
        : {
            split: { kind: 'missing', feature: 0 },
            ...{ yes: { leaf: count - 1 }, no: chain(count - 1) },
          }
    const wide = (from: number, to: number): object => {
      if (to - from === 1) return { leaf: from }
      const middle = (from + to) >> 1
      return { split: { kind: 'missing', feature: 0 }, yes: wide(from, middle), no: wide(middle, to) }
    }
    const steps = (count: number) => Array.from({ length: count }, (_, leaf) => leaf)
    expectEnds(
      tree,
      [
        { tree: chain(200), steps: steps(200) },
        { tree: wide(0, 1025), steps: steps(1025) },
      ],
      [],
    )
    expect(rejectionOf(() => tree({ tree: wide(0, 1026), steps: steps(1026) })).message).toContain(
      '0 to 1024',
    )
  })
})

describe('columns', () => {
  const encoding = (...features: object[]) => ({ features, signals: [], functions: [] })
  const read = (value: unknown) => readEncoding(value, 'e')
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)
  const names = (count: number) => upTo(count).map(index => String(1000 + index))
  const numeric = (cuts: number[], coarse: number[], more: object = {}) =>
    encoding({ kind: 'numeric', name: 'x', missing: false, cuts, coarse, ...more })
  const categorical = (categories: string[], pooled: string[], coarse: number[]) =>
    encoding({ kind: 'categorical', name: 'x', missing: false, categories, pooled, coarse })

  it('of numbers have up to 254 cuts, and coarse ones among them', () => {
    expectEnds(
      read,
      [numeric(upTo(254), [0, 253]), numeric([], []), numeric([1], [0], { whole: true, range: [2, 2] })],
      [
        ...[numeric(upTo(255), []), numeric([1, 2], [2]), numeric([1], [-1]), numeric([1, 2], [1, 0])],
        ...[numeric([], [], { range: [3, 2] }), numeric([], [], { range: [3] }), numeric([1, 1], [])],
        numeric([], [], { range: [1, 2, 3] }),
      ],
    )
  })

  it('of categories have up to 255 bins, that of rare ones included', () => {
    expectEnds(
      read,
      [categorical(names(255), [], [0, 254]), categorical(names(254), ['rare'], []), categorical([], [], [])],
      [categorical(names(256), [], []), categorical(names(255), ['rare'], []), categorical(['a'], [], [1])],
    )
  })

  it('have names of their own; signals are of columns, and of functions, that there are', () => {
    const flag = (name: string) => ({ kind: 'boolean', name, missing: false })
    const signals = (...list: object[]) => ({ features: [flag('a')], signals: list, functions: ['f'] })
    const scaled = (column: string, scale = 1) => ({ kind: 'scaled', column, center: 0, scale })
    expectEnds(
      read,
      [
        encoding(flag('a'), flag('b')),
        signals({ kind: 'one' }, { kind: 'function', name: 'f' }, scaled('a', Number.MIN_VALUE)),
        signals({ kind: 'indicator', column: 'a', value: false }, scaled('a', Number.MAX_VALUE)),
      ],
      [
        encoding(flag('a'), flag('a')),
        ...[signals(scaled('f')), signals({ kind: 'function', name: 'a' }), signals(scaled('a', 0))],
        ...[signals(scaled('a', -1)), signals({ kind: 'indicator', column: 'b', value: 'x' })],
      ],
    )
  })
})

describe('roundings', () => {
  it('have one value for each bin, within it', () => {
    const rounding = (bins: number, ...values: number[]) => ({ bins, values })
    const many = (bins: number) =>
      rounding(bins, ...Array.from({ length: bins }, (_, bin) => Math.ceil((bin * ONE) / bins)))
    expectEnds(
      value => readRounding(value, 'r'),
      [
        ...[rounding(1, 0), rounding(1, ONE), rounding(2, 0, ONE / 2), rounding(2, ONE / 2 - 1, ONE)],
        many(MAX_LEVELS),
      ],
      [
        ...[rounding(2, ONE / 2, ONE), rounding(2, 0, ONE / 2 - 1), rounding(2, 0), rounding(1, 0, ONE)],
        ...[rounding(0), rounding(1, -1), rounding(1, ONE + 1), many(MAX_LEVELS + 1)],
      ],
    )
    const { message } = rejectionOf(() => readRounding(rounding(2, ONE, ONE), 'r'))
    expect(message).toContain('outside its bin')
    expect(rejectionOf(() => readRounding(rounding(2, 0, 0), 'r')).details.path).toBe('r.values[1]')
  })
})

describe('auditors', () => {
  const read =
    (factors: 'table' | 'weighted' | 'level-sets', encoding = ENCODING) =>
    (value: unknown) =>
      readAuditors(value, 'a', encoding, factors)

  it('of trees are from 1 to 16 deep, and on some columns', () => {
    const trees = (depth: number, more: object = {}) => ({ kind: 'trees', depth, ...more })
    expectEnds(
      read('table'),
      [trees(1), trees(16), trees(2, { columns: ['age'] })],
      [trees(0), trees(17), trees(1.5), trees(2, { columns: [] })],
    )
  })

  it('of linear functions have any budget, and no level sets', () => {
    const linear = (budget: number) => ({ kind: 'linear', budget })
    expectEnds(read('table'), [linear(0), linear(0.5), linear(1e300)], [linear(-0.1)])
    expectEnds(read('level-sets'), [], [linear(1)])
  })

  it('that are functions are those of the encoding, in bins where factors need them', () => {
    const functions = (names: string[], more: object = {}) => ({
      kind: 'functions',
      functions: names,
      ...more,
    })
    const two: Encoding = { ...ENCODING, functions: ['age', 'city'] }
    expectEnds(
      read('table'),
      [functions(['age']), functions(['age'], { valueBins: 1 }), functions(['age'], { valueBins: MAX_BINS })],
      [
        ...[functions([]), functions(['city']), functions(['age', 'age'])],
        ...[functions(['age'], { valueBins: 0 }), functions(['age'], { valueBins: MAX_BINS + 1 })],
      ],
    )
    expectEnds(
      read('weighted', two),
      [functions(['age', 'city']), functions(['city', 'age'])],
      [functions(['age'])],
    )
    for (const factors of ['table', 'level-sets'] as const)
      expectEnds(read(factors, two), [], [functions(['age', 'city'])])
    expectEnds(read('weighted', { ...ENCODING, functions: [] }), [], [functions([])])
  })

  it('that are groups test a column in one way, and say what missing values do where that is open', () => {
    const of = (test: object) => ({ column: 'age', ...test })
    expectEnds(
      value => readPredicate(value, 'p'),
      [
        ...[
          of({ is: null }),
          of({ is: 1.5, orMissing: true }),
          of({ notIn: ['a', true] }),
          of({ missing: false }),
        ],
        ...[of({ below: '2021-06-01' }), of({ atLeast: '08:30', orMissing: false }), of({ above: -1 })],
      ],
      [
        ...[
          of({}),
          of({ missing: true, orMissing: true }),
          of({ is: [] }),
          of({ below: 'soon' }),
          of({ below: null }),
        ],
        ...[of({ is: 1, in: [1] }), { is: 1 }, of({ missing: 'yes' }), of({ is: Number.NaN })],
      ],
    )
  })
})

describe('shapes', () => {
  it('of keys that are there or not are true, and nothing else', () => {
    expectEnds(value => yes(value, 'y'), [true], [false, 1, 'true', null, undefined])
  })

  it('of ascending lists name the first entry that is out of place', () => {
    const read = (value: unknown) => strictlyAscending(text, 3)(value, 'l')
    expectEnds(read, [[], ['b'], ['a', 'b', 'c']], [['a', 'b', 'c', 'd']])
    expect(rejectionOf(() => read(['b', 'a'])).details.path).toBe('l[1]')
    expect(rejectionOf(() => read(['a', 'b', 'b'])).details.path).toBe('l[2]')
  })
})
