// The command that follows from a comparison: the same data and columns, fitted with the method that was recommended.

import { commandLine } from './commandLine.ts'

/** Flags of a comparison that say nothing of a fit; some have a value. */
const WITH_VALUE = ['--methods', '--folds', '--segment-depth', '--bins', '--confidence', '--format', '--out']
const ALONE = ['--json', '--force', '--ascii', '--quiet']

/** `tried`: methods that the rows chose from. */
export function nextFit(
  method: string,
  tried: number,
  args: readonly string[] = process.argv.slice(2),
): string {
  const kept: string[] = []
  for (let at = 0; at < args.length; at++) {
    const [flag] = args[at].split('=')
    if (WITH_VALUE.includes(flag)) at += args[at] === flag ? 1 : 0
    else if (!ALONE.includes(flag)) kept.push(args[at])
  }
  const [, ...rest] = kept
  const chosen = tried > 1 ? ['--chosen-from', String(tried)] : []
  return commandLine(['fit', ...rest, '--method', method, ...chosen, '--out', 'model.fb.json'])
}
