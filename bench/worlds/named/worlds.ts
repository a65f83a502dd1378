// The named worlds: cases in which a bound or a p-value is easily wrong. In every one of them the score is right, or, where it is 0 or 1,
// wrong at one rate everywhere, so p-values are to be uniform or larger; what is fitted to a draw is not right, and the truth about it is
// known.

import type { Random } from '../../../packages/core/src/common/random.ts'
import type { Recipe } from './population.ts'

export interface NamedWorld extends Recipe {
  readonly name: string
  readonly words: string
  /** Points that are drawn. */
  readonly rows: number
  /** Rows of each point, all with the same label. */
  readonly copies?: number
  /** Are copies told by an id? */
  readonly ids?: boolean
  /** The label of a row, and what it weighs where rows have weights. */
  draw(score: number, random: Random, row: number): { readonly label: number; readonly weight?: number }
  /** Why no p-value is promised here, and no bound, where none is. */
  readonly noPValue?: string
  readonly noBound?: string
}

const between = (low: number, high: number) => (random: Random) => low + (high - low) * random.next()
const even = between(0.1, 0.9)
const rare = between(0.02, 0.08)
const flip = (chance: number, random: Random): number => Number(random.next() < chance)

/** One row in so many is heavy: its label is 1, and it weighs three times what all the light ones do that come with it. */
const heavyWeight = (oneIn: number): number => 3 * (oneIn - 1)

const ERRORS = 0.1
const TRIALS = 3

/** Light rows have labels such that they and the heavy ones together make up the score by their weights. */
const withHeavyRows = (
  oneIn: number,
): Pick<NamedWorld, 'words' | 'rows' | 'score' | 'draw' | 'noPValue'> => ({
  words: `one row in ${oneIn} weighs ${heavyWeight(oneIn)}, others 1, and its label is 1; counted by weight, scores are right`,
  rows: 2000,
  score: between(0.8, 0.95),
  draw: (score, random) =>
    flip(1 / oneIn, random) === 1
      ? { label: 1, weight: heavyWeight(oneIn) }
      : { label: flip(4 * score - 3, random), weight: 1 },
  noPValue: 'no: weights are taken as given, and here they give the label away',
})

export const NAMED: readonly NamedWorld[] = [
  {
    name: 'plain',
    words: 'labels of 0 and 1, scores 0.1 to 0.9',
    rows: 600,
    score: even,
    draw: (score, random) => ({ label: flip(score, random) }),
  },
  { name: 'weights tied to labels', ...withHeavyRows(400) },
  {
    name: 'copies with ids',
    words: "100 rows, 50 times each, with an id; copies: 'one'",
    rows: 100,
    copies: 50,
    ids: true,
    score: even,
    draw: (score, random) => ({ label: flip(score, random) }),
  },
  {
    name: 'copies without ids',
    words: "100 rows, 50 times each, with no id to tell them apart; copies: 'one'",
    rows: 100,
    copies: 50,
    score: even,
    draw: (score, random) => ({ label: flip(score, random) }),
  },
  {
    name: 'fractional labels',
    words: `labels are shares of ${TRIALS} trials, scores 0.1 to 0.9`,
    rows: 600,
    score: even,
    draw: (score, random) => ({
      label: Array.from({ length: TRIALS }, () => flip(score, random)).reduce((a, b) => a + b) / TRIALS,
    }),
  },
  {
    name: 'one label of one half',
    words: 'labels of 0 and 1 with 2 to 8 % outcomes, except for one label of 0.5',
    rows: 1500,
    score: rare,
    draw: (score, random, row) => ({ label: row === 0 ? 0.5 : flip(score, random) }),
  },
  {
    name: 'zero-inflated labels',
    words: 'scores 2 to 8 %; a label is 0, or, twice as often as the score says, anything from 0 to 1',
    rows: 1500,
    score: rare,
    draw: (score, random) => ({ label: flip(2 * score, random) * random.next() }),
  },
  {
    name: 'hard scores with errors',
    words: `scores are 0 or 1, and labels differ from them in ${100 * ERRORS} % of rows`,
    rows: 600,
    score: random => flip(0.3, random),
    truth: score => (score === 1 ? 1 - ERRORS : ERRORS),
    draw: (score, random) => ({ label: flip(score === 1 ? 1 - ERRORS : ERRORS, random) }),
  },
  {
    name: '1 % outcomes',
    words: 'scores 0.2 to 1.8 %',
    rows: 3000,
    score: between(0.002, 0.018),
    draw: (score, random) => ({ label: flip(score, random) }),
  },
  {
    name: '30 noise columns',
    words: '500 rows, 30 columns of coin tosses',
    rows: 500,
    noiseColumns: 30,
    score: even,
    draw: (score, random) => ({ label: flip(score, random) }),
  },
  {
    name: 'heavy rows that may not be seen',
    ...withHeavyRows(1000),
    noBound:
      'no: it is assumed that no row weighs more than those that were seen, and in one table out of seven no heavy row is seen',
  },
]
