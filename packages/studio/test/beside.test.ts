// Two results side by side: two scores of one file, two models, two files. What is kept survives a refresh; rows are never kept.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compareScores, makeTable } from '@featureboost/core'
import { makeRandom } from '@featureboost/core/internal'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit, checkAccess, goTo, loadFile, onPage, openStudio, type Studio, setRole } from './pages.ts'

let studio: Studio
let loans: string
let later: string
const rows = drawRows(1200, 3)

beforeAll(async () => {
  studio = await openStudio()
  loans = join(studio.folder, 'loans.csv')
  later = join(studio.folder, 'later.csv')
  await writeFile(loans, csvOf(rows))
  await writeFile(later, csvOf(drawRows(900, 4)))
}, 10 * 60_000)

afterAll(() => studio?.close(), 60_000)

/** The second score is the first one drawn to the middle. */
function drawRows(count: number, seed: number) {
  const random = makeRandom(seed)
  const score = Array.from({ length: count }, () => Math.round(900 * random.next() + 50) / 1000)
  return {
    region: score.map(() => ['east', 'north', 'west'][random.integer(3)]),
    age: score.map(() => 20 + random.integer(50)),
    score,
    weaker: score.map(p => Math.round(1000 * (0.3 * p + 0.35)) / 1000),
    y: score.map(p => Number(random.next() < p)),
  }
}

function csvOf(columns: Record<string, readonly (string | number)[]>): string {
  const names = Object.keys(columns)
  const lines = columns[names[0]].map((_, row) => names.map(name => columns[name][row]).join(','))
  return `${names.join(',')}\n${lines.join('\n')}\n`
}

describe('two results', { timeout: 5 * 60_000 }, () => {
  it('of one file stand side by side, with paired differences that are those of the library', async () => {
    await onPage(studio, async page => {
      await loadFile(page, loans)
      await setRole(page, 'score', 'score')
      await setRole(page, 'weaker', 'out')
      await audit(page)
      await page.getByRole('button', { name: 'Keep to compare' }).click()
      await page.getByText('Kept as A.', { exact: true }).waitFor()
      await goTo(page, 'Data')
      await setRole(page, 'score', 'out')
      await setRole(page, 'weaker', 'score')
      await audit(page)
      const beside = page.getByRole('region', { name: 'Side by side' })
      await beside.getByRole('heading', { name: 'A: score' }).waitFor()
      await beside.getByRole('heading', { name: 'B: weaker' }).waitFor()
      await beside.getByRole('button', { name: 'Compare on the same rows' }).click()
      await beside.getByText('Both on the same 1,200 rows').waitFor()
      const table = makeTable(rows)
      const { measures } = await compareScores(table, {
        ...{ label: 'y', prediction: 'score', other: 'weaker', features: ['region', 'age'] },
        ...{ draws: 0, changes: 'sure' },
      })
      const text = await beside.getByRole('row', { name: /^log loss/ }).innerText()
      const { a, b, difference } = measures.logLoss!
      expect(text).toContain(a.value.toFixed(4))
      expect(text).toContain(b.value.toFixed(4))
      expect(text).toContain((-difference.value).toFixed(4))
      expect(text).toContain('A is better')
      await checkAccess(page)
    })
  })

  it('of two models are compared on the rows that neither was fitted to, and are there after a refresh', async () => {
    await onPage(studio, async page => {
      await loadFile(page, loans)
      await setRole(page, 'weaker', 'score')
      await goTo(page, 'Fit')
      await page.getByText('More options').click()
      await page.getByLabel('holdout').fill('0.4')
      await page.getByLabel('method').selectOption('platt')
      await page.getByRole('button', { name: 'Fit a correction' }).click()
      await page.getByRole('button', { name: 'Keep to compare' }).click()
      await page.getByLabel('method').selectOption('isotonic')
      await page.getByRole('button', { name: 'Fit a correction' }).click()
      const beside = page.getByRole('region', { name: 'Side by side' })
      await beside.getByRole('button', { name: 'Compare on the same rows' }).click()
      await beside.getByText(/Both on the same held-out \d+ rows/).waitFor()
      const shown = await beside.innerText()
      await page.reload()
      await beside.waitFor()
      expect(await beside.innerText()).toBe(shown)
      await beside.getByRole('button', { name: 'Do not compare' }).click()
      await beside.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Keep to compare' }).waitFor()
    })
  })

  it('of two files stand side by side without differences, and the page says why', async () => {
    await onPage(studio, async page => {
      await loadFile(page, loans)
      await setRole(page, 'score', 'score')
      await audit(page)
      await page.getByRole('button', { name: 'Keep to compare' }).click()
      await page.locator('a.brand').click()
      await page.locator('input[type=file]').setInputFiles(later)
      await page.getByText('What is kept to compare with stays.').waitFor()
      await page.getByRole('button', { name: 'Load later.csv' }).click()
      await page.getByRole('heading', { name: 'later.csv' }).waitFor()
      await setRole(page, 'score', 'score')
      await audit(page)
      const beside = page.getByRole('region', { name: 'Side by side' })
      await beside.getByText('in loans.csv, 1,200 rows').waitFor()
      await beside.getByText('in later.csv, 900 rows').waitFor()
      await beside.getByText('there is no paired interval').waitFor()
      expect(await beside.getByRole('button', { name: 'Compare on the same rows' }).count()).toBe(0)
      const kept = await page.evaluate<string>(`new Promise(done => {
        const asked = indexedDB.open('featureboost-studio')
        asked.onsuccess = () => {
          const all = asked.result.transaction('kept').objectStore('kept').getAll()
          all.onsuccess = () => done(JSON.stringify(all.result))
        }
      })`)
      const [line] = (await readFile(loans, 'utf8')).split('\n').slice(1)
      expect(kept).toContain('loans.csv')
      expect(kept).not.toContain(line)
    })
  })
})
