// Paper: a report is two to four pages, light, with nothing to press, whatever the screen shows; and the screen is as it was afterwards.

import { collectEvidence, type Evidence, fit, makeTable, type Table } from '@featureboost/core'
import { makeRandom } from '@featureboost/core/internal'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeLendingPopulation } from '../../../cli/src/demo/population.ts'
import { PAPER_ZOOM } from '../../src/views/paper.ts'
import { Reports } from './reports.ts'

const LENDING = { label: 'defaulted', prediction: 'score' } as const
const WIDE = { label: 'y', prediction: 'score' } as const

let reports: Reports
const found = new Map<string, Evidence>()
beforeAll(async () => {
  reports = await Reports.open()
  const lending = makeTable(makeLendingPopulation({ rows: 5000, seed: 7 }).columns)
  found.set('a score', await collectEvidence(lending, { ...LENDING, name: 'loans.csv' }))
  found.set('a correction', await before(lending, LENDING, 'loans.csv'))
  found.set('a correction of a wide table', await before(wideTable(30), WIDE, 'wide.csv'))
}, 10 * 60_000)
afterAll(() => reports?.close())

async function before(table: Table, roles: typeof LENDING | typeof WIDE, name: string): Promise<Evidence> {
  const model = await fit(table, { ...roles, method: 'rounds', roundLimit: 8 })
  const command = `featureboost report ${name} --model model.fb.json --out report.html`
  return await collectEvidence(table, { model, name, command })
}

/** Too low for one region, too high for one flag. */
function wideTable(columns: number): Table {
  const random = makeRandom(11)
  const rows = Array.from({ length: 4000 }, () => 0.1 + 0.6 * random.next())
  const places = ['north', 'south', 'east', 'west', 'a place with a rather long name']
  const table: Record<string, (number | string | null)[]> = {}
  for (let column = 0; column < columns - 2; column++) {
    if (column % 3 === 0) table[`region_of_residence_${column}`] = rows.map(() => places[random.integer(5)])
    else if (column % 3 === 1) table[`months_since_event_${column}`] = rows.map(() => random.integer(240))
    else
      table[`amount_in_currency_${column}`] = rows.map(() =>
        random.integer(20) === 0 ? null : random.integer(90_000),
      )
  }
  const isNorth = table.region_of_residence_0.map(place => place === 'north')
  return makeTable({
    ...table,
    score: rows,
    y: rows.map((p, row) => Number(random.next() < p + (isNorth[row] ? 0.2 : 0))),
  })
}

const pageCount = (pdf: Buffer): number =>
  pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0

/** As the browser has it when it prints. */
async function onPaper(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print' })
  await page.evaluate(`dispatchEvent(new Event('beforeprint'))`)
}

/** How wide charts are drawn, and their places, on paper and afterwards, where the page is printed as soon as it is there. */
const PRINT_AT_ONCE = `
  addEventListener('DOMContentLoaded', () => {
    const widths = () => [...document.querySelectorAll('.panels .chart-svg')].map(svg =>
      [Number(svg.getAttribute('width')), svg.parentElement.clientWidth])
    window.widths = ['beforeprint', 'afterprint'].map(name => {
      dispatchEvent(new Event(name))
      return widths()
    })
  })`

