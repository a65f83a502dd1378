// The kernels that grow forests, in plain TypeScript on the same memory: what kernels/forest.ts means. Its sums are the same
// to the bit; only the eight bytes that hold a row's gradients are laid out in its own way.

import { clipStep, expOfStep, logLossUnits, MAX_STEP, moveOdds } from '../../../common/logistic.ts'
import { ONE } from '../../../common/units.ts'
import { FOREST_FEATURE_BYTES, FOREST_RECORD_BYTES, type ForestKernels } from '../kernels.ts'
import { type ForestFeature, findSplit } from './bestSplit.ts'
import { FEATURE_KINDS, readQuestion, writeAnswer } from './scan.ts'

/** The first derivative: label minus prediction, in units of 2^-18. */
export const firstDerivative = (label: number, prediction: number): number => (label - prediction + 32) >> 6

/** The second: the variance of a label with that chance, in units of 2^-12; never nothing. */
export const secondDerivative = (prediction: number): number =>
  Math.max(1, Math.floor((prediction * (ONE - prediction)) / 2 ** 36))

/** The prediction of odds that were moved from a start prediction: `odds` is that times e to the steps. */
const predictionOf = (odds: number, start: number): number =>
  Math.floor((ONE * odds) / (odds + (ONE - start)) + 0.5)

/** Odds stay this near to where they started. */
const [HIGHEST, LOWEST] = [expOfStep(MAX_STEP), expOfStep(-MAX_STEP)]

function readFeatures(ints: Int32Array, table: number, count: number): (ForestFeature & { kind: number })[] {
  return Array.from({ length: count }, (_, feature) => {
    const entry = (table + feature * FOREST_FEATURE_BYTES) >>> 2
    const kind = ints[entry + 3]
    const ordered = kind === FEATURE_KINDS.numbers || kind === FEATURE_KINDS.score
    return { bins: ints[entry + 2], ordered, kind }
  })
}

export function forestTwin(bufferNow: () => ArrayBuffer): Omit<ForestKernels, 'forestWalk'> {
  let buffer: ArrayBuffer | undefined
  let [bytes, ints, doubles] = [new Uint8Array(0), new Int32Array(0), new Float64Array(0)]
  const renew = () => {
    if (buffer === bufferNow()) return
    buffer = bufferNow()
    bytes = new Uint8Array(buffer)
    ints = new Int32Array(buffer)
    doubles = new Float64Array(buffer)
  }
  return {
    forestStep(order, from, to, value, factor, records, steps, gradients) {
      renew()
      for (let index = from; index < to; index++) {
        const row = ints[(order >>> 2) + index]
        const record = records + FOREST_RECORD_BYTES * row
        const [start, label] = [ints[(record >>> 2) + 2], ints[(record >>> 2) + 3]]
        const step = clipStep(ints[(steps >>> 2) + row] + value)
        const below = Math.min(doubles[record >>> 3] * factor, start * HIGHEST)
        const odds = Math.max(below, start * LOWEST)
        ints[(steps >>> 2) + row] = step
        doubles[record >>> 3] = odds
        if (gradients === 0) continue
        const prediction = predictionOf(odds, start)
        const at = (gradients >>> 2) + 2 * row
        ints[at] = firstDerivative(label, prediction)
        ints[at + 1] = secondDerivative(prediction)
      }
    },
    forestLoss(order, from, to, records, weight) {
      renew()
      let sum = 0
      for (let index = from; index < to; index++) {
        const row = ints[(order >>> 2) + index]
        const record = records + FOREST_RECORD_BYTES * row
        const prediction = predictionOf(doubles[record >>> 3], ints[(record >>> 2) + 2])
        const loss = Math.floor(logLossUnits(ints[(record >>> 2) + 3], prediction) / 16 + 0.5)
        sum += weight === 0 ? loss : loss * ints[(weight >>> 2) + row]
      }
      return sum
    },
    logitSlope(rows, logit, label, weight, scale) {
      renew()
      let sum = 0
      for (let row = 0; row < rows; row++) {
        const x = ints[(logit >>> 2) + row]
        const prediction = moveOdds(ONE / 2, clipStep(Math.floor((scale * x) / ONE + 0.5)))
        const slope = Math.floor(((ints[(label >>> 2) + row] - prediction) * x) / 2 ** 27 + 0.5)
        sum += weight === 0 ? slope : ints[(weight >>> 2) + row] * slope
      }
      return sum
    },
    forestMove(from, to, prediction, steps, clip, target) {
      renew()
      for (let row = from; row < to; row++) {
        const inside = Math.max(clip, Math.min(ONE - clip, ints[(prediction >>> 2) + row]))
        ints[(target >>> 2) + row] = moveOdds(inside, clipStep(ints[(steps >>> 2) + row]))
      }
    },
    forestCount(...args) {
      const [order, from, to, gradients, weight, bins, stride, table, featureCount, , sums, parent] = args
      renew()
      const cells = readFeatures(ints, table, featureCount).reduce((sum, feature) => sum + feature.bins, 0)
      const counted = doubles.subarray(sums >>> 3, (sums >>> 3) + 2 * cells).fill(0)
      for (let index = from; index < to; index++) {
        const row = ints[(order >>> 2) + index]
        const times = weight === 0 ? 1 : ints[(weight >>> 2) + row]
        const at = (gradients >>> 2) + 2 * row
        for (let f = 0; f < featureCount; f++) {
          const first = ints[((table + f * FOREST_FEATURE_BYTES) >>> 2) + 1]
          const cell = 2 * (first + bytes[bins + stride * row + f])
          counted[cell] += times * ints[at]
          counted[cell + 1] += times * ints[at + 1]
        }
      }
      if (parent === 0) return
      for (let index = 0; index < counted.length; index++) doubles[(parent >>> 3) + index] -= counted[index]
    },
    forestScan(sums, table, featureCount, question, answer) {
      renew()
      const features = readFeatures(ints, table, featureCount)
      const { sets, ...asked } = readQuestion(bufferNow(), question)
      const bySets = features.some(({ kind }) => kind === FEATURE_KINDS.sets)
      const found = findSplit(doubles.subarray(sums >>> 3), features, bySets ? { ...asked, sets } : asked)
      writeAnswer(bufferNow(), answer, found)
    },
    forestSplit(order, from, to, column, takesYes, scratch) {
      renew()
      let [yes, no] = [(order >>> 2) + from, scratch >>> 2]
      for (let index = from; index < to; index++) {
        const row = ints[(order >>> 2) + index]
        if (bytes[takesYes + bytes[column + row]] === 1) ints[yes++] = row
        else ints[no++] = row
      }
      ints.copyWithin(yes, scratch >>> 2, no)
      return yes - (order >>> 2) - from
    },
  }
}
