// Nothing is lost: the story on five kinds of files, with a refresh and a step back at every step, at a desk and on a phone.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
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
  roleOf,
  type Studio,
  setRole,
} from './pages.ts'

const DESK = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

let studio: Studio
beforeAll(async () => {
  studio = await openStudio()
}, 20 * 60_000)
afterAll(() => studio?.close(), 60_000)

/** A file of so many rows: numbers that follow from the row alone. */
async function write(
  name: string,
  header: readonly string[],
  row: (index: number) => readonly unknown[],
  rows = 400,
) {
  const path = join(studio.folder, name)
  const lines = Array.from({ length: rows }, (_, index) => row(index).join(','))
  await writeFile(path, `${[header.join(','), ...lines].join('\n')}\n`)
  return path
}

const age = (row: number) => 18 + ((row * 13) % 60)
const city = (row: number) => ['north', 'south', 'west'][row % 3]
const share = (row: number) => ((row * 37) % 101) / 101
const happened = (row: number) => Number((row * 7919) % 100 < 100 * share(row))

/** What tells that a view is there, as it was: its heading, and what it found. */
async function seen(page: Page, heading: string): Promise<string> {
  await page.getByRole('heading', { name: heading, exact: true }).waitFor()
  const verdict = page.locator('.ev-verdict')
  return (await verdict.count()) === 0 ? '' : await verdict.innerText()
}

/** The view survives a refresh; back leads to the one before, and forward here again: at both widths. */
async function expectKept(page: Page, heading: string, before: string): Promise<void> {
  const found = await seen(page, heading)
  for (const size of [PHONE, DESK]) {
    await page.setViewportSize(size)
    await page.reload()
    expect(await seen(page, heading)).toBe(found)
    await page.goBack()
    await seen(page, before)
    await page.goForward()
    expect(await seen(page, heading)).toBe(found)
    await checkLayout(page, [size.width])
  }
}

const START = 'Is your score right for every group?'

/** Rows are not kept: the file is chosen again. */
async function chooseAgain(page: Page, path: string): Promise<void> {
  await page.locator('#reopen input[type=file]').setInputFiles(path)
  await page.locator('#reopen').waitFor({ state: 'detached' })
}

async function fit(page: Page): Promise<void> {
  await goTo(page, 'Fit')
  await page.getByText('More options').click()
  await page.getByLabel('method').selectOption('platt')
  await page.getByRole('button', { name: 'Fit a correction' }).click()
  await page.getByRole('heading', { name: 'Before and after' }).waitFor()
}

/** Audit and fit, each with a refresh; the audit is there after the fit. */
async function auditAndFit(page: Page, path: string): Promise<void> {
  await audit(page)
  await expectKept(page, 'Audit', 'Columns')
  const audited = await seen(page, 'Audit')
  await chooseAgain(page, path)
  await fit(page)
  await expectKept(page, 'Before and after', 'Audit')
  await goTo(page, 'Audit')
  expect(await seen(page, 'Audit')).toBe(audited)
  await goTo(page, 'Take home')
  await expectKept(page, 'The correction', 'Audit')
}

/** Costs and a threshold, which change what is told of every group; kept like all else. */
async function decide(page: Page, path: string): Promise<void> {
  await goTo(page, 'Fit')
  await chooseAgain(page, path)
  await page.getByRole('button', { name: 'Decide by this score' }).click()
  const rows = page.getByRole('region', { name: 'Decisions, as a table' }).locator('tbody tr')
  await rows.filter({ hasText: 'city = west' }).waitFor()
  expect(await rows.count()).toBe(4)
  const told = await rows.first().innerText()
  await page.getByLabel('Cost of passing over somebody with it').fill('1')
  await page.getByText('Select from a score of 0.50').waitFor()
  expect(await rows.first().innerText()).not.toBe(told)
  await page.getByRole('slider', { name: /^Select from/ }).press('ArrowRight')
  await page.getByText('Select from a score of 0.51').waitFor()
  await page.reload()
  await rows.first().waitFor()
}

describe('where there are results', { timeout: 5 * 60_000 }, () => {
  it('another file is taken after a question, and one that is dropped as well', async () => {
    const [one, two] = ['one', 'two'].map(name =>
      write(`${name}.csv`, ['age', 'score', 'y'], row => [age(row), share(row), happened(row)], 80),
    )
    await onPage(studio, async page => {
      await loadFile(page, await one)
      await audit(page)
      const file = await page.evaluateHandle<DataTransfer>(`(() => {
        const data = new DataTransfer()
        data.items.add(new File(['age,y\\n1,0\\n2,1\\n'], 'dropped.csv'))
        return data
      })()`)
      await page.dispatchEvent('main', 'drop', { dataTransfer: file })
      await page.getByRole('button', { name: 'Keep one.csv' }).click()
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('one.csv')
      await page.getByRole('link', { name: 'Load another file' }).click()
      await page.locator('input[type=file]').setInputFiles(await two)
      await checkAccess(page)
      await page.getByRole('button', { name: 'Load two.csv' }).click()
      await page.getByRole('heading', { name: 'two.csv' }).waitFor()
      await goTo(page, 'Audit')
      expect(await page.locator('.ev-verdict').count()).toBe(0)
    })
  })

  it('a browser that keeps nothing says so, and asks before the page is left', async () => {
    const path = await write(
      'private.csv',
      ['age', 'score', 'y'],
      row => [age(row), share(row), happened(row)],
      80,
    )
    await onPage(studio, async page => {
      await refuseStore(page)
      await loadFile(page, path)
      await audit(page)
      await page.getByText('This browser lets the page keep nothing').waitFor()
      await checkAccess(page)
      await expectAskedBeforeLeaving(page)
      await page.getByRole('heading', { name: START }).waitFor()
    })
  })
})

