// All groups of one or two conditions on the columns that are searched: their bets, from sums over cells of two columns at a time. A row is
// added to one cell of every pair; what a group won is the sum of its cells.

import { describePath } from '../classes/describe.ts'
import { membersByCoarseBin } from '../classes/splits.ts'
import { coarseCount, coarseMap, type FeatureSchema } from '../quantize/schema.ts'
import { binTakesYes, type Condition, type FeatureSplit } from '../update/update.ts'

/** A condition on one column: which of its coarse bins satisfy it. */
interface SearchCondition {
  readonly path: Condition
  readonly bins: readonly number[]
}

/** One or two conditions, as indexes into those of a column. */
interface SearchGroup {
  readonly first: number
  readonly condition: number
  readonly second?: number
  readonly other?: number
}

/** More groups would need more money each, and a larger file. */
export const MOST_SEARCHED = 4096

export class SearchFamily {
  readonly features: readonly FeatureSchema[]
  readonly searched: readonly number[]
  readonly groups: readonly SearchGroup[]
  readonly #conditions: readonly (readonly SearchCondition[])[]
  readonly #coarse: readonly Uint8Array[]
  readonly #binCounts: readonly number[]

  constructor(features: readonly FeatureSchema[], searched: readonly number[]) {
    this.features = features
    this.searched = searched
    this.#conditions = searched.map(feature => conditionsOf(features[feature], feature))
    this.#coarse = searched.map(feature => coarseMap(features[feature]))
    this.#binCounts = searched.map(feature => coarseCount(features[feature]))
    this.groups = enumerate(this.#conditions)
  }

  words(group: number): string {
    const { condition, first, other, second } = this.groups[group]
    const path = [this.#conditions[first][condition].path]
    if (second !== undefined) path.push(this.#conditions[second][other!].path)
    return describePath(path, this.features)
  }

  /** `channels`: numbers that are summed for each group. */
  makeTally(channels: number): SearchTally {
    return new SearchTally(this.#coarse, this.#binCounts, channels)
  }

  /** The sums of all groups, at [group * channels + channel]. */
  sums(tally: SearchTally): Float64Array {
    const { channels } = tally
    const sums = new Float64Array(this.groups.length * channels)
    for (const [index, { condition, first, other, second }] of this.groups.entries()) {
      const into = sums.subarray(index * channels, (index + 1) * channels)
      const { bins } = this.#conditions[first][condition]
      if (second === undefined) for (const bin of bins) tally.addColumn(into, first, bin)
      else {
        for (const bin of bins)
          for (const place of this.#conditions[second][other!].bins)
            tally.addCell(into, first, second, bin, place)
      }
    }
    return sums
  }
}

export const countSearched = (conditions: readonly number[]): number => {
  const total = conditions.reduce((sum, count) => sum + count, 0)
  const squares = conditions.reduce((sum, count) => sum + count * count, 0)
  return total + (total * total - squares) / 2
}

export const conditionCount = (schema: FeatureSchema): number => conditionsOf(schema, 0).length

function enumerate(conditions: readonly (readonly SearchCondition[])[]): SearchGroup[] {
  const groups: SearchGroup[] = []
  for (const [first, own] of conditions.entries())
    for (let condition = 0; condition < own.length; condition++) groups.push({ first, condition })
  for (let first = 0; first < conditions.length; first++)
    for (let second = first + 1; second < conditions.length; second++)
      for (let condition = 0; condition < conditions[first].length; condition++)
        for (let other = 0; other < conditions[second].length; other++)
          groups.push({ first, condition, second, other })
  return groups
}

/** x <= cut and x > cut for numbers, one value for others, and missing where values were. None that everyone satisfies. */
function conditionsOf(schema: FeatureSchema, feature: number): SearchCondition[] {
  const members = membersByCoarseBin(schema)
  const last = members.length - 1
  const missing: Condition[] = schema.missing ? [{ split: { kind: 'missing', feature }, yes: true }] : []
  const values: Condition[] =
    schema.kind === 'numeric'
      ? schema.coarse.flatMap(bin => [
          { split: { kind: 'atMost', feature, bin, missing: false }, yes: true },
          { split: { kind: 'atMost', feature, bin, missing: true }, yes: false },
        ])
      : members.slice(0, -1).map(bins => ({ split: { kind: 'in', feature, bins }, yes: true }))
  const known = values.length === 1 && !schema.missing ? [] : values
  return [...known, ...missing].map(path => {
    const fine = members[last][0]
    const bins = members.flatMap((own, bin) =>
      own.length > 0 && binTakesYes(path.split as FeatureSplit, own[0], fine) === path.yes ? [bin] : [],
    )
    return { path, bins }
  })
}

/** Sums of one batch: for each column and for each pair of columns one row of channels per cell. */
class SearchTally {
  readonly channels: number
  readonly #coarse: readonly Uint8Array[]
  readonly #binCounts: readonly number[]
  readonly #columns: readonly Float64Array[]
  readonly #pairs: readonly Float64Array[]
  readonly #places: Int32Array

  constructor(coarse: readonly Uint8Array[], binCounts: readonly number[], channels: number) {
    this.channels = channels
    this.#coarse = coarse
    this.#binCounts = binCounts
    this.#columns = binCounts.map(count => new Float64Array(count * channels))
    this.#pairs = binCounts.flatMap((count, first) =>
      binCounts.slice(first + 1).map(other => new Float64Array(count * other * channels)),
    )
    this.#places = new Int32Array(binCounts.length)
  }

  /** `bins`: of each searched column, the fine bins of all rows. */
  add(values: ArrayLike<number>, bins: readonly ArrayLike<number>[], row: number): void {
    const [places, channels, counts] = [this.#places, this.channels, this.#binCounts]
    for (let column = 0; column < places.length; column++) {
      places[column] = this.#coarse[column][bins[column][row]]
      const [sums, from] = [this.#columns[column], places[column] * channels]
      for (let channel = 0; channel < channels; channel++) sums[from + channel] += values[channel]
    }
    let pair = 0
    for (let first = 0; first < places.length; first++) {
      for (let second = first + 1; second < places.length; second++) {
        const sums = this.#pairs[pair++]
        const from = (places[first] * counts[second] + places[second]) * channels
        for (let channel = 0; channel < channels; channel++) sums[from + channel] += values[channel]
      }
    }
  }

  addColumn(into: Float64Array, column: number, bin: number): void {
    const from = bin * this.channels
    for (let channel = 0; channel < this.channels; channel++)
      into[channel] += this.#columns[column][from + channel]
  }

  addCell(into: Float64Array, first: number, second: number, bin: number, other: number): void {
    const count = this.#binCounts.length
    const pair = first * count - (first * (first + 1)) / 2 + (second - first - 1)
    const from = (bin * this.#binCounts[second] + other) * this.channels
    for (let channel = 0; channel < this.channels; channel++)
      into[channel] += this.#pairs[pair][from + channel]
  }
}

export type { SearchTally }
