// Groups as the command line names them: columns, each of whose values is a group, or a JSON file of group specs.

import type { GroupSpec } from '@featureboost/core'
import { didYouMean } from '@featureboost/core/internal'
import { CommandError } from '../errors.ts'
import { columnList } from '../flags.ts'
import { readList } from './readList.ts'

/** "sex,race", '["a, b"]' where names have commas, or "@groups.json", whose list is what groups() of the library takes. */
export async function readGroups(text: string): Promise<readonly GroupSpec[]> {
  if (!text.startsWith('@')) return columnNames(text)
  return (await readList(text.slice(1), 'groups', '["sex", {"column": "age", "atMost": 25}]')) as GroupSpec[]
}

function columnNames(text: string): readonly string[] {
  try {
    return columnList(text)
  } catch (error) {
    throw new CommandError(2, `${text} names no groups. ${(error as Error).message}`)
  }
}

/** Before the work: the audit after a fit looks at columns of the model, and these are the features that are read. */
export function checkGroupColumns(specs: readonly GroupSpec[], features: readonly string[]): void {
  for (const name of specs.flatMap(columnsOf)) {
    if (!features.includes(name))
      throw new CommandError(3, `--groups: "${name}" is no feature. ${didYouMean(name, features)}`, {
        code: 'FB_COLUMN_UNKNOWN',
      })
  }
}

/** What is no group is left to the library to refuse. */
function columnsOf(spec: unknown): string[] {
  if (typeof spec === 'string') return [spec]
  if (Array.isArray(spec)) return spec.flatMap(columnsOf)
  if (typeof spec !== 'object' || spec === null) return []
  const { column, where } = spec as { column?: unknown; where?: unknown }
  return where === undefined ? columnsOf(column) : columnsOf(where)
}