describe('a refresh and a step back lose nothing', { timeout: 5 * 60_000 }, () => {
  it('of scores from 0 to 100, which one click reads as percent', async () => {
    const path = await write('percent.csv', ['age', 'city', 'score', 'default'], row => [
      ...[age(row), city(row), (100 * share(row)).toFixed(0), happened(row)],
    ])
    await onPage(studio, async page => {
      await loadFile(page, path)
      expect(await roleOf(page, 'score')).toBe('score')
      await page.getByText('these look like percentages').waitFor()
      await checkAccess(page)
      await page.getByRole('button', { name: 'Read as percent' }).click()
      await expectKept(page, 'Columns', START)
      expect(await page.getByLabel('Scale of score').inputValue()).toBe('percent')
      await chooseAgain(page, path)
      await auditAndFit(page, path)
      await decide(page, path)
      await checkAccess(page)
    })
  })

  it('of labels that are good and bad, of which one click says what counts as 1', async () => {
    const path = await write('loans.csv', ['age', 'city', 'score', 'outcome'], row => [
      ...[age(row), city(row), share(row).toFixed(3), happened(row) === 1 ? 'bad' : 'good'],
    ])
    await onPage(studio, async page => {
      await loadFile(page, path)
      await page.getByText('Two values, good and bad. Which of them counts as 1?').waitFor()
      await checkAccess(page)
      await page.getByRole('button', { name: 'bad counts as 1' }).click()
      await expectKept(page, 'Columns', START)
      await chooseAgain(page, path)
      await auditAndFit(page, path)
      await goTo(page, 'Data')
      await setRole(page, 'age', 'out')
      await goTo(page, 'Audit')
      await page.getByText('Out of date.').waitFor()
      await expectKept(page, 'Audit', 'Columns')
      await goTo(page, 'Data')
      await setRole(page, 'age', 'feature')
      await goTo(page, 'Fit')
      expect(await page.getByText('Out of date.').count()).toBe(0)
    })
  })

  it('of a table without a score, whose labels are 1 and 2', async () => {
    const path = await write('raw.csv', ['age', 'city', 'target'], row => [
      age(row),
      city(row),
      1 + happened(row),
    ])
    await onPage(studio, async page => {
      await loadFile(page, path)
      await page.getByText('No score is chosen').waitFor()
      await page.getByRole('button', { name: '2 counts as 1' }).click()
      await expectKept(page, 'Columns', START)
      await goTo(page, 'Audit')
      await page.getByText('No column is the score').waitFor()
      await expectKept(page, 'Audit', 'Columns')
      await goTo(page, 'Data')
      await chooseAgain(page, path)
      await fit(page)
      await expectKept(page, 'Before and after', 'Columns')
    })
  })

  it('of 2,000 columns; one more is refused, as on the command line', async () => {
    const features = Array.from({ length: 1998 }, (_, column) => `x${column}`)
    // Most hold one value, so that there is little to search, and as much to show.
    const row = (index: number) => [
      share(index).toFixed(3),
      happened(index),
      ...features.map((_, column) => (column < 10 ? (index * column) % 7 : 0)),
    ]
    const path = await write('wide.csv', ['score', 'y', ...features], row, 60)
    const wider = await write(
      'wider.csv',
      ['score', 'y', 'more', ...features],
      index => [...row(index), 1],
      2,
    )
    await onPage(studio, async page => {
      await page.locator('input[type=file]').setInputFiles(wider)
      await page.getByRole('alert').getByText('2,001 columns; at most 2,000 are read here').waitFor()
      await loadFile(page, path)
      await expectKept(page, 'Columns', START)
      await chooseAgain(page, path)
      await audit(page)
      await expectKept(page, 'Audit', 'Columns')
    })
  })

  it('of the example, which needs no file', async () => {
    await onPage(studio, async page => {
      await page.getByRole('button', { name: 'Try the example' }).click()
      await expectKept(page, 'Columns', START)
      await audit(page)
      await expectKept(page, 'Audit', 'Columns')
      const found = await seen(page, 'Audit')
      await goTo(page, 'Fit')
      await page.getByRole('button', { name: 'Fit a correction' }).click()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByText('Stopped. Nothing was changed.').waitFor()
      await expectKept(page, 'Fit', 'Audit')
      await page.goBack()
      expect(await seen(page, 'Audit')).toBe(found)
    })
  })
})
