// A log of JSON values, one a line, each sealed together with the line before it:
//
//   3f1c09a2b4d5e6f7 {"kind":"run",...}
//
// A process that is killed leaves whole lines and at most one torn one, at the end. Reading stops at the first line whose seal
// does not fit: all before it is exactly what was written, in order, with nothing left out.

import { createHash } from 'node:crypto'

const SEAL_DIGITS = 16
const NEWLINE = 10
/** What the first line is sealed with, in place of a line before it. */
export const FIRST_SEAL = '0'.repeat(SEAL_DIGITS)

export interface LogLine {
  readonly value: unknown
  readonly seal: string
  /** Where the next line begins, in bytes. */
  readonly end: number
}

export interface Log {
  readonly lines: readonly LogLine[]
  /** Complete lines after the last good one. A torn last line is none: it is what a kill leaves. */
  readonly damagedLines: number
}

export function writeLine(value: unknown, before: string): { readonly text: string; readonly seal: string } {
  const json = JSON.stringify(value)
  const seal = sealOf(before, json)
  return { text: `${seal} ${json}\n`, seal }
}

export function readLog(bytes: Buffer): Log {
  const lines: LogLine[] = []
  let start = 0
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
    const json = bytes.subarray(start + SEAL_DIGITS + 1, end)
    const seal = sealOf(lines.at(-1)?.seal ?? FIRST_SEAL, json)
    if (bytes.toString('latin1', start, start + SEAL_DIGITS + 1) !== `${seal} `) break
    start = end + 1
    lines.push({ value: JSON.parse(json.toString()), seal, end: start })
  }
  return { lines, damagedLines: countLines(bytes.subarray(start)) }
}

const sealOf = (before: string, json: string | Uint8Array): string =>
  createHash('sha256').update(before).update(json).digest('hex').slice(0, SEAL_DIGITS)

function countLines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count++
  return count
}
