import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeRandom } from '../../src/common/random.ts'
import { COPIES, type Copies } from '../../src/data/copies.ts'
import { assignRoles } from '../../src/data/roles.ts'
import { RowHasher } from '../../src/data/rowHash.ts'
import { checkHoldout, splitByHash } from '../../src/data/split.ts'
import {
  type Column,
  type ColumnInput,
  makeTable,
  tableFromRows,
  type Value,
  valueAt,
} from '../../src/data/table.ts'
import { rejectionOf } from './rejection.ts'

const split = (
  columns: Record<string, ColumnInput>,
  fraction = 0.5,
  seed = 1,
  copies: Copies = 'one',
): Uint8Array => {
  const table = makeTable(columns)
  return splitRows(table.columns, fraction, seed, copies)
}
function splitRows(features: readonly Column[], fraction: number, seed: number, copies: Copies): Uint8Array {
  checkHoldout({ fraction, seed })
  const none = { prediction: undefined, weight: undefined, fold: undefined, group: undefined }
  const hashes = new RowHasher(seed, copies).hash({ label: features[0], features, ...none })
  return splitByHash(hashes, { fraction, seed })
}
const heldOut = (fold: Uint8Array): number => fold.reduce((sum, side) => sum + side, 0)
const numbers = (count: number) => Float64Array.from({ length: count }, (_, i) => i)

/** Each row's content with its side, sorted: equal for two splits that only differ in the order of rows. */
function sidesOf(rows: readonly Record<string, Value>[], seed: number, copies: Copies): string[] {
  const table = tableFromRows(rows)
  const order = table.columns.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const fold = splitRows(order, 0.4, seed, copies)
  return Array.from(fold, (side, row) => JSON.stringify([order.map(one => valueAt(one, row)), side])).sort()
}

