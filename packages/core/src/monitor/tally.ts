// What bets make of the rows of one batch, for every group that is watched by name and every group of the search: sums of whole numbers,
// which do not depend on the order of rows.

import { ONE } from '../common/units.ts'
import { betsOf, MOST_USUAL, RowBets, SEARCH_SHIFTS, SHIFTS, USUAL } from './bets.ts'
import type { GapSums } from './interval.ts'
import type { SearchFamily, SearchTally } from './search.ts'

export const NAMED_BETS = betsOf(SHIFTS)
export const SEARCH_BETS = betsOf(SEARCH_SHIFTS)

/** Where each bet of the search stands among the others. */
const SEARCH_PLACES = Int32Array.from(SEARCH_BETS, bet => NAMED_BETS.indexOf(bet))

/** After the bets: weight, sum and squares. */
const MORE = 3

/** Rows, column by column. */
export interface BetRows {
  readonly rowCount: number
  /** In units. */
  readonly labels: ArrayLike<number>
  readonly scores: ArrayLike<number>
  /** Relative weights in 256ths; absent: all are usual. */
  readonly weights?: ArrayLike<number>
  /** For each named group, 1 for its rows; undefined is everyone. */
  readonly members: readonly (ArrayLike<number> | undefined)[]
  /** Of each searched column, the bins of all rows. */
  readonly bins: readonly ArrayLike<number>[]
}

/** At [group * bets + bet], and what is known of the gaps. */
export interface Won {
  readonly bets: Float64Array
  readonly gaps: readonly GapSums[]
}

export class BatchTally {
  readonly #family: SearchFamily
  readonly #bets: RowBets
  readonly #named: Float64Array
  readonly #search: SearchTally
  readonly #groupCount: number

  constructor(groupCount: number, family: SearchFamily, maxGap: number) {
    this.#family = family
    this.#groupCount = groupCount
    this.#bets = new RowBets(NAMED_BETS, Math.ceil(maxGap * ONE))
    this.#named = new Float64Array(groupCount * (NAMED_BETS.length + MORE))
    this.#search = family.makeTally(SEARCH_BETS.length + MORE)
  }

  add({ bins, labels, members, rowCount, scores, weights }: BetRows): void {
    const count = NAMED_BETS.length
    const values = new Float64Array(count + MORE)
    const searched = new Float64Array(SEARCH_BETS.length + MORE)
    for (let row = 0; row < rowCount; row++) {
      const weight = weights === undefined ? USUAL : weights[row]
      if (weight === 0) continue
      this.#bets.read(values, labels[row], scores[row], weight)
      addGap(values, count, weight, labels[row] - scores[row])
      for (let group = 0; group < members.length; group++) {
        const member = members[group]
        if (member !== undefined && member[row] === 0) continue
        const from = group * values.length
        for (let at = 0; at < values.length; at++) this.#named[from + at] += values[at]
      }
      if (bins.length === 0) continue
      for (let at = 0; at < SEARCH_PLACES.length; at++) searched[at] = values[SEARCH_PLACES[at]]
      for (let at = 0; at < MORE; at++) searched[SEARCH_PLACES.length + at] = values[count + at]
      this.#search.add(searched, bins, row)
    }
  }

  finish(): { readonly named: Won; readonly searched: Won } {
    return {
      named: wonOf(this.#named, this.#groupCount, NAMED_BETS.length),
      searched: wonOf(this.#family.sums(this.#search), this.#family.groups.length, SEARCH_BETS.length),
    }
  }
}

/** A row's weight in 256ths, c r in units to the nearest, and c^2 r^2 in units, rounded up. */
function addGap(values: Float64Array, from: number, weight: number, residual: number): void {
  const product = (weight * residual) / USUAL
  values[from] = weight
  values[from + 1] = Math.round(product) + 0
  values[from + 2] = Math.ceil((product * product) / ONE)
}

function wonOf(sums: Float64Array, groupCount: number, betCount: number): Won {
  const bets = new Float64Array(groupCount * betCount)
  const gaps: GapSums[] = []
  for (let group = 0; group < groupCount; group++) {
    const from = group * (betCount + MORE)
    bets.set(sums.subarray(from, from + betCount), group * betCount)
    const [weight, sum, squares] = sums.subarray(from + betCount, from + betCount + MORE)
    gaps.push({ weight: weight / USUAL, sum, squares })
  }
  return { bets, gaps }
}

/** A weight as a whole number of 256ths of what is usual; never more than a row may count. */
export const relativeWeight = (given: number, usual: number): number =>
  given === 0 ? 0 : Math.max(1, Math.min(MOST_USUAL * USUAL, Math.round((given / usual) * USUAL)))
