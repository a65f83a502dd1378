// docs/compare.md: its command runs, and what it shows looks like what is printed.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { METHODS } from '@featureboost/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { COMPARE_PAGE, loansCsv } from '../../../scripts/write-compare.ts'
import { readTranscripts, runTyped } from '../../../scripts/write-quickstart.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'featureboost-compare-page-'))
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** What introduces each paragraph; how many columns there is room for depends on the names of methods. */
const introductionsOf = (output: string) =>
  paragraphsOf(output).map(paragraph => paragraph.split(/\s+/).slice(0, 3).join(' '))

/** The command that follows is there only where a method is recommended, and is never wrapped. */
const paragraphsOf = (output: string) =>
  output.split('\n\n').filter(paragraph => !paragraph.startsWith('To fit it:'))

it('the page of comparisons shows what its command prints', () => {
  const [{ command, output }, ...others] = readTranscripts(readFileSync(COMPARE_PAGE, 'utf8'))
  expect(others).toEqual([])
  expect(output).toMatch(/^Recommendation: /)
  expect(output).toMatch(/\n\nTo fit it:\n {2}featureboost fit loans\.csv /)
  for (const line of paragraphsOf(output).join('\n').split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  const shown = [...paragraphsOf(output)[2].matchAll(/\n([\w-]+) +\d\.\d{4}/g)].map(([, name]) => name)
  expect(['base', ...METHODS]).toEqual(expect.arrayContaining(shown))
  expect(shown[0]).toBe('base')
  writeFileSync(join(folder, 'loans.csv'), loansCsv(600))
  // Two methods are enough to see what a page looks like.
  const ran = runTyped(`${command} --methods forest,rounds --quiet`, folder)
  expect(introductionsOf(ran.output).slice(1)).toEqual(introductionsOf(output).slice(1))
})
