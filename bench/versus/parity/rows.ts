// Small seeded rows on which baselines meet their originals. Scores are multiples of 2^-12, so that they are the same number
// for both; nothing is missing, because the originals treat that each in its own way.

import { makeRandom } from '@featureboost/core/internal'

export interface ParityRow {
  readonly score: number
  readonly label: number
  readonly weight: number
  readonly region: string
  readonly member: boolean
  readonly age: number
  readonly [column: string]: string | number | boolean
}

/** coarse: few different scores and many regions, so that trees have the same bins to choose from. */
export type DataName = 'plain' | 'weighted' | 'coarse'

const [FITTED, UNSEEN] = [1000, 400]
const COARSE_FITTED = 4000

export interface ParityData {
  readonly weighted: boolean
  readonly fitted: readonly ParityRow[]
  readonly unseen: readonly ParityRow[]
}

export const PARITY_DATA: Readonly<Record<DataName, ParityData>> = {
  plain: makeData(1, false),
  weighted: makeData(2, true),
  coarse: makeCoarse(3),
}

function makeData(seed: number, weighted: boolean): ParityData {
  const random = makeRandom(seed)
  // Each score once: bins of equally many rows are then the same wherever ties would go.
  const scores = Array.from({ length: 4095 }, (_, index) => (index + 1) / 4096)
  const draw = (): ParityRow => {
    const [score] = scores.splice(random.integer(scores.length), 1)
    const region = 'pqr'[random.integer(3)]
    const [member, age] = [random.next() < 0.4, 18 + random.integer(50)]
    const shift = (region === 'q' ? 0.9 : 0) - (member ? 0.7 : 0) + (age > 45 ? 0.4 : 0)
    const chance = 1 / (1 + Math.exp(-0.7 * Math.log(score / (1 - score)) - shift))
    return {
      score,
      label: random.next() < chance ? 1 : 0,
      weight: weighted ? 1 + random.integer(3) : 1,
      region,
      member,
      age,
    }
  }
  return {
    weighted,
    fitted: Array.from({ length: FITTED }, draw),
    unseen: Array.from({ length: UNSEEN }, draw),
  }
}

function makeCoarse(seed: number): ParityData {
  const random = makeRandom(seed)
  const draw = (): ParityRow => {
    const score = (1 + random.integer(127)) / 128
    const place = random.integer(12)
    const [member, age] = [random.next() < 0.4, 18 + random.integer(50)]
    const shift = (place % 5) / 2 - (member && age > 40 ? 1.2 : 0.5)
    const chance = 1 / (1 + Math.exp(-0.8 * Math.log(score / (1 - score)) - shift))
    const label = random.next() < chance ? 1 : 0
    return { score, label, weight: 1, region: 'abcdefghijkl'[place], member, age }
  }
  return {
    weighted: false,
    fitted: Array.from({ length: COARSE_FITTED }, draw),
    unseen: Array.from({ length: UNSEEN }, draw),
  }
}
