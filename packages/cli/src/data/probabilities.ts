// Scores that are no probabilities, found in the whole table at once, so that errors name its rows and not those of a chunk.

import { formatCount } from '@featureboost/core/internal'
import { CommandError } from '../errors.ts'
import { numberSql } from './kinds.ts'
import { TABLE } from './load.ts'
import type { OpenedData } from './open.ts'
import { quoteName } from './sql.ts'

/** Every row of the column must hold a number from 0 to 1. Columns of other kinds are left to the library to refuse. */
export async function checkProbabilities({ columns, database }: OpenedData, name: string): Promise<void> {
  const column = columns.find(candidate => candidate.name === name)
  if (column?.kind !== 'numeric') return
  // NaN, which stands for missing, is larger than every number in DuckDB.
  const bad = `from (select rowid, ${numberSql(column)} as value from ${quoteName(TABLE)}) where not value between 0 and 1`
  const [count] = (await database.queryColumn(`select count(*)::DOUBLE ${bad}`)) as number[]
  if (count === 0) return
  const first = await database.query(`select rowid::DOUBLE + 1 as row, value ${bad} order by rowid limit 3`)
  const { row, value } = first[0] as { row: number; value: number }
  const rows = first.map(({ row }) => formatCount(row as number)).join('; ')
  throw new CommandError(
    3,
    `Column "${name}", row ${formatCount(row)}: ${Number.isNaN(value) ? 'the score is missing' : `${value} is not a probability`}. Expected a number from 0 to 1. Bad rows: ${formatCount(count)} (row ${rows}${count > first.length ? '; ...' : ''}).`,
  )
}
