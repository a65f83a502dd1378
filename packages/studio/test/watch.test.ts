// A monitor in the page: its state is opened, shown as in its report, added to and taken home; nothing of it is lost, and what is wrong with
// it is said in words.

import { execFile } from 'node:child_process'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkLayout } from './layout.ts'
import {
  audit,
  checkAccess,
  expectAskedBeforeLeaving,
  goTo,
  loadFile,
  onPage,
  openStudio,
  refuseStore,
  type Studio,
  saved,
} from './pages.ts'
import { lendingCsv } from './people.ts'

const MAIN = fileURLToPath(new URL('../../cli/bin/featureboost.js', import.meta.url))
const START = 'Is your score right for every group?'

let studio: Studio
beforeAll(async () => {
  studio = await openStudio()
  await writeFile(at('loans.csv'), lendingCsv(1500))
  await writeFile(at('week-1.csv'), lendingCsv(900, 11))
  await writeFile(at('week-2.csv'), wrongCsv(12))
  const fit = 'fit loans.csv --label defaulted --prediction score --except id,applied --no-audit --quiet'
  await line(`${fit} --method platt --out loans.fb.json`)
  await line(`${fit} --method isotonic --out other.fb.json`)
  await line('monitor watch.json loans.csv --model loans.fb.json --start --protect region')
  await line('monitor watch.json week-1.csv --model loans.fb.json')
}, 20 * 60_000)
afterAll(() => studio?.close(), 60_000)

const at = (name: string) => join(studio.folder, name)
const text = (name: string) => readFile(at(name), 'utf8')

const line = (args: string) =>
  promisify(execFile)('sh', ['-c', `exec "${process.execPath}" "${MAIN}" ${args}`], {
    cwd: studio.folder,
    timeout: 120_000,
  })

/** Everybody in the north defaults. */
const wrongCsv = (seed: number): string =>
  lendingCsv(900, seed)
    .split('\n')
    .map(row => (row.includes(',north,') ? row.replace(/[^,]*$/, '1') : row))
    .join('\n')

/** At the start of the page, or through a button of the view. */
async function choose(page: Page, names: readonly string[], within = '.drop'): Promise<void> {
  await page.locator(`${within} input[type=file]`).setInputFiles(names.map(at))
}

const ADD = 'section[aria-labelledby=add-batch-title]'
const verdict = (page: Page): Promise<string> => page.locator('.ev-verdict').innerText()
const shows = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

/** Files from outside, as a person drops them. */
async function drop(page: Page, names: readonly string[]): Promise<void> {
  const files = await Promise.all(names.map(async name => [name, await text(name)] as const))
  const data = await page.evaluateHandle<DataTransfer>(`(() => {
    const data = new DataTransfer()
    for (const [name, text] of ${JSON.stringify(files)}) data.items.add(new File([text], name))
    return data
  })()`)
  await page.dispatchEvent('main', 'drop', { dataTransfer: data })
}

async function addWeekTwo(page: Page): Promise<void> {
  await choose(page, ['week-2.csv'], ADD)
  await page.getByRole('button', { name: 'Add the batch' }).click()
  await page.locator('#new-state').waitFor()
}

