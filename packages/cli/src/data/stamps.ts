// Is a file still the one that was looked at first? A table is read in more than one go (types, rows, then the cells as text), and
// between two of them another program may write the file: then rows of one would be paired with scores of the other.

import { statSync } from 'node:fs'
import { FeatureBoostError } from '@featureboost/core'

/** What tells one state of a file from another. The time of change cannot be set back, that of writing can. */
export interface FileStamp {
  readonly path: string
  readonly dev: bigint
  readonly ino: bigint
  readonly size: bigint
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
}

export function stampFile(path: string): FileStamp {
  const { ctimeNs, dev, ino, mtimeNs, size } = statSync(path, { bigint: true })
  return { path, dev, ino, size, mtimeNs, ctimeNs }
}

/** Throws where a file was changed, replaced or removed since. */
export function refuseChanged(stamps: readonly FileStamp[]): void {
  for (const before of stamps) {
    const change = changeSince(before)
    if (change === undefined) continue
    throw new FeatureBoostError('FB_SOURCE', `the file was ${change} while it was read.`, {
      path: before.path,
      expected: 'the same rows from the first reading to the last',
      hint: 'Nothing was written. Wait until whatever writes the file has ended, and run the command again.',
    })
  }
}

function changeSince(before: FileStamp): string | undefined {
  let now: FileStamp
  try {
    now = stampFile(before.path)
  } catch {
    return 'removed'
  }
  if (now.dev !== before.dev || now.ino !== before.ino) return 'replaced'
  const isSame = now.size === before.size && now.mtimeNs === before.mtimeNs && now.ctimeNs === before.ctimeNs
  return isSame ? undefined : 'changed'
}
