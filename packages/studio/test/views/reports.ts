// Reports for tests: the template, built from the sources as they are, with evidence inside, opened as a file in Chromium. A
// page that asks for anything, opens a dialog or has an error fails its test.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Evidence, reportHtml } from '@featureboost/core'
import type { MonitorEvidence } from '@featureboost/core/internal'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { build } from 'vite'
import { expect } from 'vitest'
import { findChromium } from '../../../../scripts/find-chromium.ts'

const LAUNCH_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND',
]

export async function buildTemplate(): Promise<string> {
  const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
  const built = await build({
    configFile: path('../../vite.config.ts'),
    logLevel: 'warn',
    build: { write: false, rolldownOptions: { input: path('../../report.html') } },
  })
  if (!('output' in built)) throw new Error('the build gave no output')
  const html = built.output.find(({ fileName }) => fileName.endsWith('report.html'))
  return String((html as { source: string }).source)
}

interface ReportOptions extends BrowserContextOptions {
  /** Trouble that is asked for. */
  readonly expected?: RegExp
  /** Runs before the report's own. */
  readonly script?: string
}

export class Reports {
  readonly template: string
  readonly #browser: Browser
  readonly #folder: string
  #count = 0

  private constructor(template: string, browser: Browser, folder: string) {
    this.template = template
    this.#browser = browser
    this.#folder = folder
  }

  static async open(): Promise<Reports> {
    const executablePath = await findChromium()
    const [template, browser, folder] = await Promise.all([
      buildTemplate(),
      chromium.launch({ executablePath, args: LAUNCH_ARGS, timeout: 120_000 }),
      mkdtemp(join(tmpdir(), 'featureboost-report-')),
    ])
    return new Reports(template, browser, folder)
  }

  async close(): Promise<void> {
    await this.#browser.close()
    await rm(this.#folder, { recursive: true, force: true })
  }

  /** Shows a report, uses it, closes it. */
  async on<T>(
    evidence: Evidence | MonitorEvidence,
    use: (page: Page) => Promise<T>,
    { expected, script, ...options }: ReportOptions = {},
  ): Promise<T> {
    const file = join(this.#folder, `${this.#count++}.html`)
    await writeFile(file, reportHtml(this.template, evidence))
    const context = await this.#browser.newContext({ acceptDownloads: true, ...options })
    const troubles: string[] = []
    const home = pathToFileURL(file).href
    context.on('request', request => {
      if (request.url() !== home && !/^(data|blob):/.test(request.url())) troubles.push(request.url())
    })
    context.on('weberror', error => troubles.push(String(error.error())))
    context.on('console', message => {
      if (message.type() === 'error') troubles.push(message.text())
    })
    context.on('dialog', dialog => {
      troubles.push(`dialog ${dialog.message()}`)
      void dialog.dismiss()
    })
    try {
      const page = await context.newPage()
      page.setDefaultTimeout(20_000)
      if (script !== undefined) await page.addInitScript(script)
      await page.goto(home)
      await page.waitForSelector('.evidence')
      // Figures are drawn one after the other; those of a monitor all at once.
      await page.locator('.panels[aria-busy=true]').waitFor({ state: 'detached' })
      const result = await use(page)
      expect(troubles.filter(trouble => !expected?.test(trouble))).toEqual([])
      return result
    } finally {
      await context.close()
    }
  }
}
