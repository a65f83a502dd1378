// A browser, the built page served by the command line's own server, and a page that may not ask for anything else.

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import axe from 'axe-core'
import { type Browser, chromium, type Download, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { findChromium } from '../../../scripts/find-chromium.ts'
import { type StudioServer, serveStudio } from '../../cli/src/studio/server.ts'
import { checkLayout } from './layout.ts'

const LAUNCH_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
]

export interface Studio {
  readonly url: string
  /** For files that are loaded and saved. */
  readonly folder: string
  readonly browser: Browser
  close(): Promise<void>
}

export async function openStudio(): Promise<Studio> {
  const folder = await mkdtemp(join(tmpdir(), 'featureboost-story-'))
  const executablePath = await findChromium()
  const browser = await chromium.launch({ executablePath, args: LAUNCH_ARGS, timeout: 120_000 })
  const server: StudioServer = await serveStudio(0)
  return {
    url: server.url,
    folder,
    browser,
    close: async () => {
      await browser.close()
      await server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Opens the page, uses it, closes it; fails if it had an error or asked for anything but itself. */
export async function onPage<T>(
  { browser, url }: Studio,
  use: (page: Page) => Promise<T>,
  home = url,
): Promise<T> {
  const context = await browser.newContext({ acceptDownloads: true, viewport: { width: 1280, height: 900 } })
  context.setDefaultTimeout(60_000)
  const asked: string[] = []
  const errors: string[] = []
  await context.route('**/*', async route => {
    asked.push(route.request().url())
    await route.continue()
  })
  context.on('weberror', error => errors.push(String(error.error())))
  context.on('console', message => {
    if (message.type() === 'error') errors.push(message.text())
  })
  try {
    const page = await context.newPage()
    await page.goto(home)
    const result = await use(page)
    expect(errors).toEqual([])
    expect(asked.filter(each => each !== home && !/^(blob|data):/.test(each))).toEqual([])
    return result
  } finally {
    await context.close()
  }
}

export async function loadFile(page: Page, path: string): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(path)
  await page.getByRole('heading', { name: 'Columns' }).waitFor()
}

/** The text of what a button saves. */
export async function saved(page: Page, name: string | RegExp): Promise<{ file: string; text: string }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name, exact: true }).first().click(),
  ])
  return { file: download.suggestedFilename(), text: await textOf(download) }
}

const textOf = async (download: Download): Promise<string> => await readFile(await download.path(), 'utf8')

export const roleOf = (page: Page, column: string): Promise<string> =>
  page.getByLabel(`Role of ${column}`, { exact: true }).inputValue()

export const setRole = (page: Page, column: string, role: string): Promise<unknown> =>
  page.getByLabel(`Role of ${column}`, { exact: true }).selectOption(role)

/** Ends when the step is shown: an address is changed first, and drawn after that. */
export async function goTo(page: Page, step: 'Data' | 'Audit' | 'Fit' | 'Take home'): Promise<void> {
  const steps = page.getByRole('navigation', { name: 'Steps' })
  await steps.getByRole('link', { name: step }).click()
  await steps.locator('a[aria-current=page]', { hasText: step }).waitFor()
}

export async function audit(page: Page): Promise<void> {
  await goTo(page, 'Audit')
  await page.getByRole('button', { name: /^Audit (the score|again)$/ }).click()
  await page.getByRole('heading', { name: 'Segment map' }).waitFor()
}

/** Ends where the model is taken home. */
export async function fit(page: Page): Promise<void> {
  await goTo(page, 'Fit')
  await page.getByRole('button', { name: 'Fit a correction' }).click()
  await page.getByRole('heading', { name: 'Before and after' }).waitFor()
  await goTo(page, 'Take home')
}

/** The command that is printed with what goes home. */
export async function commandOf(page: Page, of: 'The correction' | 'The audit'): Promise<string> {
  await goTo(page, 'Take home')
  const home = page.getByRole('region', { name: of })
  return (await home.locator('.command pre').textContent())!.trim()
}

/** From now on the browser keeps nothing, as in a private window. */
export async function refuseStore(page: Page): Promise<void> {
  await page.addInitScript(`Object.defineProperty(window, 'indexedDB', {
    get() { throw new DOMException('refused', 'SecurityError') },
  })`)
  await page.reload()
}

export async function expectAskedBeforeLeaving(page: Page): Promise<void> {
  const asked: string[] = []
  page.on('dialog', async dialog => {
    asked.push(dialog.type())
    await dialog.accept()
  })
  await page.reload()
  expect(asked).toEqual(['beforeunload'])
}

/** Nothing keeps people out, in both themes, and nothing is cut, at a desk and on a phone. */
export async function checkAccess(page: Page): Promise<void> {
  await checkLayout(page)
  // The page's policy runs no script but its own; this one is put in by the debugger.
  await page.evaluate(axe.source)
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    const found = await page.evaluate<{ id: string; impact: string; nodes: string[] }[]>(`axe
      .run(document, { resultTypes: ['violations'] })
      .then(({ violations }) => violations.map(({ id, impact, nodes }) => ({
        id, impact, nodes: nodes.slice(0, 3).map(({ html, failureSummary }) => html.slice(0, 200) + ' ' + failureSummary),
      })))`)
    expect(found, `${theme}: ${JSON.stringify(found, null, 1)}`).toEqual([])
  }
  await page.emulateMedia({ colorScheme: 'light' })
}
