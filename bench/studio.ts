// The studio with many rows: from choosing a file of 1,000,000 rows and 10 features to the first audit, a fit, and how long
// the page itself was ever busy meanwhile, until its results were drawn. Run after npm run build: npx tsx bench/studio.ts [--rows 1000000]

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium, type Page } from 'playwright-core'
import { makeLendingPopulation } from '../packages/cli/src/demo/population.ts'
import { serveStudio } from '../packages/cli/src/studio/server.ts'
import { makeRandom } from '../packages/core/src/internal.ts'
import { findChromium } from '../scripts/find-chromium.ts'

const LONG_MS = 10 * 60_000
/** Browsers tell of a long task a while after it. */
const SETTLE_MS = 1000

/** The lending population has seven features; three more carry nothing. */
async function writeRows(path: string, rows: number): Promise<void> {
  const random = makeRandom(5)
  const out = createWriteStream(path)
  const step = 100_000
  for (let from = 0; from < rows; from += step) {
    const { columns } = makeLendingPopulation({ rows: Math.min(step, rows - from), seed: 100 + from })
    const names = Object.keys(columns) as (keyof typeof columns)[]
    if (from === 0) out.write(`noise_a,noise_b,noise_c,${names.join(',')}\n`)
    const lines = columns.age.map((_, row) => {
      const noise = [random.next().toFixed(6), random.integer(1000), `k${random.integer(40)}`]
      return [...noise, ...names.map(name => columns[name][row] ?? '')].join(',')
    })
    if (!out.write(`${lines.join('\n')}\n`)) await once(out, 'drain')
  }
  await new Promise<void>(resolve => out.end(resolve))
}

const pauses = async (page: Page) => {
  const read = (name: string) => page.locator('#pauses').getAttribute(name)
  return { ever: Number(await read('data-ever')), working: Number(await read('data-working')) }
}

/** Figures are drawn one after the other; the page counts their tasks when all of them are there. */
async function drawn(page: Page): Promise<void> {
  await page.locator('.panels[aria-busy=false]').waitFor()
  await page.waitForTimeout(SETTLE_MS)
}

const inWords = (milliseconds: number) =>
  milliseconds === 0 ? 'under 50 ms' : `${Math.round(milliseconds)} ms`

async function measure(page: Page, file: string): Promise<void> {
  let last = performance.now()
  const lap = (words: string) => {
    const now = performance.now()
    console.log(`${words.padEnd(34)} ${((now - last) / 1000).toFixed(2)} s`)
    last = now
  }
  const start = last
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByRole('heading', { name: 'Columns' }).waitFor()
  lap('file to columns')
  await page.getByRole('button', { name: 'Audit the score' }).click()
  await page.locator('#first-findings').waitFor()
  lap('audit to verdict and worst groups')
  console.log(`${'file to first audit'.padEnd(34)} ${((performance.now() - start) / 1000).toFixed(2)} s`)
  await page.getByRole('heading', { name: 'Segment map' }).waitFor()
  await drawn(page)
  lap('further, to all figures')
  console.log(`${'longest pause, audit and drawing'.padEnd(34)} ${inWords((await pauses(page)).working)}`)
  last = performance.now()
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name: 'Fit' }).click()
  await page.getByRole('button', { name: 'Fit a correction' }).click()
  await page.getByRole('heading', { name: 'Before and after' }).waitFor()
  await drawn(page)
  lap('fit, and evidence before and after')
  const { ever, working } = await pauses(page)
  console.log(`${'longest pause, fit and drawing'.padEnd(34)} ${inWords(working)}`)
  console.log(`${'longest pause ever'.padEnd(34)} ${inWords(ever)}`)
  console.log((await page.locator('#pauses').textContent())!.trim())
}

const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } })
const folder = await mkdtemp(join(tmpdir(), 'featureboost-bench-'))
const server = await serveStudio(0)
const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
})
try {
  const file = join(folder, 'rows.csv')
  await writeRows(file, Number(values.rows))
  console.log(
    `${Number(values.rows).toLocaleString('en-US')} rows x 10 features; load average ${loadavg()[0].toFixed(1)}`,
  )
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  page.setDefaultTimeout(LONG_MS)
  await page.goto(server.url)
  await measure(page, file)
} finally {
  await browser.close()
  await server.close()
  await rm(folder, { recursive: true, force: true })
}
