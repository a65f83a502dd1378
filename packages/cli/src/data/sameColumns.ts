// Files that are read together have the same columns. A column that only a later one has would be left out without a word; one
// that it lacks is refused by DuckDB when it comes to it.

import { CommandError } from '../errors.ts'

/** `columnsOf`: the names of one file's columns, in any order. */
export async function checkSameColumns(
  files: readonly string[],
  columnsOf: (file: string) => Promise<readonly string[]>,
): Promise<void> {
  if (files.length < 2) return
  const first = await columnsOf(files[0])
  for (const file of files.slice(1)) {
    const names = await columnsOf(file)
    const more = names.find(name => !first.includes(name))
    if (more !== undefined) throw otherColumns(file, more, files[0])
    const less = first.find(name => !names.includes(name))
    if (less !== undefined) throw otherColumns(files[0], less, file)
  }
}

const otherColumns = (one: string, column: string, other: string): CommandError =>
  new CommandError(
    3,
    `${one} has the column "${column}", and ${other} has not: files read together have the same columns. ` +
      'Give every file the column, or none; or read them with --sql alone and union_by_name = true, which calls it missing where it is not.',
    { code: 'FB_FILE_FORMAT' },
  )
