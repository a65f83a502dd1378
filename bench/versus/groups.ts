// Groups for the methods that want them declared: every value of a category, and every quarter of a number, if it holds at
// least a two-hundredth of the calibration rows (the rule of Hansen et al.).

import type { Feature } from './arrays.ts'

export interface Group {
  readonly name: string
  readonly holds: (value: number) => boolean
  /** The index of the feature it tests. */
  readonly feature: number
}

const LEAST_SHARE = 0.005
const QUARTERS = 4

/** `columns` are those of the calibration rows. */
export function makeGroups(
  features: readonly Feature[],
  columns: readonly Float64Array[],
  groupColumns: readonly string[],
): Group[] {
  const groups = groupColumns.flatMap(name => {
    const index = features.findIndex(feature => feature.name === name)
    if (index < 0) throw new Error(`There is no column "${name}" to make groups of.`)
    const { categories } = features[index]
    return categories === undefined
      ? groupsOfNumbers(name, index, columns[index])
      : categories.map((category, code) => groupOfValue(`${name} = ${category}`, index, code))
  })
  return groups.filter(({ feature, holds }) => {
    const count = columns[feature].reduce((sum, value) => sum + Number(holds(value)), 0)
    return count >= LEAST_SHARE * columns[feature].length
  })
}

const groupOfValue = (name: string, feature: number, wanted: number): Group => ({
  name,
  feature,
  holds: value => value === wanted,
})

/** Numbers with few values, such as codes, have one group for each value. */
function groupsOfNumbers(name: string, feature: number, values: Float64Array): Group[] {
  const sorted = values.filter(value => !Number.isNaN(value)).sort()
  const distinct = [...new Set(sorted)]
  if (distinct.length <= 2 * QUARTERS) {
    return distinct.map(value => groupOfValue(`${name} = ${value}`, feature, value))
  }
  const cuts = [1, 2, 3].map(quarter => sorted[Math.floor((quarter * sorted.length) / QUARTERS)])
  const edges = [Number.NEGATIVE_INFINITY, ...new Set(cuts), Number.POSITIVE_INFINITY]
  return edges.slice(1).map((to, index) => ({
    name: `${name} from ${edges[index]} to less than ${to}`,
    feature,
    holds: value => value >= edges[index] && value < to,
  }))
}

/** One column of 0 and 1 for each group. */
export const groupColumnsOf = (groups: readonly Group[], columns: readonly Float64Array[]): Uint8Array[] =>
  groups.map(({ feature, holds }) => Uint8Array.from(columns[feature], value => Number(holds(value))))
