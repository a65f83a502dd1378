// Small files of the made-up lending population.

import { writeFile } from 'node:fs/promises'
import { Database } from '../../cli/src/data/database.ts'
import { makeLendingPopulation } from '../../cli/src/demo/population.ts'

/** A search of fewer columns is sooner done. */
const NAMES = ['age', 'income', 'employment', 'region', 'first_loan', 'score', 'defaulted'] as const

export function lendingCsv(rows: number, seed = 3): string {
  const { columns } = makeLendingPopulation({ rows, seed })
  const lines = Array.from({ length: rows }, (_, row) =>
    [
      `A-${row}`,
      `2021-0${(row % 9) + 1}-15`,
      (row % 3) + 1,
      ...NAMES.map(name => columns[name][row] ?? ''),
    ].join(','),
  )
  return `${[['id', 'applied', 'copies', ...NAMES].join(','), ...lines].join('\n')}\n`
}

/** The same rows, as DuckDB writes what it reads of the CSV. */
export async function writeLending(csv: string, parquet: string, rows: number): Promise<void> {
  await writeFile(csv, lendingCsv(rows))
  const database = await Database.open()
  try {
    await database.run(`copy (from read_csv('${csv}')) to '${parquet}' (format parquet, compression zstd)`)
  } finally {
    await database.close()
  }
}
