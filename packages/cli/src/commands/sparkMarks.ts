// Which tables a fit may have left in Spark: a file in the folder of its checkpoint, written before the first of them and removed after the
// last. A process that is killed leaves the file, and the next one removes the tables.

import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunMark } from '../engines/spark/work.ts'
import { CommandError } from '../errors.ts'
import { makeFolder, readText, replaceFile } from '../files.ts'
import type { MarkKeeper } from './spark.ts'

const FILE = 'spark.json'

export function keptMarks(folder: string): MarkKeeper {
  const path = join(folder, FILE)
  return {
    marks: async () => (existsSync(path) ? readMarks(await readText(path), path) : []),
    async keep(marks) {
      if (marks.length === 0) return await rm(path, { force: true })
      makeFolder(folder)
      await replaceFile(path, temporary => writeFile(temporary, `${JSON.stringify(marks, null, 2)}\n`))
    },
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const PREFIX = /^featureboost_[0-9a-f]{8}_$/
const SCHEMA = /^`(?:[^`]|``)*`(\.`(?:[^`]|``)*`)*$/

/** Names in it become SQL: nothing but what we wrote is taken. */
function readMarks(text: string, path: string): RunMark[] {
  try {
    const marks = JSON.parse(text) as RunMark[]
    const isOurs = marks.every(
      ({ prefix, schema, session, user }) =>
        UUID.test(session) && PREFIX.test(prefix) && typeof user === 'string' && SCHEMA.test(schema),
    )
    if (isOurs) return marks
  } catch {
    // Told below.
  }
  throw new CommandError(
    3,
    `${path} is damaged: it names the tables that a fit has left in Spark. Delete it, and tables whose names begin with featureboost_ by hand.`,
    { code: 'FB_CHECKPOINT_DAMAGED' },
  )
}