describe('the state of a monitor', { timeout: 5 * 60_000 }, () => {
  it('is shown by itself, with verdict, timeline, groups and columns, and asks for its model', async () => {
    await onPage(studio, async page => {
      await choose(page, ['watch.json'])
      await shows(page, 'watch.json')
      expect(await verdict(page)).toContain('No alarm.')
      expect(await page.locator('#announced').textContent()).toMatch(/^watch\.json: No alarm\. /)
      expect(await page.evaluate('document.activeElement.id')).toBe('watch-title')
      for (const name of ['Evidence over time', 'Everyone, batch by batch', 'Groups', 'Columns and score'])
        await page.getByRole('heading', { name, exact: true }).waitFor()
      const { modelHash } = JSON.parse(await text('watch.json'))
      expect(await page.locator('#ask-model').innerText()).toContain(modelHash)
      await checkAccess(page)
      await checkLayout(page, [390, 1024, 1440])
      await choose(page, ['loans.fb.json'], '#ask-model')
      await page.getByRole('heading', { name: 'Add a batch' }).waitFor()
      expect(await page.locator('#ask-model').count()).toBe(0)
    })
  })

  it.each([
    ['before its model', [['watch.json'], ['loans.fb.json']]],
    ['after its model', [['loans.fb.json'], ['watch.json']]],
    ['together with it', [['loans.fb.json', 'watch.json']]],
  ])('may be dropped %s', async (_, drops) => {
    await onPage(studio, async page => {
      for (const names of drops) {
        await drop(page, names)
        if (names.includes('watch.json')) await shows(page, 'watch.json')
        else if (drops.length > 1 && names === drops[0]) await page.locator('#waiting-model').waitFor()
      }
      await page.getByRole('heading', { name: 'Add a batch' }).waitFor()
    })
  })

  it('is there after a refresh, back and forward, and beside a table', async () => {
    await onPage(studio, async page => {
      await choose(page, ['loans.fb.json'])
      await page.locator('#waiting-model').waitFor()
      await checkAccess(page)
      await page.reload()
      await choose(page, ['watch.json'])
      await shows(page, 'watch.json')
      const found = await verdict(page)
      await page.reload()
      await shows(page, 'watch.json')
      expect(await verdict(page)).toBe(found)
      await page.goBack()
      await page.getByRole('heading', { name: START }).waitFor()
      await checkAccess(page)
      await page.goForward()
      await shows(page, 'watch.json')
      await page.getByRole('link', { name: 'Load another file' }).click()
      await loadFile(page, at('week-1.csv'))
      await page.reload()
      await shows(page, 'week-1.csv')
      await page.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name: 'Watch' }).click()
      await shows(page, 'watch.json')
      await checkAccess(page)
      await page.getByRole('link', { name: 'Load another file' }).click()
      await page.getByRole('button', { name: 'Forget week-1.csv and its results' }).click()
      await page.getByRole('link', { name: 'Go on with watch.json' }).click()
      expect(await verdict(page)).toBe(found)
      await page.getByRole('link', { name: 'Load another file' }).click()
      await page.getByRole('button', { name: 'Forget watch.json and its model' }).click()
      await page.reload()
      await page.getByRole('heading', { name: START }).waitFor()
      expect(await page.getByRole('link', { name: /^Go on with/ }).count()).toBe(0)
    })
  })
})

