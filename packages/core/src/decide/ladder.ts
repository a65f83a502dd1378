// Decisions by a threshold, at every threshold of a ladder at once: one reading of the rows counts how many thresholds each score
// reaches, for everyone and for groups, and whatever is asked of one threshold follows from the counts.

import type { CancelSignal } from '../common/cancel.ts'
import { levelAmong, toUnits } from '../common/units.ts'
import { numbersOf, scoreModelRows } from '../compare/modelScores.ts'
import { showValue, valueAt } from '../data/column.ts'
import { isSource, type TableSource } from '../data/source.ts'
import { findColumn, type Table } from '../data/table.ts'
import type { Model } from '../model/model.ts'
import { modelRowRoles } from '../model/modelRows.ts'

/** From 0.01 to 0.99. */
export const THRESHOLDS: readonly number[] = Array.from({ length: 99 }, (_, index) => (index + 1) / 100)
const CUTS = Int32Array.from(THRESHOLDS, toUnits)

/** By how many thresholds a score reaches: how much such rows weigh, and how much of that has the outcome 1. */
export interface LadderSums {
  readonly weights: Float64Array
  readonly outcomes: Float64Array
}

export interface LadderGroup {
  /** The column and its value; absent for everyone. */
  readonly column?: string
  readonly value?: string
  readonly rowCount: number
  readonly before: LadderSums
  readonly after: LadderSums
}

export interface Ladder {
  /** The rows that were held out from the fit, where there are any. */
  readonly rows: 'held-out' | 'fitting'
  /** Names of the two scores. */
  readonly scores: { readonly before: string; readonly after: string }
  /** Everyone first, then every value of every column. */
  readonly groups: readonly LadderGroup[]
}

/** `columns`: whose values are groups. */
export async function decisionLadder(
  model: Model,
  given: Table | TableSource,
  { columns, signal }: { readonly columns: readonly string[]; readonly signal?: CancelSignal },
): Promise<Ladder> {
  const { label, weight } = modelRowRoles(model)
  const { after, before, heldOut, rows } = await scoreModelRows(model, given, { also: columns, signal })
  const everyone = new Counter()
  const groups = new Map<string, Map<string, Counter>>(columns.map(name => [name, new Map()]))
  for await (const chunk of isSource(rows) ? rows.chunks() : [rows]) {
    const read = (name: string) => numbersOf(chunk, name)
    const [labelOf, beforeOf, afterOf] = [read(label), read(before), read(after)]
    const weightOf = weight === undefined ? () => 1 : read(weight)
    const members = [...groups].map(([name, counters]) => memberOf(chunk, name, counters))
    for (let row = 0; row < chunk.rowCount; row++) {
      const [y, w] = [labelOf(row), weightOf(row)]
      const [from, to] = [beforeOf(row), afterOf(row)].map(score => levelAmong(toUnits(score), CUTS))
      everyone.add(from, to, y, w)
      for (const counterOf of members) counterOf(row).add(from, to, y, w)
    }
  }
  return {
    rows: heldOut ? 'held-out' : 'fitting',
    scores: { before, after },
    groups: [everyone.group(), ...[...groups].flatMap(([column, counters]) => groupsOf(column, counters))],
  }
}

function memberOf(chunk: Table, name: string, counters: Map<string, Counter>): (row: number) => Counter {
  const column = findColumn(chunk, name)
  return row => {
    const value = valueAt(column, row)
    const key = value === null ? 'missing' : typeof value === 'string' ? value : showValue(value)
    const known = counters.get(key)
    if (known !== undefined) return known
    const counter = new Counter()
    counters.set(key, counter)
    return counter
  }
}

const groupsOf = (column: string, counters: ReadonlyMap<string, Counter>): LadderGroup[] =>
  [...counters]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([value, counter]) => ({ column, value, ...counter.group() }))

class Counter {
  readonly #before = emptyLadder()
  readonly #after = emptyLadder()
  #rowCount = 0

  add(from: number, to: number, label: number, weight: number): void {
    this.#rowCount++
    this.#before.weights[from] += weight
    this.#before.outcomes[from] += weight * label
    this.#after.weights[to] += weight
    this.#after.outcomes[to] += weight * label
  }

  group(): LadderGroup {
    return { rowCount: this.#rowCount, before: this.#before, after: this.#after }
  }
}

const emptyLadder = (): LadderSums => ({
  weights: new Float64Array(THRESHOLDS.length + 1),
  outcomes: new Float64Array(THRESHOLDS.length + 1),
})

/** What it costs to select somebody without the outcome, and to pass over somebody with it. */
export interface MistakeCosts {
  readonly falsePositive: number
  readonly falseNegative: number
}

/** From which score on selecting costs less than passing over, where the score is right. */
export const bestThreshold = ({ falseNegative, falsePositive }: MistakeCosts): number =>
  falsePositive / (falsePositive + falseNegative)

export interface ThresholdFacts {
  /** The share that is selected: whose score reaches the threshold. */
  readonly selected: number
  /** Of outcomes 0 the share that is selected; undefined where there are none. */
  readonly falsePositiveRate: number | undefined
  /** Of outcomes 1 the share that is not. */
  readonly falseNegativeRate: number | undefined
  /** True selections less false ones, these by what they cost in units of a missed outcome; per row. */
  readonly netBenefit: number
}

/** `rung`: the place of the threshold among all. */
export function factsAt(
  { outcomes, weights }: LadderSums,
  rung: number,
  costs: MistakeCosts,
): ThresholdFacts {
  const [chosen, hits] = [sumFrom(weights, rung + 1), sumFrom(outcomes, rung + 1)]
  const [weight, positives] = [sumFrom(weights, 0), sumFrom(outcomes, 0)]
  const [negatives, falsePositives] = [weight - positives, chosen - hits]
  return {
    selected: chosen / weight,
    falsePositiveRate: negatives > 0 ? falsePositives / negatives : undefined,
    falseNegativeRate: positives > 0 ? (positives - hits) / positives : undefined,
    netBenefit: (hits - (falsePositives * costs.falsePositive) / costs.falseNegative) / weight,
  }
}

function sumFrom(values: Float64Array, from: number): number {
  let sum = 0
  for (let index = from; index < values.length; index++) sum += values[index]
  return sum
}
