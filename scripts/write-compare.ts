// The transcript of docs/compare.md: makes up the rows that the page speaks of, runs the command that it shows, and puts what
// that prints into the page.

import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeLendingPopulation, populationCsv } from '../packages/cli/src/demo/population.ts'
import { rewriteTranscripts } from './write-quickstart.ts'

export const COMPARE_PAGE = fileURLToPath(new URL('../docs/compare.md', import.meta.url))

/** What `featureboost demo --csv` writes. */
export const loansCsv = (rows: number): string => populationCsv(makeLendingPopulation({ rows, seed: 7 }))

export function writeComparePage(): void {
  const folder = mkdtempSync(join(tmpdir(), 'featureboost-compare-page-'))
  try {
    writeFileSync(join(folder, 'loans.csv'), loansCsv(10_000))
    rewriteTranscripts(COMPARE_PAGE, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  writeComparePage()
