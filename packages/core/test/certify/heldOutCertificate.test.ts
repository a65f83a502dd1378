// The held-out certificate on cases small enough for pencil and paper.

import { describe, expect, it } from 'vitest'
import { heldOutBounds } from '../../src/certify/heldOutCertificate.ts'
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

const certificateOf = (compiled: CompiledClass, weight = [1, 1, 1, 1]) =>
  heldOutBounds(referenceEngine(rowsWith(weight)), compiled, rounding, options)

const compile = (auditors: Auditors, factors: FactorKind) => compileAuditors(auditors, factors, encoding)

/** t = sqrt(2 (ln(2R/delta) + K ln 2 + ln J)/n'), rounded up to nine digits. */
const slackOf = (auditors: number, signs: number, rows: number) => {
  const exact = Math.sqrt((2 * (Math.log((2 * auditors) / 0.1) + signs * Math.log(2) + Math.log(5))) / rows)
  return Math.ceil(exact * 1e9) / 1e9
}

describe('the held-out certificate', () => {
  it('of groups is the worst group plus the slack of all groups', async () => {
    // Residuals y - v of the held-out rows: flag 0: +3/4 in bin 0, -3/4 in bin 1; flag 1: +1/4 and -3/4 in bin 1.
    const found = await certificateOf(compile(groups([{ column: 'flag', is: true }]), 'table'))
    const everyone = (0.75 + Math.abs(-0.75 + 0.25 - 0.75)) / 4
    const by = (measured: number, slack: number) => ({ measured, slack, bound: measured + slack })
    expect(found).toEqual({
      weight: 4,
      effectiveRows: 4,
      weighted: false,
      confidence: 0.9,
      candidates: 5,
      multicalibration: { ...by(everyone, slackOf(2, 2, 4)), inequality: 'Hoeffding', worst: 'everyone' },
      levelSet: { ...by(2 / 4, slackOf(2, 4, 4)), inequality: 'Hoeffding', worst: 'everyone' },
    })
  })

  it('of weighted rows counts what they are worth', async () => {
    const found = await certificateOf(compile(groups([{ column: 'flag', is: true }]), 'table'), [1, 3, 1, 1])
    expect(found!.weight).toBe(6)
    expect(found!.effectiveRows).toBe(36 / 12)
    const everyone = (0.75 + Math.abs(-3 * 0.75 + 0.25 - 0.75)) / 6
    expect(found!.multicalibration.measured).toBeCloseTo(everyone, 15)
    expect(found!.multicalibration.slack).toBe(slackOf(2, 2, 3))
    expect(found!.weighted).toBe(true)
  })

  it('of trees counts all trees, with a sign on every leaf or on every leaf and bin', async () => {
    // Splits: flag = false, flag = true and missing: 3 + 1 trees of depth 1, each with 2^2 signs of leaves.
    const found = await certificateOf(compile(trees({ depth: 1 }), 'table'))
    const worst = (0.75 + 0.75 + 0.5) / 4
    expect(found!.levelSet!.measured).toBeCloseTo(worst, 15)
    expect(found!.multicalibration.measured).toBeCloseTo(worst, 15)
    expect(found!.multicalibration.slack).toBe(slackOf(4 * 2 ** 2, 2, 4))
    expect(found!.levelSet!.slack).toBe(slackOf(4, 2 * 2, 4))
  })

  it('of one function is its own error, without level sets', async () => {
    const found = await certificateOf(compile(functions({ f: () => 0 }), 'weighted'))
    expect(found!.multicalibration.measured).toBeCloseTo(Math.abs(0.25 - 0.75) / 4, 15)
    expect(found!.multicalibration.slack).toBe(slackOf(1, 2, 4))
    expect(found).not.toHaveProperty('levelSet')
  })

  it('of functions in value bins counts a sign for every bin', async () => {
    const derived = { name: 'f', kind: 'numeric', missing: false, cuts: [0], coarse: [0] } as const
    const binned = { ...encoding, features: [derived] }
    const found = await certificateOf(
      compileAuditors(functions({ f: () => 0 }, { valueBins: 2 }), 'table', binned),
    )
    expect(found!.multicalibration.slack).toBe(slackOf(1 * 2 ** 2, 2, 4))
    expect(found!.levelSet!.slack).toBe(slackOf(1, 4, 4))
  })

  it('is absent for linear auditors, which no finite count covers', async () => {
    expect(await certificateOf(compile(linear(), 'table'))).toBeUndefined()
  })

  it('is absent without held-out rows', async () => {
    const { fold: _, ...rows } = rowsWith([1, 1, 1, 1])
    const compiled = compile(groups([{ column: 'flag', is: true }]), 'table')
    expect(await heldOutBounds(referenceEngine(rows), compiled, rounding, options)).toBeUndefined()
  })
})
