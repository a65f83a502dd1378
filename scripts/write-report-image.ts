// Writes the picture of docs/report.md: a report of the demo's population, corrected, on rows that the model has not seen. Run after
// npm run build.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { collectEvidence, fitWithTrace, makeTable, reportHtml } from '@featureboost/core'
import { chromium } from 'playwright-core'
import { makeLendingPopulation } from '../packages/cli/src/demo/population.ts'
import { findChromium } from './find-chromium.ts'

const TEMPLATE = new URL('../packages/cli/dist/studio/report.html', import.meta.url)
const IMAGE = new URL('../docs/images/report.png', import.meta.url)
const ROWS = 40_000

const tableOf = (seed: number) => makeTable(makeLendingPopulation({ rows: ROWS, seed }).columns)

const { model } = await fitWithTrace(tableOf(7), { label: 'defaulted', prediction: 'score' })
const evidence = await collectEvidence(tableOf(8), { model, name: 'loans.csv' })
const folder = mkdtempSync(join(tmpdir(), 'featureboost-image-'))
const file = join(folder, 'report.html')
writeFileSync(file, reportHtml(readFileSync(TEMPLATE, 'utf8'), evidence))
const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 860 }, colorScheme: 'light' })
  await page.goto(pathToFileURL(file).href)
  await page.locator('.segments').waitFor()
  await page.screenshot({ path: fileURLToPath(IMAGE) })
  console.log('docs/images/report.png')
} finally {
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
}
