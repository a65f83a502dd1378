import { describe, expect, it } from 'vitest'
import { countRows, heldParts, lastThird } from '../../../src/boost/groups/heldParts.ts'

/** Parts of so many rows each. */
const partsOf = (...counts: number[]) => ({
  part: Uint8Array.from(counts.flatMap((count, part) => new Array<number>(count).fill(part))),
})

describe('parts that are held back', () => {
  it('are the last third, and one where there are few', () => {
    const held = (count: number) => lastThird(partsOf(...new Array<number>(count).fill(2)))
    expect(held(2)).toEqual([1])
    expect(held(3)).toEqual([2])
    expect(held(4)).toEqual([3])
    expect(held(5)).toEqual([4])
    expect(held(6)).toEqual([5, 4])
    expect(held(8)).toEqual([7, 6])
    expect(held(9)).toEqual([8, 7, 6])
  })

  it('are those that are not needed to have enough rows', () => {
    const rows = partsOf(3, 4, 5, 6)
    expect(heldParts(rows, 2)).toEqual([1, 2, 3])
    expect(heldParts(rows, 3)).toEqual([1, 2, 3])
    expect(heldParts(rows, 4)).toEqual([2, 3])
    expect(heldParts(rows, 7)).toEqual([2, 3])
    expect(heldParts(rows, 8)).toEqual([3])
    expect(heldParts(rows, 12)).toEqual([3])
  })

  it('are none where all rows are needed, or are too few', () => {
    expect(heldParts(partsOf(3, 4), 5)).toEqual([])
    expect(heldParts(partsOf(3, 4), 7)).toEqual([])
    expect(heldParts(partsOf(3, 4), 8)).toEqual([])
    expect(heldParts(partsOf(3, 4))).toEqual([])
  })

  it('have as many rows as are in them', () => {
    const rows = partsOf(3, 4, 5)
    expect(countRows(rows, [])).toBe(0)
    expect(countRows(rows, [1])).toBe(4)
    expect(countRows(rows, [2, 0])).toBe(8)
  })
})
