// Where updates take a prediction, by hand and by what must hold of every one.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ONE } from '../../src/common/units.ts'
import { alongCurve, applyUpdates } from '../../src/update/move.ts'
import { type CurveUpdate, ROOT, type Tree } from '../../src/update/update.ts'

const units = fc.integer({ min: 0, max: ONE })
const curves: fc.Arbitrary<CurveUpdate> = fc
  .array(fc.tuple(units, units), { maxLength: 8 })
  .map(points => new Map<number, number>([[0, 5], [ONE, ONE - 3], ...points]))
  .map(points => [...points].sort(([a], [b]) => a - b))
  .map(points => ({ kind: 'curve', from: points.map(([x]) => x), to: points.map(([, y]) => y) }))

describe('a curve', () => {
  it('goes through its points, and stays between two of them', () => {
    fc.assert(
      fc.property(curves, units, (curve, u) => {
        curve.from.forEach((x, place) => {
          expect(alongCurve(curve, x)).toBe(curve.to[place])
        })
        const next = curve.from.findIndex(x => x >= u)
        const neighbours = [curve.to[Math.max(0, next - 1)], curve.to[next]]
        expect(alongCurve(curve, u)).toBeGreaterThanOrEqual(Math.min(...neighbours))
        expect(alongCurve(curve, u)).toBeLessThanOrEqual(Math.max(...neighbours))
      }),
    )
  })

  it('rounds halves up, on the way up and on the way down', () => {
    const up: CurveUpdate = { kind: 'curve', from: [0, 2, ONE], to: [0, 1, 1] }
    const down: CurveUpdate = { kind: 'curve', from: [0, 2, ONE], to: [1, 0, 0] }
    expect([alongCurve(up, 1), alongCurve(down, 1)]).toEqual([1, 1])
  })

  it('jumps between two neighbours one unit apart', () => {
    const step: CurveUpdate = { kind: 'curve', from: [0, 99, 100, ONE], to: [7, 7, ONE, ONE] }
    expect([0, 99, 100, ONE].map(u => alongCurve(step, u))).toEqual([7, 7, ONE, ONE])
  })
})

describe('updates', () => {
  const tree: Tree = {
    split: { kind: 'below', units: ONE / 2 },
    yes: { leaf: 0 },
    no: { leaf: 1 },
  }
  const rows = { bins: [], binCounts: [] }
  const after = (start: number[], ...updates: Parameters<typeof applyUpdates>[0]) =>
    Array.from(applyUpdates(updates, rows, Int32Array.from(start)))

  it('are applied one after the other, to a copy', () => {
    const start = Int32Array.of(100)
    const raise = { kind: 'table', tree: ROOT, levels: 1, values: [11] } as const
    expect(Array.from(applyUpdates([raise, raise], rows, start))).toEqual([122])
    expect(start[0]).toBe(100)
  })

  it('on the scale of the prediction are clipped once, after all trees', () => {
    const trees = [
      { tree, steps: [ONE, -ONE] },
      { tree: ROOT, steps: [-ONE + 5] },
    ]
    const identity = { kind: 'forest', clip: 0, link: 'identity', trees } as const
    expect(after([0, 100, ONE / 2, ONE], identity)).toEqual([5, 105, 0, 0])
    expect(after([0], { ...identity, clip: 30 })).toEqual([35])
  })

  it('of a forest with no tree and a scale of one leave predictions where they are', () => {
    const still = { kind: 'forest', clip: 1, trees: [], scale: ONE } as const
    const start = [1, 3, 12_345, ONE / 2, ONE - 12_345, ONE - 1]
    expect(after(start, still)).toEqual(start)
    expect(after(start, { ...still, scale: -ONE })).toEqual(start.map(u => ONE - u))
  })

  it('of polynomials take the coefficients of the leaf, rounded half up and clipped', () => {
    const values = [0, ONE / 4, 0, 0, 0, ONE]
    const polynomial = { kind: 'polynomial', tree, degree: 2, values } as const
    expect(after([0, 2, 6, ONE / 4, ONE / 2], polynomial)).toEqual([
      0,
      3,
      8,
      ONE / 4 + ONE / 16,
      ONE / 2 + ONE / 4,
    ])
    expect(after([ONE], polynomial)).toEqual([ONE])
  })
})
