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

  it('end at the limit, and make none where there is nothing to draw for', async () => {
    const drawn = await drawMaxima(async () => 0, 1, { limit: 7, enough: 10, signal: undefined })
    expect(drawn.squares).toHaveLength(7)
    expect(rankPValue(drawn, 1, 10)).toBe(1 / 8)
    expect((await drawMaxima(async () => 0, 1, { limit: 0, enough: 10, signal: undefined })).squares).toEqual(
      [],
    )
  })
})
