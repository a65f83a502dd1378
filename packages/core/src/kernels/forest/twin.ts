// The kernels that grow forests, in plain TypeScript on the same memory: what kernels/forest.ts means. Its sums are the same
// to the bit; only the eight bytes that hold a row's gradients are laid out in its own way.

import { clipStep, expOfStep, logLossUnits, MAX_STEP, moveOdds } from '../../common/logistic.ts'
import { ONE } from '../../common/units.ts'
import { FOREST_FEATURE_BYTES, FOREST_RECORD_BYTES, type ForestKernels } from '../kernels.ts'
import { type ForestFeature, findSplit, type SplitQuestion } from './bestSplit.ts'
import { growTree, type NodeWork } from './growTree.ts'
import { type GrowPlan, readPlan, TREE_NODE_BYTES, writeNode, writeYesBins } from './plan.ts'
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

interface TableFeature extends ForestFeature {
  readonly column: number
  /** Of all cells, its first. */
  readonly cell: number
  readonly kind: number
}

function readFeatures(ints: Int32Array, table: number, count: number): TableFeature[] {
  return Array.from({ length: count }, (_, feature) => {
    const entry = (table + feature * FOREST_FEATURE_BYTES) >>> 2
    const [column, cell, bins, kind] = ints.subarray(entry, entry + 4)
    return {
      column,
      cell,
      bins,
      kind,
      ordered: kind === FEATURE_KINDS.numbers || kind === FEATURE_KINDS.score,
    }
  })
}

/** Rules for sets are there in any case; whether they are meant, the features say. */
const askedOf = ({ sets, ...question }: SplitQuestion, features: readonly TableFeature[]): SplitQuestion =>
  features.some(({ kind }) => kind === FEATURE_KINDS.sets) ? { ...question, sets } : question

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
  const nodeWork = (plan: GrowPlan): NodeWork => {
    const { featureCount, gradients, order, records, scratch, steps, weight } = plan
    const features = readFeatures(ints, plan.features, featureCount)
    const cells = features.reduce((sum, feature) => sum + feature.bins, 0)
    const rowAt = (index: number) => ints[(order >>> 2) + index]
    const weightOf = (row: number) => (weight === 0 ? 1 : ints[(weight >>> 2) + row])
    const sumsAt = (slot: number) => doubles.subarray(slot >>> 3, (slot >>> 3) + 2 * cells)
    return {
      count({ from, to }, slot, parent) {
        const sums = sumsAt(slot).fill(0)
        for (let index = from; index < to; index++) {
          const row = rowAt(index)
          const at = (gradients >>> 2) + 2 * row
          for (const { cell, column } of features) {
            const place = 2 * (cell + bytes[column + row])
            sums[place] += weightOf(row) * ints[at]
            sums[place + 1] += weightOf(row) * ints[at + 1]
          }
        }
        if (parent === 0) return
        for (let index = 0; index < sums.length; index++) doubles[(parent >>> 3) + index] -= sums[index]
      },
      total(slot) {
        // Every feature's bins add up to the node; the score's are the last.
        let [first, second] = [0, 0]
        const scores = sumsAt(slot).subarray(2 * features[featureCount - 1].cell)
        for (let place = 0; place < scores.length; place += 2) {
          first += scores[place]
          second += scores[place + 1]
        }
        return { first, second }
      },
      weigh({ from, to }) {
        let sum = 0
        for (let index = from; index < to; index++) sum += weightOf(rowAt(index))
        return sum
      },
      findSplit: (slot, question) => findSplit(sumsAt(slot), features, askedOf(question, features)),
      divide({ from, to }, { feature, side }) {
        const takes = new Uint8Array(256)
        writeYesBins(takes, side, features[feature].bins)
        let [yes, no] = [(order >>> 2) + from, scratch >>> 2]
        for (let index = from; index < to; index++) {
          const row = rowAt(index)
          if (takes[bytes[features[feature].column + row]] === 1) ints[yes++] = row
          else ints[no++] = row
        }
        ints.copyWithin(yes, scratch >>> 2, no)
        return yes - (order >>> 2)
      },
      step: ({ from, to }, step, learns) =>
        kernels.forestStep(order, from, to, step, expOfStep(step), records, steps, learns ? gradients : 0),
    }
  }
  const kernels: Omit<ForestKernels, 'forestWalk'> = {
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
    forestScan(sums, table, featureCount, question, answer) {
      renew()
      const features = readFeatures(ints, table, featureCount)
      const found = findSplit(
        doubles.subarray(sums >>> 3),
        features,
        askedOf(readQuestion(bufferNow(), question), features),
      )
      writeAnswer(bufferNow(), answer, found)
    },
    forestGrow(at) {
      renew()
      const plan = readPlan(bufferNow(), at)
      const { ascending, nodes, order, rows } = plan
      ints.copyWithin(order >>> 2, ascending >>> 2, (ascending >>> 2) + rows)
      const grown = growTree(plan, nodeWork(plan))
      for (const [index, node] of grown.entries())
        writeNode(bufferNow(), nodes + index * TREE_NODE_BYTES, node)
      return grown.length
    },
  }
  return kernels
}
