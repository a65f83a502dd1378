// The dictionary of a categorical column: categories heavy enough for a bin of their own; the rest is pooled.

import type { CategoricalColumn } from '../data/table.ts'
import { type Counting, countOf } from './counting.ts'
import type { CategoricalSchema } from './schema.ts'
import { lowerBound } from './search.ts'

/**
 * Shares are of all rows that count, those with a missing value included. Categories of no weight are unknown
 * to the schema.
 */
export function fitCategorical(
  column: CategoricalColumn,
  counting: Counting,
  bins: number,
  coarseBins: number,
  rare: number,
): Omit<CategoricalSchema, 'missing'> {
  const { totals, total } = weighCategories(column, counting)
  const heaviestFirst = column.categories
    .map((name, code) => ({ name, weight: totals[code] }))
    .filter(category => category.weight > 0)
    .sort((a, b) => b.weight - a.weight || (a.name < b.name ? -1 : 1))
  const common = heaviestFirst.filter(category => category.weight >= rare * total).slice(0, bins - 1)
  const names = heaviestFirst.map(category => category.name)
  const categories = names.slice(0, common.length).sort()
  const coarse = names.slice(0, Math.min(common.length, coarseBins - 1))
  return {
    name: column.name,
    kind: 'categorical',
    categories,
    pooled: names.slice(common.length).sort(),
    coarse: coarse.map(name => lowerBound(categories, name)).sort((a, b) => a - b),
    ...(column.numbers && { numbers: true }),
  }
}

function weighCategories({ codes, categories }: CategoricalColumn, counting: Counting) {
  const totals = new Float64Array(categories.length)
  let total = 0
  for (let row = 0; row < codes.length; row++) {
    const counted = countOf(counting, row)
    total += counted
    if (codes[row] >= 0) totals[codes[row]] += counted
  }
  return { totals, total }
}
