// Rows as an engine takes them in to search rules: places of levels stand for the score, and where chance is to be measured, outcomes drawn
// from the score stand for those that there are. Draws go by what rows hold, so neither their order nor where chunks end matters.

import { numbersOf } from '../compare/modelScores.ts'
import type { Copies } from '../data/copies.ts'
import { type Roles, resolveRoles } from '../data/resolve.ts'
import { RowHasher } from '../data/rowHash.ts'
import { isSource, type TableSource } from '../data/source.ts'
import type { Table } from '../data/table.ts'
import { type Levels, levelPlace } from './levels.ts'

interface Placing {
  readonly score: string
  /** Of the rows as they are, but for the score. */
  readonly roles: Omit<Roles, 'prediction'> & { readonly copies: Copies }
  /** The name of the new column. */
  readonly place: string
  readonly levels: Levels
  /** Seed of the draws: the same in every reading. */
  readonly drawn?: number
}

export function placedRows(
  rows: Table | TableSource,
  { drawn, levels, place, roles, score }: Placing,
): Table | TableSource {
  const placer = () => {
    const draw = drawn === undefined ? undefined : new OutcomeDraw(drawn, { ...roles, prediction: score })
    return (chunk: Table): Table => {
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
      if (draw === undefined) return { rowCount, columns: [...columns, places] }
      const chance = draw.chances(chunk)
      const labels = numeric(roles.label, row => Number(chance[row] < scoreOf(row)))
      const others = columns.filter(({ name }) => name !== roles.label)
      return { rowCount, columns: [...others, labels, places] }
    }
  }
  if (!isSource(rows)) return placer()(rows)
  return {
    async *chunks() {
      const placed = placer()
      for await (const chunk of rows.chunks()) yield placed(chunk)
    },
  }
}

/** A number for each row, by what it holds and, of copies, by which of them it is. */
class OutcomeDraw {
  readonly #roles: Placing['roles'] & Roles
  readonly #hasher: RowHasher

  constructor(seed: number, roles: Placing['roles'] & Roles) {
    this.#roles = roles
    this.#hasher = new RowHasher(seed, roles.copies)
  }

  /** From 0 to 1, 1 excluded. */
  chances(chunk: Table): Float64Array {
    const { a } = this.#hasher.hash(resolveRoles(chunk, this.#roles))
    return Float64Array.from(a, hash => (hash >>> 0) / 2 ** 32)
  }
}

export async function hasBinaryLabels(rows: Table | TableSource, label: string): Promise<boolean> {
  for await (const chunk of isSource(rows) ? rows.chunks() : [rows]) {
    const labelOf = numbersOf(chunk, label)
    for (let row = 0; row < chunk.rowCount; row++) if (labelOf(row) !== 0 && labelOf(row) !== 1) return false
  }
  return true
}