describe('a split', () => {
  it.each(COPIES)('does not depend on the order of rows, copies being %s', copies => {
    const row = fc.record({
      n: fc.constantFrom(0, 1.5, -3, null),
      b: fc.constantFrom(true, false, null),
      c: fc.constantFrom('a', 'b', '', null),
    })
    const shuffled = fc
      .array(row, { minLength: 1, maxLength: 40 })
      .map(some => [{ n: 1, b: true, c: 'a' }, ...some])
      .chain(rows => fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })))
    fc.assert(
      fc.property(shuffled, fc.integer(), ([rows, other], seed) => {
        expect(sidesOf(other, seed, copies)).toEqual(sidesOf(rows, seed, copies))
      }),
    )
  })

  it.each([0.1, 0.25, 0.5, 0.9])('holds out near the fraction %d', fraction => {
    const share = heldOut(split({ x: numbers(20_000) }, fraction)) / 20_000
    expect(Math.abs(share - fraction)).toBeLessThan(0.015)
  })

  it.each([0.1, 0.5, 0.9])(
    'spreads independent copies of one row over both sides, near the fraction %d',
    fraction => {
      const x = new Float64Array(20_000).fill(3)
      const share = heldOut(split({ x }, fraction, 1, 'independent')) / 20_000
      expect(Math.abs(share - fraction)).toBeLessThan(0.015)
    },
  )

  it('keeps copies of one row on one side where they are one', () => {
    const fold = split({ x: Float64Array.from({ length: 20_000 }, (_, i) => i % 4000) }, 0.3)
    for (let row = 4000; row < fold.length; row++) expect(fold[row]).toBe(fold[row % 4000])
    expect(Math.abs(heldOut(fold) / 20_000 - 0.3)).toBeLessThan(0.03)
  })

  it('is even within each of many small values of one column', () => {
    const random = makeRandom(5)
    const x = Float64Array.from({ length: 20_000 }, () => random.integer(10))
    const z = Float64Array.from({ length: 20_000 }, () => random.next())
    const fold = split({ x, z }, 0.3)
    for (let value = 0; value < 10; value++) {
      const rows = [...fold.keys()].filter(row => x[row] === value)
      const share = rows.filter(row => fold[row] === 1).length / rows.length
      expect(Math.abs(share - 0.3)).toBeLessThan(0.05)
    }
  })

  it('is the same for the same seed and independent for another, also beyond 32 bits', () => {
    const x = numbers(10_000)
    expect(split({ x }, 0.5, 7)).toEqual(split({ x }, 0.5, 7))
    for (const seed of [8, -7, 7 + 2 ** 32]) {
      const other = split({ x }, 0.5, seed)
      const same = split({ x }, 0.5, 7).filter((side, row) => side === other[row]).length
      expect(Math.abs(same / 10_000 - 0.5)).toBeLessThan(0.03)
    }
  })

  it.each([
    ['numbers', [1, 2]],
    ['high halves of numbers', [1, -1]],
    ['low halves of numbers', [1, 1 + 2 ** -52]],
    ['strings', ['ab', 'ba']],
    ['string lengths', ['a', 'a\0']],
    ['booleans', [true, false]],
    ['0 and missing', [0, null]],
    ['false and missing', [false, null]],
  ])('hashes the content of rows: it tells %s apart', (_, [one, other]) => {
    // Both values stand at the end, so that the column has its kind even where the rest is missing.
    const side = (value: Value) =>
      split({ x: numbers(2002), v: [...Array<Value>(2000).fill(value), one, other] }).subarray(0, 2000)
    const second = side(other)
    const same = side(one).filter((fold, row) => fold === second[row]).length
    expect(same).toBeGreaterThan(800)
    expect(same).toBeLessThan(1200)
  })

  it('takes 0 and -0 for the same value', () => {
    const x = numbers(500)
    const zeros = new Float64Array(500)
    expect(split({ x, z: zeros.map(() => -0) })).toEqual(split({ x, z: zeros }))
  })

  it('takes the prediction into the content of a row; label and weight only where copies are independent', () => {
    const count = 2000
    const flags = Array.from({ length: count }, (_, i) => i % 2)
    const table = (swap: string) =>
      makeTable({
        x: numbers(count),
        y: flags.map(flag => (swap === 'y' ? 1 - flag : flag)),
        p: flags.map(flag => (swap === 'p' ? 0.4 : 0.5) * flag),
        w: flags.map(flag => (swap === 'w' ? 3 : 2) + flag),
        unused: flags.map(flag => (swap === 'unused' ? 3 : 2) + flag),
      })
    const roles = { label: 'y', prediction: 'p', weight: 'w', except: ['unused'] }
    const fold = (swap: string, copies: Copies = 'one') =>
      assignRoles(table(swap), { ...roles, copies }, { fraction: 0.5, seed: 1 }).fold!
    expect(fold('p')).not.toEqual(fold(''))
    for (const swap of ['y', 'w', 'unused']) expect(fold(swap)).toEqual(fold(''))
    for (const swap of ['y', 'p', 'w']) expect(fold(swap, 'independent')).not.toEqual(fold('', 'independent'))
    expect(fold('unused', 'independent')).toEqual(fold('', 'independent'))
    expect(heldOut(fold(''))).toBeGreaterThan(900)
  })

  it.each([0, 1, -0.5, 1.5, Number.NaN, '0.5'])('rejects the fraction %s', fraction => {
    const error = rejectionOf(() => split({ x: [1, 2] }, fraction as number))
    expect(error.code).toBe('FB_OPTION_VALUE')
    expect(error.message).toContain('the holdout fraction is')
  })

  it.each([0.5, Number.NaN, 2 ** 53, '1'])('rejects the seed %s', seed => {
    const error = rejectionOf(() => split({ x: [1, 2] }, 0.5, seed as number))
    expect(error.code).toBe('FB_OPTION_VALUE')
    expect(error.message).toContain('the holdout seed is')
  })
})