describe('a batch', { timeout: 5 * 60_000 }, () => {
  it('that is added gives the view, the state and the report of the command line', async () => {
    await onPage(studio, async page => {
      await choose(page, ['watch.json', 'loans.fb.json'])
      await shows(page, 'watch.json')
      await drop(page, ['week-2.csv'])
      await page.getByText('Add week-2.csv to watch.json as a batch?').waitFor()
      expect(await page.getByLabel('Name of the batch').inputValue()).toBe('week-2')
      await page.getByText('More', { exact: true }).click()
      await checkAccess(page)
      await page.getByRole('button', { name: 'Add the batch' }).click()
      await page.locator('#new-state').waitFor()
      expect(await verdict(page)).toContain('Alarm.')
      expect(await page.locator('#announced').textContent()).toMatch(
        /^Batch week-2 is added\. watch\.json: Alarm\. /,
      )
      const command = (await page.locator('.command pre').textContent())!.trim()
      expect(command).toBe('featureboost monitor watch.json week-2.csv --model loans.fb.json')
      await checkAccess(page)
      await checkLayout(page, [390, 1024, 1440])
      await page.reload()
      await page.locator('#new-state').waitFor()
      expect(await verdict(page)).toContain('Alarm.')
      const state = await saved(page, 'Save watch.json')
      const report = await saved(page, 'Report (HTML)')
      expect([state.file, report.file]).toEqual(['watch.json', 'watch-report.html'])
      expect(await page.locator('#new-state').count()).toBe(0)
      await copyFile(at('watch.json'), at('before.json'))
      await line(command.replace(/^featureboost /, ''))
      await line('monitor watch.json --model loans.fb.json --report watch-report.html')
      expect(state.text).toBe(await text('watch.json'))
      expect(report.text).toBe(await text('watch-report.html'))
      await copyFile(at('before.json'), at('watch.json'))
    })
  })

  it('waits for the model, and may be a table after all', async () => {
    await onPage(studio, async page => {
      await choose(page, ['watch.json'])
      await shows(page, 'watch.json')
      await drop(page, ['week-2.csv'])
      await page.getByText('That takes the model that is watched').waitFor()
      await checkAccess(page)
      await choose(page, ['loans.fb.json'], 'form.batch')
      await page.getByRole('button', { name: 'Add the batch' }).waitFor()
      await page.getByRole('button', { name: 'Load it as a table' }).click()
      await shows(page, 'week-2.csv')
      await audit(page)
      await page.goBack()
      await page.goBack()
      await shows(page, 'watch.json')
      expect(await page.locator('form.batch').count()).toBe(0)
      await goTo(page, 'Audit')
      await page.locator('.ev-verdict').waitFor()
    })
  })

  it('that was recorded before is refused in words, and the question stays', async () => {
    await onPage(studio, async page => {
      await choose(page, ['watch.json', 'loans.fb.json'])
      await shows(page, 'watch.json')
      await choose(page, ['week-1.csv'], ADD)
      await page.getByRole('button', { name: 'Add the batch' }).click()
      const alert = page.getByRole('alert')
      await alert.getByText('These rows were recorded before, as batch week-1.').waitFor()
      await alert.getByText('FB_MONITOR_BATCH').waitFor()
      await checkAccess(page)
      await page.getByText('More', { exact: true }).click()
      await page.getByLabel(/Count the rows even if they were recorded before/).check()
      await page.getByLabel('Name of the batch').fill('once more')
      await page.getByRole('button', { name: 'Add the batch' }).click()
      await page.locator('#new-state').waitFor()
      expect(await page.locator('.command pre').textContent()).toContain("--batch 'once more' --again")
    })
  })

  it('that was not saved is not lost to another state without a question', async () => {
    await copyFile(at('watch.json'), at('second.json'))
    await onPage(studio, async page => {
      await choose(page, ['watch.json', 'loans.fb.json'])
      await shows(page, 'watch.json')
      await addWeekTwo(page)
      await drop(page, ['second.json'])
      await page.getByText('Open second.json instead?').waitFor()
      await checkAccess(page)
      await page.getByRole('button', { name: 'Keep watch.json' }).click()
      expect(await verdict(page)).toContain('Alarm.')
      await drop(page, ['second.json'])
      await page.getByRole('button', { name: 'Open second.json' }).click()
      await shows(page, 'second.json')
      expect(await verdict(page)).toContain('No alarm.')
      await page.getByRole('heading', { name: 'Add a batch' }).waitFor()
    })
  })

  it('that a browser cannot keep is asked about before the page is left', async () => {
    await onPage(studio, async page => {
      await refuseStore(page)
      await choose(page, ['watch.json', 'loans.fb.json'])
      await shows(page, 'watch.json')
      await addWeekTwo(page)
      await page.getByText('This browser lets the page keep nothing').waitFor()
      await expectAskedBeforeLeaving(page)
      await page.getByRole('heading', { name: START }).waitFor()
    })
  })
})

describe('what is wrong with a state is said with a code, and no stack', { timeout: 5 * 60_000 }, () => {
  it.each([
    [
      'an edited one',
      (state: string) => state.replace('"delta": 0.05', '"delta": 0.5'),
      'the state does not match its own seal.',
    ],
    ['one that is cut off', (state: string) => state.slice(0, 900), 'not JSON'],
    [
      'one of a later version',
      (state: string) => state.replace('"version": 1', '"version": 2'),
      'A newer featureboost wrote this state',
    ],
  ])('of %s', async (_, change, words) => {
    await writeFile(at('changed.json'), change(await text('watch.json')))
    await onPage(studio, async page => {
      await choose(page, ['changed.json'])
      const alert = page.getByRole('alert')
      await alert.getByText('This did not work.').waitFor()
      const said = await alert.innerText()
      expect(said).toContain('FB_MONITOR_FORMAT')
      expect(said).toContain(words)
      expect(said).not.toMatch(/\bat \S+ \(|blob:/)
      await checkAccess(page)
      await page.getByRole('heading', { name: START }).waitFor()
    })
  })

  it('of one whose model is another, and the state is shown without it', async () => {
    await onPage(studio, async page => {
      await drop(page, ['other.fb.json', 'watch.json'])
      await page.getByRole('alert').getByText('This monitor was started with another model.').waitFor()
      await page.getByRole('alert').getByText('FB_MONITOR_MODEL').waitFor()
      await shows(page, 'watch.json')
      await checkAccess(page)
      await choose(page, ['other.fb.json'], '#ask-model')
      await page.getByRole('alert').getByText('FB_MONITOR_MODEL').waitFor()
      await choose(page, ['loans.fb.json'], '#ask-model')
      await page.getByRole('heading', { name: 'Add a batch' }).waitFor()
      expect(await page.getByRole('alert').count()).toBe(0)
    })
  })
})
