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

/** Numbers, names of methods, marks and lengths differ; words do not. */
const shapeOf = (output: string) => {
  const [head, ...rest] = output.split('\n\n').slice(1)
  const titles = rest.map(section => section.split('\n')[0])
  return [head.replace(/\s+/g, ' ').replace(/[\d,]+ rows/, 'n rows'), ...titles]
    .join('\n')
    .replace(/ +/g, ' ')
}

it('the page of comparisons shows what its command prints', () => {
  const [{ command, output }, ...others] = readTranscripts(readFileSync(COMPARE_PAGE, 'utf8'))
  expect(others).toEqual([])
  expect(output).toMatch(/^Recommendation: /)
  for (const line of output.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  const shown = [...output.split('\n\n')[2].matchAll(/\n([\w-]+) +\d\.\d{4}/g)].map(([, name]) => name)
  expect(['base', ...METHODS]).toEqual(expect.arrayContaining(shown))
  expect(shown[0]).toBe('base')
  writeFileSync(join(folder, 'loans.csv'), loansCsv(600))
  // Two methods are enough to see what a page looks like.
  const ran = runTyped(`${command} --methods forest,rounds --quiet`, folder)
  expect(shapeOf(ran.output)).toBe(shapeOf(output))
})
