// Rows as an engine takes them in to search rules: places of levels stand for the score, and where chance is to be measured, outcomes drawn
// from the score stand for those that there are.

import { makeRandom, type Random } from '../common/random.ts'
import { numbersOf } from '../compare/modelScores.ts'
import { isSource, type TableSource } from '../data/source.ts'
import type { Table } from '../data/table.ts'
import { type Levels, levelPlace } from './levels.ts'

interface Placing {
  readonly score: string
  readonly label: string
  /** The name of the new column. */
  readonly place: string
  readonly levels: Levels
  /** Seed of the draws: the same in every reading. */
  readonly drawn?: number
}

export function placedRows(
  rows: Table | TableSource,
  { drawn, label, levels, place, score }: Placing,
): Table | TableSource {
  const placed = (chunk: Table, random: Random): Table => {
    const { columns, rowCount } = chunk
    const scoreOf = numbersOf(chunk, score)
    const numeric = (name: string, numberAt: (row: number) => number) => {
      return {
        name,
        kind: 'numeric',
        values: Float64Array.from({ length: rowCount }, (_, row) => numberAt(row)),
      } as const
    }
    const places = numeric(place, row => levelPlace(levels, scoreOf(row)))
    if (drawn === undefined) return { rowCount, columns: [...columns, places] }
    const labels = numeric(label, row => Number(random.next() < scoreOf(row)))
    return { rowCount, columns: [...columns.filter(({ name }) => name !== label), labels, places] }
  }
  const begin = () => makeRandom(drawn ?? 0)
  if (!isSource(rows)) return placed(rows, begin())
  return {
    async *chunks() {
      const random = begin()
      for await (const chunk of rows.chunks()) yield placed(chunk, random)
    },
  }
}

export async function hasBinaryLabels(rows: Table | TableSource, label: string): Promise<boolean> {
  for await (const chunk of isSource(rows) ? rows.chunks() : [rows]) {
    const labelOf = numbersOf(chunk, label)
    for (let row = 0; row < chunk.rowCount; row++) if (labelOf(row) !== 0 && labelOf(row) !== 1) return false
  }
  return true
}
