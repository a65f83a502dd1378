// Every further reading of a source: the rows have to be those of the first, or what was learned of them is of other rows.

import { readPrediction } from './probabilities.ts'
import { ReadingPrint } from './readingPrint.ts'
import { type RoleColumns, type Roles, resolveRoles } from './resolve.ts'
import type { Holdout, StartKind } from './roles.ts'
import { ChunkGuard, rowsChanged, sourceChanged, type TableSource } from './source.ts'

/** What the first reading says of all rows. */
export interface FirstReading {
  readonly rowCount: number
  /** Of all columns with a role. */
  readonly print: ReadingPrint
}

export interface RowsAgain {
  /** Rows in earlier chunks. */
  readonly before: number
  readonly rowCount: number
  readonly columns: RoleColumns
}

/** Throws where there are more rows than before, and at the end where there are fewer or others. */
export async function* readAgain(
  source: TableSource,
  roles: Roles,
  holdout: Holdout | undefined,
  first: FirstReading,
): AsyncGenerator<RowsAgain> {
  const [guard, print] = [new ChunkGuard(), new ReadingPrint()]
  for await (const given of source.chunks()) {
    const before = guard.rowCount
    const chunk = guard.admit(given)
    if (guard.rowCount > first.rowCount) throw sourceChanged(first.rowCount, guard.rowCount)
    const columns = resolveRoles(chunk, roles, holdout?.groupBy)
    print.add(columns)
    yield { before, rowCount: chunk.rowCount, columns }
  }
  if (guard.rowCount !== first.rowCount) throw sourceChanged(first.rowCount, guard.rowCount)
  const changed = print.firstDifference(first.print)
  if (changed !== undefined) throw rowsChanged(changed)
}

/** Where the rows of one chunk start, in units. */
export const startsOf = ({ before, columns, rowCount }: RowsAgain, startKind: StartKind): Int32Array =>
  startKind.kind === 'constant'
    ? new Int32Array(rowCount).fill(startKind.units)
    : readPrediction(columns.prediction!, before)
