// --protect-out: the table of protected groups as a CSV file.

import type { ProtectedRow } from '@featureboost/core/internal'
import { CommandError } from '../errors.ts'
import { writeTextFile } from '../files.ts'
import { protectedCsv } from '../terminal/protected.ts'
import type { Session } from './session.ts'

interface ProtectOutOptions {
  readonly protect?: readonly string[]
  readonly protectOut?: string
}

/** Before the work: nothing to write. */
export function refuseProtectOut({ protect, protectOut }: ProtectOutOptions): void {
  if (protectOut !== undefined && protect === undefined)
    throw new CommandError(2, '--protect-out needs --protect, the columns to protect.')
}

export async function writeProtected(
  groups: readonly ProtectedRow[],
  { protectOut }: ProtectOutOptions,
  { progress }: Session,
): Promise<void> {
  if (protectOut === undefined) return
  await writeTextFile(protectOut, protectedCsv(groups), { overwrite: true })
  progress.tell(`Protected groups written to ${protectOut}.`)
}
