// A file as a batch of a monitor: the columns that are watched, read as the model reads its own, so that the command line makes the same
// state of it.

import type { Column, Monitor, Table } from '@featureboost/core'
import { isWhollyMissing } from '@featureboost/core/internal'
import { batchColumns } from '../../../cli/src/monitor/reading.ts'
import type { TellRows } from './loaded.ts'
import { type FileWords, openFile } from './open.ts'
import { DataProblem } from './problem.ts'

interface BatchOptions extends FileWords {
  readonly unlabelled: boolean
  readonly tell?: TellRows
}

/** A column that is not there at all is left to the library to refuse. */
export async function openBatch(
  name: string,
  blob: Blob,
  monitor: Monitor,
  { unlabelled, ...options }: BatchOptions,
): Promise<Table> {
  const { categorical, ifThere, only, text } = batchColumns(monitor, unlabelled)
  const { leftOut, table } = await openFile(name, blob, { ...options, categorical, text })
  const read = new Set([...only, ...ifThere])
  const lost = leftOut.find(column => read.has(column.name))
  if (lost !== undefined) throw new DataProblem(`Column "${lost.name}" cannot be read. ${lost.reason}`)
  const columns = table.columns.filter(column => read.has(column.name))
  for (const column of columns) if (text.includes(column.name)) refuseTyped(column)
  return { ...table, columns }
}

/** Numbers of a file with types have no text of their own, and there are several ways to write one. */
function refuseTyped(column: Column): void {
  if (column.kind === 'categorical' || isWhollyMissing(column)) return
  throw new DataProblem(
    `Column "${column.name}" holds no text in this file, and the model knows it as text. Write it as text, or as CSV.`,
  )
}
