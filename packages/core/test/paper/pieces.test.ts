// Claims 6.5 and 6.6: what linear updates can make of a line, and how far from calibrated it stays.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromUnits, ONE, toUnits } from '../../src/common/units.ts'
import { continuousCalibrationError } from '../../src/measures/class/calibration.ts'
import { makeMover } from '../../src/update/move.ts'
import type { LinearUpdate } from '../../src/update/update.ts'

/** A linear piece nu x + beta on [from, to). */
interface Piece {
  readonly from: number
  readonly to: number
  readonly slope: number
  readonly offset: number
}

const valueAt = (piece: Piece, x: number): number => piece.slope * x + piece.offset

/** Cuts a piece where its value passes a bound. */
function cutAt(piece: Piece, bound: number): Piece[] {
  const x = (bound - piece.offset) / piece.slope
  return x > piece.from && x < piece.to
    ? [
        { ...piece, to: x },
        { ...piece, from: x },
      ]
    : [piece]
}

const middle = (piece: Piece): number => valueAt(piece, (piece.from + piece.to) / 2)

/** clip(f + 1(f in S)(nu x + beta)), piece by piece, exactly as the claim's proof divides it. */
function applyToPieces(pieces: readonly Piece[], update: LinearUpdate): Piece[] {
  const level = update.coefficients.findIndex(value => value !== 0) >> 1
  const [beta, nu] = update.coefficients.slice(2 * level, 2 * level + 2)
  const [low, high] = [level / update.levels, (level + 1) / update.levels]
  return pieces
    .flatMap(piece => cutAt(piece, low))
    .flatMap(piece => cutAt(piece, high))
    .flatMap(piece => {
      const value = middle(piece)
      if (value < low || (value >= high && high < 1)) return [piece]
      const moved = { ...piece, slope: piece.slope + nu, offset: piece.offset + beta }
      return cutAt(moved, 0)
        .flatMap(part => cutAt(part, 1))
        .map(part => {
          if (middle(part) < 0) return { ...part, slope: 0, offset: 0 }
          return middle(part) > 1 ? { ...part, slope: 0, offset: 1 } : part
        })
    })
}

const updateArbitrary: fc.Arbitrary<LinearUpdate> = fc
  .record({
    levels: fc.integer({ min: 1, max: 4 }),
    level: fc.integer({ min: 0, max: 3 }),
    beta: fc.double({ min: -1, max: 1, noNaN: true }).filter(value => Math.abs(value) > 1e-3),
    nu: fc.double({ min: -3, max: 3, noNaN: true }).filter(value => Math.abs(value) > 1e-3),
  })
  .map(({ levels, level, beta, nu }) => {
    const coefficients = new Array<number>(2 * levels).fill(0)
    coefficients[2 * (level % levels)] = beta
    coefficients[2 * (level % levels) + 1] = nu
    return { kind: 'linear', signals: [0, 1], levels, coefficients }
  })

describe('linear updates (Claim 6.5)', () => {
  it('make at most 5^t linear pieces in t rounds, and predict what the pieces say', () => {
    const points = Array.from({ length: 200 }, (_, index) => (index + 0.5) / 200)
    const line = fc.record({
      slope: fc.double({ min: -1, max: 1, noNaN: true }).filter(value => Math.abs(value) > 1e-3),
      start: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    fc.assert(
      fc.property(
        line,
        fc.array(updateArbitrary, { minLength: 1, maxLength: 4 }),
        ({ slope, start }, updates) => {
          const offset = Math.max(0, -slope) + start * (1 - Math.abs(slope))
          let pieces: Piece[] = [{ from: 0, to: 1, slope, offset }]
          let predictions = points.map(x => toUnits(Math.min(1, Math.max(0, slope * x + offset))))
          updates.forEach((update, t) => {
            pieces = applyToPieces(pieces, update)
            expect(pieces.length).toBeLessThanOrEqual(5 ** (t + 1))
            const move = makeMover(update, [])
            predictions = predictions.map((prediction, row) =>
              move(
                [],
                [Int32Array.of(ONE), Int32Array.of(toUnits(points[row]))].map(repeat(row)),
                row,
                prediction,
              ),
            )
          })
          const agreeing = points.filter((x, row) => {
            const piece = pieces.find(candidate => x >= candidate.from && x < candidate.to)!
            return Math.abs(valueAt(piece, x) - fromUnits(predictions[row])) < 1e-5
          })
          // A point within rounding of a breakpoint may fall on its other side.
          expect(agreeing.length).toBeGreaterThanOrEqual(points.length - pieces.length)
        },
      ),
    )
  })
})

/** A one-element signal seen at any row. */
const repeat =
  (row: number) =>
  (signal: Int32Array): Int32Array => {
    const seen = new Int32Array(row + 1)
    seen[row] = signal[0]
    return seen
  }

describe('a piecewise linear function close to x on the noisy example (Claim 6.6)', () => {
  const rows = 20_000
  const oscillations = 2_000
  const x = Float64Array.from({ length: rows }, (_, row) => (row + 0.5) / rows)
  const truthFor = (strength: number) =>
    x.map((value, row) => {
      const noise = Math.min(strength, value, 1 - value)
      return Math.floor((row * oscillations) / rows) % 2 === 0 ? value + noise : value - noise
    })

  it('has calibration error zeta - zeta^2 for f(x) = x: the printed bound forgets that the noise fades at the ends', () => {
    for (const strength of [0.05, 0.1, 0.3]) {
      const error = continuousCalibrationError(x, truthFor(strength))
      expect(error).toBeCloseTo(strength - strength ** 2, 4)
      expect(error).toBeLessThan(strength) // the printed bound with one piece, lambda = omega = 0
    }
  })

  it('stays above (1 - wP - 10lP)(zeta - 2l) - zeta^2 - wP for P pieces within l of x', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.double({ min: 0, max: 0.004, noNaN: true }),
        fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 6, maxLength: 6 }),
        fc.constantFrom(0.1, 0.2, 0.3),
        (pieces, closeness, shifts, strength) => {
          const fitted = x.map(value => {
            const piece = Math.min(pieces - 1, Math.floor(value * pieces))
            return Math.min(1, Math.max(0, value + closeness * shifts[piece]))
          })
          const error = continuousCalibrationError(fitted, truthFor(strength))
          const lost = 10 * closeness * pieces
          const bound = (1 - lost) * (strength - 2 * closeness) - strength ** 2
          expect(error).toBeGreaterThanOrEqual(bound - 1e-3)
        },
      ),
      { numRuns: 40 },
    )
  })
})