describe('on paper', { timeout: 5 * 60_000 }, () => {
  it.each(['a score', 'a correction', 'a correction of a wide table'])(
    'a report of %s has two to four pages, A4 or Letter',
    async name => {
      await reports.on(
        found.get(name)!,
        async page => {
          for (const format of ['A4', 'Letter']) {
            const pages = pageCount(await page.pdf({ format, printBackground: true }))
            expect(pages, format).toBeGreaterThanOrEqual(2)
            expect(pages, format).toBeLessThanOrEqual(4)
          }
        },
        { colorScheme: 'dark' },
      )
    },
  )

  it('there is nothing to press and nothing to follow, what is folded away is open, and the ground is white', async () => {
    await reports.on(
      found.get('a correction')!,
      async page => {
        await onPaper(page)
        expect(await page.locator('nav:visible, input:visible, a:visible').count()).toBe(0)
        const buttons = page.locator('button:visible:not([aria-pressed="true"], .sort, .choose)')
        expect(await buttons.allInnerTexts()).toEqual([])
        expect(await page.locator('details:not([open])').count()).toBe(0)
        expect(
          await page.evaluate(`getComputedStyle(document.querySelector('.panel')).backgroundColor`),
        ).toBe('rgb(255, 255, 255)')
        expect(await page.evaluate(`getComputedStyle(document.body).color`)).toBe('rgb(27, 36, 48)')
      },
      { colorScheme: 'dark' },
    )
  })

  it('the table of the data is complete, and a longer table says how much it leaves out', async () => {
    await reports.on(found.get('a correction of a wide table')!, async page => {
      await onPaper(page)
      expect(await page.locator('#data tbody tr').count()).toBe(30)
      expect(await page.locator('#data').innerText()).not.toContain('Not printed')
    })
    const evidence = found.get('a score')!
    const { columns } = evidence.about
    const many = Array.from({ length: 45 }, (_, index) => columns[index % columns.length])
    await reports.on({ ...evidence, about: { ...evidence.about, columns: many } }, async page => {
      await onPaper(page)
      expect(await page.locator('#data tbody tr').count()).toBe(30)
      await page.locator('#data').getByText('Not printed: 15 more rows').waitFor()
    })
  })

  it('a table that is filtered says so', async () => {
    await reports.on(found.get('a score')!, async page => {
      const group = await page.locator('#worst tbody tr').first().locator('td').first().innerText()
      await page.locator('#worst input').fill(group)
      await onPaper(page)
      await page.locator('#worst').getByText(`Only rows with “${group}” in them`).waitFor()
    })
  })

  it('the chosen group is said in words, and listed even if it is not among the first rows', async () => {
    const evidence = found.get('a score')!
    const [first] = evidence.worst
    const worst = Array.from({ length: 20 }, (_, index) => ({ ...first, words: `group ${index}`, where: [] }))
    await reports.on({ ...evidence, worst }, async page => {
      const rows = page.locator('#worst tbody tr')
      const name = rows.nth(16).locator('button.choose')
      const words = await name.innerText()
      await name.click()
      await onPaper(page)
      expect(await rows.count()).toBe(16)
      expect(await page.locator('#worst tr.same').innerText()).toContain(words)
      expect(await page.locator('.chosen-card').innerText()).toContain(words)
      expect(await page.locator('.chosen-card :is(a, button):visible').count()).toBe(0)
    })
  })

  it('no figure is wider than the paper, and each is as wide as its place', async () => {
    await reports.on(found.get('a correction of a wide table')!, async page => {
      await onPaper(page)
      const wide = await page.evaluate<number[]>(
        `[...document.querySelectorAll('.evidence *')].map(element => element.getBoundingClientRect().right)`,
      )
      const [left, right] = await page.evaluate<[number, number]>(
        `(({ left, right }) => [left, right])(document.body.getBoundingClientRect())`,
      )
      expect(right - left).toBeCloseTo((186 / 25.4) * 96, 0)
      expect(Math.max(...wide)).toBeLessThanOrEqual(right + 1)
    })
  })

  it('figures that wait for their turn are drawn as wide as their place on paper, and for the screen afterwards', async () => {
    await reports.on(
      found.get('a correction')!,
      async page => {
        const [onPaper, onScreen] = await page.evaluate<[number, number][][]>('window.widths')
        expect(onPaper.length).toBeGreaterThan(6)
        for (const [drawn, place] of onPaper) expect(drawn).toBe(Math.round(PAPER_ZOOM * place))
        for (const [drawn, place] of onScreen) expect(drawn).toBe(place)
      },
      { script: PRINT_AT_ONCE },
    )
  })

  it('the screen is as it was afterwards', async () => {
    await reports.on(found.get('a correction')!, async page => {
      const look = () =>
        page.evaluate<string>(
          `document.body.innerHTML + [...document.querySelectorAll('details')].map(({ open }) => open) + scrollY`,
        )
      await page.evaluate('scrollTo(0, 700)')
      const shown = await look()
      await page.evaluate(`dispatchEvent(new Event('beforeprint'))`)
      expect(await look()).not.toBe(shown)
      await page.evaluate(`dispatchEvent(new Event('afterprint'))`)
      expect(await look()).toBe(shown)
    })
  })
})
