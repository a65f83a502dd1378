import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawMaxima, rankPValue } from '../../../src/audit/worst/nullMaximum.ts'

const maxima = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 40, maxLength: 40 })

/** A draw that may end early gives anything from `enough` to its true maximum. */
const drawFrom = (squares: readonly number[]) => async (draw: number, enough?: number) =>
  enough !== undefined && squares[draw] >= enough ? enough : squares[draw]

describe('draws of the noise', () => {
  it('give the same p-value whether draws that have reached the observed square end early or not', async () => {
    await fc.assert(
      fc.asyncProperty(maxima, fc.integer({ min: 0, max: 20 }), async (squares, observed) => {
        const options = { limit: 40, enough: 5, signal: undefined }
        const early = await drawMaxima(drawFrom(squares), observed, options)
        const whole = await drawMaxima(async draw => squares[draw], observed, options)
        expect(early.squares.length).toBe(whole.squares.length)
        // Of a lesser square, too: whatever reached the largest has reached it.
        for (const square of [observed, observed / 2]) {
          expect(rankPValue(early, square, 5)).toBe(rankPValue(whole, square, 5))
        }
        // Maxima behind a critical value are whole ones.
        if (whole.squares.length > 5) expect(early).toEqual(whole)
      }),
    )
  })

  it('give a rank, or, where enough have reached a square, the share that did', () => {
    const squares = [5, 3, 8, 1]
    expect(rankPValue({ squares }, 8, 3)).toBe(2 / 5)
    expect(rankPValue({ squares }, 8.1, 3)).toBe(1 / 5)
    expect(rankPValue({ squares }, 4, 3)).toBe(3 / 5)
    expect(rankPValue({ squares }, 3, 3)).toBe(3 / 4)
    expect(rankPValue({ squares }, 0, 3)).toBe(1)
    expect(rankPValue({ squares: [] }, 1, 3)).toBe(1)
  })

  it('end as soon as enough have reached the observed square, and are told one by one where they do not end early', async () => {
    const squares = [9, 1, 9, 9, 1, 9]
    const asked: [number, number | undefined][] = []
    const told: number[] = []
    const draw = async (each: number, enough?: number) => {
      asked.push([each, enough])
      return squares[each]
    }
    const options = { enough: 3, limit: 6, signal: undefined, onDraw: (done: number) => void told.push(done) }
    expect(await drawMaxima(draw, 9, options)).toEqual({ squares: [9, 1, 9, 9] })
    expect(told).toEqual([1, 2, 3, 4])
    // The second does not reach it: then all are drawn to their end, from the first on.
    expect(asked).toEqual(
      [0, 1].map(each => [each, 9] as const).concat([0, 1, 2, 3].map(each => [each, undefined] as never)),
    )
    const quick = await drawMaxima(async () => 9, 9, options)
    expect(quick.squares).toEqual([9, 9, 9])
    expect(told).toHaveLength(4)
    // As many as are enough, where there is room for just these; with less room none ends early.
    expect((await drawMaxima(async () => 9, 9, { ...options, limit: 3 })).squares).toEqual([9, 9, 9])
    asked.length = 0
    await drawMaxima(draw, 9, { ...options, limit: 2 })
    expect(asked).toEqual([
      [0, undefined],
      [1, undefined],
    ])
  })

  it('can be cancelled, those that end early and those that do not', async () => {
    const signal = { aborted: true }
    for (const limit of [2, 20])
      await expect(drawMaxima(async () => 9, 1, { enough: 3, limit, signal })).rejects.toMatchObject({
        code: 'FB_ABORTED',
      })
  })

  it('end at the limit, and make none where there is nothing to draw for', async () => {
    const drawn = await drawMaxima(async () => 0, 1, { limit: 7, enough: 10, signal: undefined })
    expect(drawn.squares).toHaveLength(7)
    expect(rankPValue(drawn, 1, 10)).toBe(1 / 8)
    expect((await drawMaxima(async () => 0, 1, { limit: 0, enough: 10, signal: undefined })).squares).toEqual(
      [],
    )
  })
})
