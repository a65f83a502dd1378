// How the rows lie in the bins of one feature: what groups and quantiles are made of.

import type { ForestRows } from '../../forest/forestRows.ts'

/** The weight of each bin; missing values are the last. */
export function weighBins({ bins, features, rowCount, weight }: ForestRows, feature: number): number[] {
  const weights = new Array<number>(features[feature].bins).fill(0)
  for (let row = 0; row < rowCount; row++)
    weights[bins[feature][row]] += weight === undefined ? 1 : weight[row]
  return weights
}

/** The bin of the row that has this place, counted from 0, when rows are sorted by their bin. */
export function binAt(weights: readonly number[], place: number): number {
  let [bin, before] = [0, weights[0]]
  while (before <= place) before += weights[++bin]
  return bin
}
