// What new rows have that the rows of the fit had not: categories that the model does not know, which count as missing, and missing
// values. Counted while rows are scored.

import { type Column, isWhollyMissing } from '../data/column.ts'
import { findColumn, type Table } from '../data/table.ts'
import { convertColumn } from '../quantize/convert.ts'
import type { Encoding } from '../quantize/encoding.ts'
import type { CategoricalSchema, FeatureSchema } from '../quantize/schema.ts'

export interface ColumnNews {
  readonly column: string
  /** Rows with a category that was not among the rows of the fit. */
  readonly unseen: number
  /** Some of these categories, the first in the order of the alphabet. */
  readonly examples: readonly string[]
  readonly missing: number
  /** Were values missing in the rows of the fit, too? */
  readonly missingBefore: boolean
}

const EXAMPLES = 3

interface Tally {
  unseen: number
  missing: number
  readonly examples: Set<string>
}

export class NewsTally {
  readonly #features: readonly FeatureSchema[]
  readonly #tallies: readonly Tally[]
  rowCount = 0

  constructor({ features, functions }: Encoding) {
    this.#features = features.filter(({ name }) => !functions.includes(name))
    this.#tallies = this.#features.map(() => ({ unseen: 0, missing: 0, examples: new Set<string>() }))
  }

  add(table: Table): void {
    this.rowCount += table.rowCount
    for (const [index, schema] of this.#features.entries()) {
      const column = findColumn(table, schema.name)
      const tally = this.#tallies[index]
      tally.missing += countMissing(column)
      if (schema.kind === 'categorical') addUnseen(tally, schema, convertColumn(schema, column))
    }
  }

  /** Only of columns that have any news. */
  finish(): ColumnNews[] {
    return this.#features.flatMap(({ missing: missingBefore, name }, index) => {
      const { examples, missing, unseen } = this.#tallies[index]
      if (unseen === 0 && missing === 0) return []
      return [
        { column: name, unseen, examples: [...examples].sort().slice(0, EXAMPLES), missing, missingBefore },
      ]
    })
  }
}

function countMissing(column: Column): number {
  if (column.kind === 'numeric')
    return column.values.reduce((count, value) => count + Number(Number.isNaN(value)), 0)
  const codes: Int8Array | Int32Array = column.kind === 'boolean' ? column.values : column.codes
  let count = 0
  for (let row = 0; row < codes.length; row++) count += Number(codes[row] < 0)
  return count
}

function addUnseen(tally: Tally, { categories, pooled }: CategoricalSchema, column: Column): void {
  if (column.kind !== 'categorical' || isWhollyMissing(column)) return
  const known = new Set([...categories, ...pooled])
  const isNew = column.categories.map(category => !known.has(category))
  for (const code of column.codes) {
    if (code < 0 || !isNew[code]) continue
    tally.unseen++
    if (tally.examples.size < 100) tally.examples.add(column.categories[code])
  }
}
