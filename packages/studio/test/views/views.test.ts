// The views, in a browser, from evidence of every size: names and descriptions, both themes, keyboard, exports.

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Evidence } from '@featureboost/core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { almostNothing, corrected, HOSTILE, huge, rare, watched } from './evidences.ts'
import { Reports } from './reports.ts'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

let reports: Reports
let evidence: Evidence
beforeAll(async () => {
  reports = await Reports.open()
  evidence = await corrected()
}, 10 * 60_000)
afterAll(() => reports?.close())

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

/** What axe finds, of any level. The policy of the page allows no other script, so axe comes as a function. */
async function problemsOf(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(AXE, 'utf8'))
  const found = await page.evaluate<readonly Violation[]>(
    'axe.run(document, { resultTypes: ["violations"] }).then(result => result.violations)',
  )
  return found.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`)
}

/** A mark begins with a move; each side of each group has one. */
const MARKS_OF = (paths: { getAttribute(name: string): string | null }[]) =>
  paths.map(path => path.getAttribute('d')?.match(/M/g) ?? [])

describe('the views', { timeout: 5 * 60_000 }, () => {
  it.each(['light', 'dark'] as const)('have no problem of access in the %s theme', async colorScheme => {
    expect(await reports.on(evidence, problemsOf, { colorScheme })).toEqual([])
  })

  it('begin with the verdict, and have a name, a description and a sentence for every figure', async () => {
    await reports.on(evidence, async page => {
      const text = await page.locator('main').innerText()
      expect(text.indexOf(evidence.verdict.sentence.slice(0, 60))).toBeLessThan(40)
      const charts = page.locator('svg.chart-svg')
      expect(await charts.count()).toBe(8)
      for (const chart of await charts.all()) {
        expect((await chart.locator('> title').textContent())!.length).toBeGreaterThan(5)
        expect((await chart.locator('> desc').textContent())!.length).toBeGreaterThan(40)
      }
      for (const panel of await page.locator('.panel').all()) {
        expect((await panel.locator('.reading').innerText()).length, await panel.innerText()).toBeGreaterThan(
          20,
        )
      }
    })
  })

  it('follow the keyboard through the segment map', async () => {
    await reports.on(evidence, async page => {
      const card = page.locator('.chosen-card h3')
      const map = page.locator('.segment-marks')
      const press = async (key: string, place: number) => {
        await page.keyboard.press(key)
        await map.locator(`[role=option][aria-selected=true][aria-posinset="${place + 1}"]`).waitFor()
        return card.innerText()
      }
      expect(await card.count()).toBe(0)
      await map.focus()
      const first = await press('Space', 0)
      expect(await press('ArrowRight', 1)).not.toBe(first)
      expect(await press('ArrowLeft', 0)).toBe(first)
      await press('End', evidence.segments.segments.length - 1)
      expect(await press('ArrowRight', 0)).toBe(first)
      expect(await map.locator('[aria-selected=true]').getAttribute('aria-label')).toContain(first)
    })
  })

  it('round the score live', async () => {
    await reports.on(evidence, async page => {
      const slider = page.getByRole('slider')
      const reading = page.locator('#rounding .reading')
      await slider.focus()
      await page.keyboard.press('Home')
      await reading.getByText('Rounded to 1 bin,').waitFor()
      const one = await page.locator('#rounding svg').nth(3).locator('.mark').count()
      await page.keyboard.press('End')
      await reading.getByText('Rounded to 100 bins,').waitFor()
      expect(await page.locator('#rounding svg').nth(3).locator('.mark').count()).toBeGreaterThan(one)
    })
  })

  it('sort, filter and save tables, with formulas as text', async () => {
    const [first] = evidence.worst
    const formula = { ...evidence, worst: [{ ...first, words: '=1+1' }, ...evidence.worst.slice(1)] }
    await reports.on(formula, async page => {
      const table = page.locator('#worst')
      await table.getByRole('button', { name: 'rows' }).click()
      const sizes = (await table.locator('tbody td:nth-child(3)').allInnerTexts()).map(text =>
        Number(text.replace(',', '')),
      )
      expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
      const saved = page.waitForEvent('download')
      await table.getByRole('button', { name: /as CSV/ }).click()
      const text = await readFile(await (await saved).path(), 'utf8')
      expect(text.split('\r\n')[0]).toContain('group,list,rows')
      expect(text).toContain(`"'=1+1"`)
      expect(text.trim().split('\r\n')).toHaveLength(formula.worst.length + 1)
      await table.getByRole('searchbox').fill('=1+1')
      expect(await table.locator('tbody tr').count()).toBe(1)
      await table.getByRole('searchbox').fill('no such group')
      expect(await table.innerText()).toContain('No row has')
    })
  })

  it('save charts as SVG that stands alone, and as PNG', async () => {
    await reports.on(evidence, async page => {
      const save = async (kind: string) => {
        const saved = page.waitForEvent('download')
        await page.getByRole('button', { name: `Save "Reliability diagram" as ${kind}` }).click()
        return readFile(await (await saved).path())
      }
      const svg = (await save('SVG')).toString('utf8')
      expect(svg).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/)
      expect(svg).toMatch(/stroke="rgb\(\d+, \d+, \d+\)"/)
      expect(svg).not.toMatch(/class=|var\(--/)
      expect(svg).toContain(`people.csv · ${evidence.about.auditedCount.toLocaleString('en-US')}`)
      expect(svg).toContain(`featureboost ${evidence.about.library}`)
      const png = await save('PNG')
      expect(png.subarray(1, 4).toString()).toBe('PNG')
      expect(png.length).toBeGreaterThan(5000)
    })
  })

  it('lead with the groups that matter most, as a card of 1200 by 630, too; and the map is a small file', async () => {
    await reports.on(evidence, async page => {
      const [first] = evidence.worst
      expect(await page.locator('#hero').innerText()).toMatch(/groups? that matters? most|the nearest to it/)
      expect(await page.locator('#hero .hero-name').first().textContent()).toContain(first.words.slice(0, 20))
      const download = async (name: string | RegExp) => {
        const saved = page.waitForEvent('download')
        await page.getByRole('button', { name }).click()
        return readFile(await (await saved).path())
      }
      const card = await download(/^Card/)
      expect([card.readUInt32BE(16), card.readUInt32BE(20)]).toEqual([1200, 630])
      const map = await download('Save "Segment map" as SVG')
      expect(map.length).toBeLessThan(400 * (evidence.segments.segments.length + 60))
    })
  })

  it('fit a phone, and scroll in one direction only', async () => {
    for (const shown of [evidence, huge(evidence)]) {
      await reports.on(
        shown,
        async page => {
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
        },
        { viewport: { width: 390, height: 800 } },
      )
    }
  })

  it('show very much, and almost nothing', async () => {
    await reports.on(huge(evidence), async page => {
      const marks = page.locator('.segment-marks [role=option]')
      expect(await marks.count()).toBe(1)
      expect(await marks.getAttribute('aria-setsize')).toBe('1000')
      expect((await page.locator('.segments .mark').evaluateAll(MARKS_OF)).flat()).toHaveLength(2000)
      expect(await problemsOf(page)).toEqual([])
    })
    await reports.on(await almostNothing(), async page => {
      expect(await page.locator('#segments').innerText()).toContain('No group has enough rows')
      expect(await page.locator('#worst').innerText()).toContain('No group has enough rows')
      expect(await problemsOf(page)).toEqual([])
    })
  })

  it('use the logit scale where outcomes are rare', async () => {
    await reports.on(await rare(), async page => {
      const pressed = page.locator('#reliability [aria-pressed=true]')
      expect(await pressed.innerText()).toBe('logit')
      expect(await page.locator('#reliability svg.chart-svg').textContent()).toContain('0.01')
      expect(await page.locator('#certificate').count()).toBe(0)
    })
  })

  it('change the theme at a click', async () => {
    await reports.on(evidence, async page => {
      const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
      const light = await ground()
      const toggle = page.getByRole('button', { name: /^Theme/ })
      await toggle.click()
      await page.locator('html[data-theme=light]').waitFor()
      expect(await ground()).toBe(light)
      await toggle.click()
      await page.locator('html[data-theme=dark]').waitFor()
      expect(await ground()).not.toBe(light)
      await toggle.click()
      await page.locator('html:not([data-theme])').waitFor()
      expect(await ground()).toBe(light)
    })
  })
})

describe('the views of a monitor', { timeout: 5 * 60_000 }, () => {
  it.each(['light', 'dark'] as const)('have no problem of access in the %s theme', async colorScheme => {
    expect(await reports.on(watched(), problemsOf, { colorScheme })).toEqual([])
  })

  it('begin with the verdict, draw every batch, and show hostile names as text', async () => {
    const { report } = watched()
    await reports.on(watched(), async page => {
      const text = await page.locator('main').innerText()
      expect(text.indexOf(report.advice.sentence)).toBeLessThan(40)
      expect(text).toContain(HOSTILE[0])
      expect(await page.evaluate('typeof window.pwned')).toBe('undefined')
      expect(await page.locator('#timeline path.mark').count()).toBe(report.timeline.length)
      expect(await page.locator('#timeline path.mark.after').count()).toBe(1)
      expect(await page.locator('#gaps path.mark').count()).toBe(report.timeline.length)
      for (const chart of await page.locator('svg.chart-svg').all()) {
        expect((await chart.locator('> title').textContent())!.length).toBeGreaterThan(5)
        expect((await chart.locator('> desc').textContent())!.length).toBeGreaterThan(40)
      }
      expect(await page.title()).toBe('Monitor: watch.json')
    })
  })
})
