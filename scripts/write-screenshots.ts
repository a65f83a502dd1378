// Writes the pictures of docs/studio.md: the built page with its own example, in a real browser. Run after npm run build.

import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium, type Page } from 'playwright-core'
import { serveStudio } from '../packages/cli/src/studio/server.ts'
import { findChromium } from './find-chromium.ts'

const IMAGES = new URL('../docs/images/', import.meta.url)
const LONG_MS = 10 * 60_000

async function shoot(page: Page, name: string, at?: string): Promise<void> {
  const top =
    at === undefined ? '0' : `document.querySelector('${at}').getBoundingClientRect().top + scrollY - 12`
  await page.evaluate(`scrollTo(0, ${top})`)
  // Nothing is pointed at.
  await page.mouse.move(0, 0)
  await page.screenshot({ path: fileURLToPath(new URL(`${name}.png`, IMAGES)) })
  console.log(`docs/images/${name}.png`)
}

async function tell(page: Page): Promise<void> {
  await shoot(page, 'studio-start')
  await page.getByRole('button', { name: 'Try the example' }).click()
  await page.getByRole('heading', { name: 'Columns' }).waitFor()
  await shoot(page, 'studio-columns')
  await page.getByRole('button', { name: 'Audit the score' }).click()
  await page.getByRole('heading', { name: 'Segment map' }).waitFor()
  await shoot(page, 'studio-audit')
  const goTo = (step: string) =>
    page.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name: step }).click()
  await goTo('Fit')
  await page.getByRole('button', { name: 'Fit a correction' }).click()
  await page.locator('.curve').waitFor()
  await shoot(page, 'studio-fit')
  await page.getByRole('heading', { name: 'Before and after' }).waitFor()
  await page.getByRole('button', { name: 'Decide by this score' }).click()
  await page.getByLabel('Select from a score').waitFor()
  await shoot(page, 'studio-decisions', '#decisions-title')
  await page.emulateMedia({ colorScheme: 'dark' })
  await shoot(page, 'studio-results-dark')
  await goTo('Take home')
  await shoot(page, 'studio-home-dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 390, height: 800 })
  await goTo('Fit')
  await shoot(page, 'studio-phone')
}

mkdirSync(IMAGES, { recursive: true })
const server = await serveStudio(0)
const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 820 }, reducedMotion: 'reduce' })
  page.setDefaultTimeout(LONG_MS)
  await page.goto(server.url)
  await tell(page)
} finally {
  await browser.close()
  await server.close()
}
