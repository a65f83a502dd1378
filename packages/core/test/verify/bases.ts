// The genuine models that are forged (forgeries.ts), the rows of each, and what a reader was promised of them.

import { makeRandom } from '../../src/common/random.ts'
import { type Expectations, type FitOptions, fit, type Table, tableFromRows } from '../../src/index.ts'
import type { Row } from '../../src/quantize/signals.ts'

const REGIONS = ['east', 'north', 'south', 'west']

/** Outcomes in words, scores in percent, weights, ages with gaps, one category that is rare, and labels that are missing. */
export const ROWS: readonly Row[] = makeRows(700)

function makeRows(count: number): Row[] {
  const random = makeRandom(11)
  return Array.from({ length: count }, (_, index) => {
    const age = 20 + 2 * random.integer(12)
    const region = index % 350 === 349 ? 'islands' : REGIONS[random.integer(4)]
    const member = random.next() < 0.5
    const score = Math.round(100 * (0.2 + 0.6 * random.next())) / 100
    const truth = score + (region === 'south' ? 0.25 : 0) - (age < 28 ? 0.2 : 0) + (member ? 0.1 : -0.1)
    const bad = random.next() < truth
    return {
      outcome: index % 97 === 96 ? null : bad ? 'bad' : 'good',
      score: Math.round(100 * score),
      times: 1 + random.integer(3),
      age: index % 23 === 22 ? null : age,
      region,
      member,
    }
  })
}

const table = tableFromRows(ROWS)
const plainTable = tableFromRows(
  ROWS.filter(({ outcome }) => outcome !== null).map(({ outcome, score, times: _, ...row }) => ({
    ...row,
    y: outcome === 'bad' ? 1 : 0,
    score: Number(score) / 100,
  })),
)
const unscoredTable: Table = {
  ...plainTable,
  columns: plainTable.columns.filter(({ name }) => name !== 'score'),
}

const worded = {
  label: 'outcome',
  positive: 'bad',
  dropMissingLabels: true,
  prediction: 'score',
  scoreScale: 'percent',
  holdout: 0.25,
  epsilon: 0.1,
  rare: 0.01,
} as const

/** The genuine models that are forged, and the rows of each. */
export const BASES = {
  /** Rounds that held-out rows stopped, with protected groups. */
  rounds: {
    rows: table,
    options: { ...worded, except: ['times'], protect: ['region'], method: 'rounds', roundLimit: 8 },
  },
  /** The default method, with weights. */
  forest: { rows: table, options: { ...worded, weight: 'times', roundLimit: 20 } },
  /** The default method on all rows: nothing was held out. */
  all: {
    rows: plainTable,
    options: { label: 'y', prediction: 'score', holdout: 0, epsilon: 0.1, roundLimit: 20 },
  },
  /** Without a score. */
  unscored: {
    rows: unscoredTable,
    options: { label: 'y', method: 'rounds', holdout: 0.2, epsilon: 0.2, roundLimit: 4 },
  },
} as const satisfies Record<string, { rows: Table; options: FitOptions }>

export type BaseName = keyof typeof BASES

export const BASE_NAMES = Object.keys(BASES) as BaseName[]

/** What a reader was promised of the model of each base. */
export const PROMISES: Readonly<Record<BaseName, Expectations>> = {
  rounds: promise({ method: 'rounds', protect: ['region'] }),
  forest: promise({ method: 'forest-rounds', weight: 'times' }),
  all: { guarantee: 'multicalibration', epsilon: 0.1, label: 'y', prediction: 'score', version: 3 },
  unscored: { guarantee: 'multicalibration', epsilon: 0.2, holdout: 0.2, label: 'y', version: 3 },
}

function promise(more: Expectations): Expectations {
  return {
    ...{
      guarantee: 'multicalibration',
      epsilon: 0.1,
      bins: 20,
      confidence: 0.95,
      holdout: 0.25,
      depth: 2,
      columns: 3,
    },
    ...{
      splits: 15,
      cellBudget: 2 ** 27,
      label: 'outcome',
      positive: 'bad',
      prediction: 'score',
      scoreScale: 'percent',
    },
    ...{ dropMissingLabels: true, copies: 'one', features: ['age', 'region', 'member'] },
    ...{ version: 3, ...more },
  }
}

/** The genuine file of a base. */
export const fitBase = async (name: BaseName): Promise<string> =>
  (await fit(BASES[name].rows, BASES[name].options)).toText()
