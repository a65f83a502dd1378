// Scores that are no probabilities, found in the whole table at once, so that errors name its rows and not those of a chunk.

import { formatCount, SCORE_WORDS, type ScoreScale } from '@featureboost/core/internal'
import { CommandError } from '../errors.ts'
import { numberSql } from './kinds.ts'
import { TABLE } from './load.ts'
import type { OpenedData } from './open.ts'
import { quoteName } from './sql.ts'

const OUTSIDE: Readonly<Record<ScoreScale, string>> = {
  probability: 'not value between 0 and 1',
  percent: 'not value between 0 and 100',
  logit: 'isnan(value)',
}

/** Every row must hold a score of the scale. Columns of other kinds are left to the library to refuse. */
export async function checkScores(
  { columns, database }: OpenedData,
  name: string,
  scale: ScoreScale = 'probability',
): Promise<void> {
  const column = columns.find(candidate => candidate.name === name)
  if (column?.kind !== 'numeric') return
  // NaN, which stands for missing, is larger than every number in DuckDB.
  const bad = `from (select rowid, ${numberSql(column)} as value from ${quoteName(TABLE)}) where ${OUTSIDE[scale]}`
  const [count] = (await database.queryColumn(`select count(*)::DOUBLE ${bad}`)) as number[]
  if (count === 0) return
  const first = await database.query(`select rowid::DOUBLE + 1 as row, value ${bad} order by rowid limit 3`)
  const { row, value } = first[0] as { row: number; value: number }
  const rows = first.map(({ row }) => formatCount(row as number)).join('; ')
  throw new CommandError(
    3,
    `Column "${name}", row ${formatCount(row)}: ${Number.isNaN(value) ? 'the score is missing' : `${value} is not a ${SCORE_WORDS[scale].name}`}. Expected ${SCORE_WORDS[scale].range}${scale === 'probability' ? '' : ', because the model was fitted to such scores'}. Bad rows: ${formatCount(count)} (row ${rows}${count > first.length ? '; ...' : ''}).`,
    Number.isNaN(value) ? { code: 'FB_MISSING_VALUE' } : { code: 'FB_PREDICTION_RANGE' },
  )
}
