// The report as a file: evidence in its template, whole or not at all.

import { readFile } from 'node:fs/promises'
import { type Evidence, reportHtml } from '@featureboost/core'
import { CommandError } from '../errors.ts'
import { writeTextFile } from '../files.ts'

/** Beside this file once it is built; the second is for those who run the sources. */
const PLACES = ['../studio/report.html', '../../dist/studio/report.html']

export interface WrittenReport {
  readonly file: string
  readonly bytes: number
}

/** `out`: a path; - is stdout. Replaces a file: ask `checkOutputs` before the work. */
export async function writeReport(out: string, evidence: Evidence): Promise<WrittenReport> {
  const html = reportHtml(await readTemplate(), evidence)
  if (out === '-') process.stdout.write(html)
  else await writeTextFile(out, html, { overwrite: true })
  return { file: out, bytes: Buffer.byteLength(html) }
}

export async function readTemplate(): Promise<string> {
  for (const place of PLACES) {
    const text = await readFile(new URL(place, import.meta.url), 'utf8').catch(() => undefined)
    if (text !== undefined) return text
  }
  throw new CommandError(1, 'The template of the report is not there. Build it with: npm run build')
}

export const reportLine = ({ bytes, file }: WrittenReport): string =>
  `Report written to ${file} (${Math.ceil(bytes / 1000)} kB): one file, opens in any browser, needs no network.`
