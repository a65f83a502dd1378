// Files that are no tables we read are refused by what they are.

import { findForeign } from '@featureboost/core/internal'
import { CommandError } from '../errors.ts'

export function refuseForeign(name: string, bytes: Buffer): void {
  const found = findForeign(bytes)
  if (found !== undefined)
    throw new CommandError(3, `${name} is ${found.what}. ${found.todo}`, { code: 'FB_FILE_FORMAT' })
}
