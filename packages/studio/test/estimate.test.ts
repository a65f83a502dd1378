// An audit that takes long says so, before it begins and while it runs, and takes less with one click.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeRandom } from '@featureboost/core/internal'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkAccess, commandOf, goTo, loadFile, onPage, openStudio, type Studio, setRole } from './pages.ts'

let studio: Studio
let wide: string

beforeAll(async () => {
  studio = await openStudio()
  wide = join(studio.folder, 'wide.csv')
  await writeFile(wide, wideCsv(3000, 180))
}, 10 * 60_000)

afterAll(() => studio?.close(), 60_000)

/** Every column varies. */
function wideCsv(rows: number, columns: number): string {
  const random = makeRandom(7)
  const names = ['y', 'score', ...Array.from({ length: columns }, (_, column) => `x${column}`)]
  const lines = Array.from({ length: rows }, () => {
    const score = random.next()
    const values = Array.from({ length: columns }, () => random.integer(1000))
    return [Number(random.next() < score), score.toFixed(3), ...values].join(',')
  })
  return `${names.join(',')}\n${lines.join('\n')}\n`
}

describe('a long audit', { timeout: 5 * 60_000 }, () => {
  it('says about how long it takes, begins again with a smaller budget at one click, and prints the command of that', async () => {
    await onPage(studio, async page => {
      await loadFile(page, wide)
      await setRole(page, 'y', 'label')
      await setRole(page, 'score', 'score')
      await goTo(page, 'Audit')
      const estimate = page.locator('#estimate')
      await estimate.getByText(/The audit will take about \d+ seconds, by an estimate/).waitFor()
      await checkAccess(page)
      await page.getByRole('button', { name: 'Audit the score' }).click()
      await page.locator('#progress').getByText('estimate').waitFor()
      await page.getByRole('button', { name: /^Start again with a smaller budget/ }).click()
      await page.getByRole('heading', { name: 'Segment map' }).waitFor({ timeout: 200_000 })
      await estimate.getByText('with the smaller budget').waitFor()
      await estimate.getByRole('button', { name: /^Audit in full/ }).waitFor()
      expect(await commandOf(page, 'The audit')).toBe(
        'featureboost audit wide.csv --label y --prediction score --budget 5 --cell-budget 1048576',
      )
    })
  })

  it('is the only one that says anything', async () => {
    await onPage(studio, async page => {
      await page.getByRole('button', { name: 'Try the example' }).click()
      await page.getByRole('heading', { name: 'Columns' }).waitFor()
      await goTo(page, 'Audit')
      await page.getByRole('button', { name: 'Audit the score' }).waitFor()
      expect(await page.locator('#estimate').count()).toBe(0)
    })
  })
})
