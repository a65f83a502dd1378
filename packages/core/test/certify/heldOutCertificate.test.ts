// The held-out certificate on cases small enough for pencil and paper.

import { describe, expect, it } from 'vitest'
import { heldOutBounds } from '../../src/certify/heldOutCertificate.ts'
import { bestTilt, psi } from '../../src/certify/oneMean.ts'
import { type CompiledClass, compileAuditors } from '../../src/classes/compile.ts'
import { ONE } from '../../src/common/units.ts'
import type { EngineRows } from '../../src/engine/engine.ts'
import { type Auditors, functions, groups, linear, referenceEngine, trees } from '../../src/index.ts'
import type { FactorKind } from '../../src/internal.ts'
import type { Encoding } from '../../src/quantize/encoding.ts'

const FIT_ROWS = { flag: [0, 1], score: [0.25, 0.75], label: [0, 1], weight: [1, 1], fold: [0, 0] }

/** Two bins of the prediction, one boolean feature, one signal; two rows for fitting, four held out. */
function rowsWith(weight: readonly number[]): EngineRows {
  const flag = [...FIT_ROWS.flag, 0, 0, 1, 1]
  return {
    rowCount: 6,
    bins: [Uint8Array.from(flag)],
    binCounts: [3],
    coarseOf: [Uint8Array.of(0, 1, 2)],
    coarseCounts: [3],
    signals: [Int32Array.from(flag, value => value * ONE)],
    label: Int32Array.from([...FIT_ROWS.label, 1, 0, 1, 0], value => value * ONE),
    start: Int32Array.from([...FIT_ROWS.score, 0.25, 0.75, 0.75, 0.75], value => value * ONE),
    weight: Int32Array.from([...FIT_ROWS.weight, ...weight]),
    fold: Uint8Array.from([...FIT_ROWS.fold, 1, 1, 1, 1]),
  }
}

const encoding: Encoding = {
  features: [{ name: 'flag', kind: 'boolean', missing: false }],
  signals: [{ kind: 'function', name: 'f' }],
  functions: ['f'],
}
const rounding = { bins: 2, values: [ONE / 4, (3 * ONE) / 4] }
const options = { confidence: 0.9, candidates: 5, cellBudget: 2 ** 27 }

const certificateOf = (compiled: CompiledClass, rows = rowsWith([1, 1, 1, 1])) =>
  heldOutBounds(referenceEngine(rows), compiled, rounding, options)

/** The same rows, each so many times. */
function repeated(times: number): EngineRows {
  const { bins, fold, label, rowCount, signals, start, weight, ...rest } = rowsWith([1, 1, 1, 1])
  const again = <T>(list: ArrayLike<T>) => Array.from({ length: times }, () => Array.from(list)).flat()
  return {
    ...rest,
    rowCount: rowCount * times,
    bins: bins.map(each => Uint8Array.from(again(each))),
    signals: signals.map(each => Int32Array.from(again(each))),
    label: Int32Array.from(again(label)),
    start: Int32Array.from(again(start)),
    weight: Int32Array.from(again(weight!)),
    fold: Uint8Array.from(again(fold!)),
  }
}

const compile = (auditors: Auditors, factors: FactorKind) => compileAuditors(auditors, factors, encoding)

/** The bound from the mean square on the fitting rows, rounded up to nine digits. Labels and scores of the two fitting rows are 1/4 apart. */
const boundOf = (measured: number, meanSquare: number, rows = 4) => {
  const exponent = Math.log(5 / 0.1)
  const tilt = bestTilt(exponent, rows, 1 / 16)
  return Math.min(1, Math.ceil((measured + (psi(tilt) * meanSquare + exponent / rows) / tilt) * 1e9) / 1e9)
}

/** Residuals y - v of the held-out rows: flag 0: +3/4 in bin 0, -3/4 in bin 1; flag 1: +1/4 and -3/4 in bin 1. */
const SQUARES = (3 * 9 + 1) / 16 / 4

describe('the held-out certificate', () => {
  it('of groups is the worst group and what one mean may be off', async () => {
    const found = await certificateOf(compile(groups([{ column: 'flag', is: true }]), 'table'))
    const everyone = (0.75 + Math.abs(-0.75 + 0.25 - 0.75)) / 4
    const by = (measured: number) => {
      const bound = boundOf(measured, SQUARES)
      return { measured, slack: bound - measured, bound, worst: 'everyone' }
    }
    expect(found).toEqual({
      units: { rows: 4, count: 4, weight: 4, largestWeight: 1, squaredWeight: 4 },
      confidence: 0.9,
      candidates: 5,
      meanSquare: SQUARES,
      multiaccuracy: by(Math.abs(0.75 - 0.75 + 0.25 - 0.75) / 4),
      multicalibration: by(everyone),
      levelSet: by(2 / 4),
    })
  })

  it('does not depend on how many groups there are, but on what is measured', async () => {
    const rows = repeated(200)
    const few = await certificateOf(compile(groups([{ column: 'flag', is: true }]), 'table'), rows)
    const many = await certificateOf(compile(trees({ depth: 1 }), 'table'), rows)
    expect(few!.multicalibration.bound).toBeLessThan(1)
    expect(many!.levelSet!.slack).toBeCloseTo(few!.levelSet!.slack, 8)
    expect(many!.levelSet!.bound).toBe(boundOf(many!.levelSet!.measured, SQUARES, 800))
  })

  it('says 1 where rows are few: nothing', async () => {
    const found = await certificateOf(compile(trees({ depth: 1 }), 'table'))
    const worst = (0.75 + 0.75 + 0.5) / 4
    expect(found!.levelSet!.measured).toBeCloseTo(worst, 15)
    expect(found!.multicalibration.measured).toBeCloseTo(worst, 15)
    expect(found!.levelSet!.bound).toBe(1)
  })

  it('of one function is its own error, without level sets', async () => {
    const found = await certificateOf(compile(functions({ f: () => 0 }), 'weighted'))
    expect(found!.multicalibration.measured).toBeCloseTo(Math.abs(0.25 - 0.75) / 4, 15)
    expect(found).not.toHaveProperty('levelSet')
  })

  it('is absent for linear auditors: which are allowed depends on the rows', async () => {
    expect(await certificateOf(compile(linear(), 'table'))).toBeUndefined()
  })

  it('is absent without held-out rows', async () => {
    const { fold: _, ...rows } = rowsWith([1, 1, 1, 1])
    const compiled = compile(groups([{ column: 'flag', is: true }]), 'table')
    expect(await heldOutBounds(referenceEngine(rows), compiled, rounding, options)).toBeUndefined()
  })
})
