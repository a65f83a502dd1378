// --group-by names ids of units; who names a column of a few groups probably means something else.

import { formatCount } from '@featureboost/core/internal'
import { TABLE } from '../data/load.ts'
import type { OpenedData } from '../data/open.ts'
import { quoteName } from '../data/sql.ts'

const FEW = 10

/** A note where the column has few values; undefined where it may well hold ids. */
export async function fewIdsNote(
  { database, names }: OpenedData,
  groupBy: string | undefined,
): Promise<string | undefined> {
  if (groupBy === undefined || !names.includes(groupBy)) return undefined
  const [count] = (await database.queryColumn(
    `select count(distinct ${quoteName(groupBy)})::DOUBLE from ${quoteName(TABLE)}`,
  )) as number[]
  if (count > FEW) return undefined
  const values = count === 1 ? '1 value' : `${formatCount(count)} values`
  return `Column "${groupBy}" has ${values} only. --group-by is for ids of units, such as persons, whose rows are held out together; to look at groups such as women and men, name the column with --groups.`
}
