// The kernels that grow forests, in plain TypeScript on the same memory: what kernels/forest.ts means. Its sums are the same
// to the bit; only the eight bytes that hold a row's gradients are laid out in its own way.

import { clipStep, expOfStep, logLossUnits, moveOdds } from '../../common/logistic.ts'
import { ONE } from '../../common/units.ts'
import { FOREST_FEATURE_BYTES, type ForestKernels } from './kernels.ts'

/** The first derivative: label minus prediction, in units of 2^-18. */
export const firstDerivative = (label: number, prediction: number): number => (label - prediction + 32) >> 6

/** The second: the variance of a label with that chance, in units of 2^-12; never nothing. */
export const secondDerivative = (prediction: number): number =>
  Math.max(1, Math.floor((prediction * (ONE - prediction)) / 2 ** 36))

/** The prediction of odds that were moved from a start prediction: `odds` is that times e to the steps. */
const predictionOf = (odds: number, start: number): number =>
  Math.floor((ONE * odds) / (odds + (ONE - start)) + 0.5)

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
    forestStep(order, from, to, value, label, start, steps, odds, gradients) {
      renew()
      const factor = expOfStep(value)
      for (let index = from; index < to; index++) {
        const row = ints[(order >>> 2) + index]
        const sum = ints[(steps >>> 2) + row] + value
        const step = clipStep(sum)
        const first = ints[(start >>> 2) + row]
        const moved = step === sum ? doubles[(odds >>> 3) + row] * factor : first * expOfStep(step)
        ints[(steps >>> 2) + row] = step
        doubles[(odds >>> 3) + row] = moved
        if (gradients === 0) continue
        const prediction = predictionOf(moved, first)
        const at = (gradients >>> 2) + 2 * row
        ints[at] = firstDerivative(ints[(label >>> 2) + row], prediction)
        ints[at + 1] = secondDerivative(prediction)
      }
    },
    forestLoss(order, from, to, label, start, odds, weight) {
      renew()
      let sum = 0
      for (let index = from; index < to; index++) {
        const row = ints[(order >>> 2) + index]
        const prediction = predictionOf(doubles[(odds >>> 3) + row], ints[(start >>> 2) + row])
        const loss = Math.floor(logLossUnits(ints[(label >>> 2) + row], prediction) / 16 + 0.5)
        sum += weight === 0 ? loss : loss * ints[(weight >>> 2) + row]
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
      const [order, from, to, gradients, weight, features, featureCount] = args
      const sums = args[10]
      renew()
      for (let index = from; index < to; index++) {
        const row = ints[(order >>> 2) + index]
        const counted = weight === 0 ? 1 : ints[(weight >>> 2) + row]
        const at = (gradients >>> 2) + 2 * row
        for (let f = 0; f < featureCount; f++) {
          const entry = (features + f * FOREST_FEATURE_BYTES) >>> 2
          const cell = (sums >>> 3) + 2 * (ints[entry + 1] + bytes[ints[entry] + row])
          doubles[cell] += counted * ints[at]
          doubles[cell + 1] += counted * ints[at + 1]
        }
      }
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
