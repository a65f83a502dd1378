// The finished site in a real browser, opened from disk: no finding of axe, nothing wider than the screen, no request to anywhere else; menu,
// theme and search by keyboard; every report of the gallery draws.

import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { findChromium } from '../find-chromium.ts'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const LONG_MS = 3 * 60_000

const VIEWS = [
  { width: 1440, height: 900, theme: 'light' },
  { width: 390, height: 844, theme: 'dark' },
] as const

export async function checkPages(
  folder: string,
  pages: readonly string[],
  reports: readonly string[],
): Promise<string> {
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    await checkKeyboard(browser, folder)
    // Decisions look alike: one view of each is enough.
    const [first, ...others] = VIEWS
    const fewer = pages.filter(page => !/^decisions\/\d/.test(page))
    await checkView(browser, folder, pages, first)
    for (const view of others) await checkView(browser, folder, fewer, view)
    for (const report of reports) await checkReport(browser, folder, report)
  } finally {
    await browser.close()
  }
  return `${pages.length} pages, ${VIEWS.length} views, ${reports.length} reports, no finding`
}

async function open(
  browser: Browser,
  view: (typeof VIEWS)[number],
): Promise<{ page: Page; troubles: string[] }> {
  const { height, theme, width } = view
  const page = await browser.newPage({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
  })
  page.setDefaultTimeout(LONG_MS)
  const troubles: string[] = []
  page.on('pageerror', problem => troubles.push(problem.message))
  page.on('console', message => {
    if (message.type() === 'error') troubles.push(message.text())
  })
  page.on('request', request => {
    if (!/^(?:file|data|blob):/.test(request.url())) troubles.push(`asks for ${request.url()}`)
  })
  return { page, troubles }
}

const addressOf = (folder: string, page: string): string => pathToFileURL(join(folder, page)).href

async function checkView(
  browser: Browser,
  folder: string,
  pages: readonly string[],
  view: (typeof VIEWS)[number],
): Promise<void> {
  const { page, troubles } = await open(browser, view)
  for (const each of pages) {
    await page.goto(addressOf(folder, each))
    // The studio has tests of its own.
    await page.evaluate('document.querySelectorAll("iframe").forEach(frame => frame.remove())')
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    if (wide > 0) troubles.push(`is ${wide} px wider than the screen`)
    await page.addScriptTag({ path: AXE })
    const found = await page.evaluate<string[]>(
      `axe.run(document, { resultTypes: ['violations'], preload: false }).then(({ violations }) => violations.map(
        ({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' | ')))`,
    )
    troubles.push(...found)
    if (troubles.length > 0)
      throw new Error(`${each} at ${view.width} px, ${view.theme}:\n${troubles.join('\n')}`)
  }
  await page.close()
}

async function checkKeyboard(browser: Browser, folder: string): Promise<void> {
  const { page, troubles } = await open(browser, VIEWS[1])
  const expect = async (what: string, condition: string): Promise<void> => {
    await page.waitForFunction(condition, undefined, { timeout: 30_000 }).catch(() => {
      throw new Error(`By keyboard: ${what}`)
    })
  }
  await page.goto(addressOf(folder, 'theory.html'))
  await page.keyboard.press('Tab')
  await expect('the first stop skips to the text', 'document.activeElement.className === "skip"')
  await page.keyboard.press('/')
  await expect('"/" leads to the search', 'document.activeElement.id === "search"')
  await page.keyboard.type('held-out certificate')
  await expect('the search finds', 'document.querySelectorAll(".results a").length > 0')
  await page.keyboard.press('ArrowDown')
  await expect('an arrow leads to the results', 'document.activeElement.closest(".results a") !== null')
  await page.keyboard.press('Escape')
  await expect('Escape closes the results', 'document.querySelector(".results").hidden')
  await page.getByRole('button', { name: 'Menu' }).press('Enter')
  await expect('the menu opens', 'document.querySelector(".menu").offsetHeight > 0')
  await page.keyboard.press('Escape')
  await expect('Escape closes the menu', 'document.querySelector(".menu").offsetHeight === 0')
  await page.getByRole('button', { name: 'Light theme' }).press('Enter')
  await expect('the theme changes', 'document.documentElement.dataset.theme === "light"')
  await page.goto(addressOf(folder, 'index.html'))
  await expect('the theme stays', 'document.documentElement.dataset.theme === "light"')
  if (troubles.length > 0) throw new Error(`By keyboard: ${troubles.join('\n')}`)
  await page.close()
}

async function checkReport(browser: Browser, folder: string, report: string): Promise<void> {
  const { page, troubles } = await open(browser, VIEWS[0])
  await page.goto(addressOf(folder, report))
  await page.locator('.segments').waitFor()
  if (troubles.length > 0) throw new Error(`${report}: ${troubles.join('\n')}`)
  await page.close()
}
