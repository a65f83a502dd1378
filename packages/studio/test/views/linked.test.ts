// Linked views: a group that is chosen in any of them is marked in all others, with the mouse, a finger or the keyboard; and the mark that is
// nearest says at once what it is.

import type { Evidence, Predicate } from '@featureboost/core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nearest } from '../../src/views/chart/Nearest.tsx'
import { keyOf, relationOf } from '../../src/views/chosen.ts'
import { corrected, guarded } from './evidences.ts'
import { Reports } from './reports.ts'

let reports: Reports
let evidence: Evidence
beforeAll(async () => {
  reports = await Reports.open()
  evidence = await corrected()
}, 10 * 60_000)
afterAll(() => reports?.close())

const cardOf = (page: Page) => page.locator('.chosen-card h3')

/** What is marked as the chosen group, figure by figure. */
const markedIn = async (page: Page): Promise<string[]> => {
  const places = {
    hero: '.chosen-row.same',
    segments: '.segments .chosen .mark',
    worst: '#worst tr.same',
    protected: '#protected tr.same',
    heat: '.chosen-cells',
  }
  const found: string[] = []
  for (const [id, place] of Object.entries(places))
    if ((await page.locator(place).count()) > 0) found.push(id)
  return found
}

const middleOf = async (page: Page, place: string): Promise<{ x: number; y: number }> => {
  const locator = page.locator(place).first()
  await locator.scrollIntoViewIfNeeded()
  const { height, width, x, y } = (await locator.boundingBox())!
  return { x: x + width / 2, y: y + height / 2 }
}

describe('a group', { timeout: 5 * 60_000 }, () => {
  it('that is chosen in a row of a table is marked in all figures that have it, and its card is shown', async () => {
    await reports.on(evidence, async page => {
      const [first] = evidence.worst
      expect(await cardOf(page).count()).toBe(0)
      await page.locator('#worst tbody tr').first().locator('td').nth(2).click()
      expect(await cardOf(page).innerText()).toBe(first.words)
      expect(await markedIn(page)).toEqual(expect.arrayContaining(['hero', 'segments', 'worst']))
      const linked = await page
        .locator('.contents a.marked')
        .evaluateAll(links => links.map(link => link.getAttribute('href')))
      expect(linked).toEqual(expect.arrayContaining(['#hero', '#segments', '#worst']))
      // The same row again: no group.
      await page.locator('#worst tbody tr').first().locator('td').nth(2).click()
      expect(await cardOf(page).count()).toBe(0)
      expect(await markedIn(page)).toEqual([])
    })
  })

  it('is chosen by a row of the first figure, and its row of the table comes into sight', async () => {
    await reports.on(evidence, async page => {
      const { x, y } = await middleOf(page, '#hero .hero-row .hero-name')
      await page.mouse.click(x, y)
      expect(await cardOf(page).innerText()).toBe(evidence.worst[0].words)
      expect(await page.locator('#worst tr.same button.choose').getAttribute('aria-pressed')).toBe('true')
    })
  })

  it('is chosen by a cell of the heat map at its scores, and by the name of a row at all scores', async () => {
    await reports.on(evidence, async page => {
      const cell = await middleOf(page, '#heat .cell')
      await page.mouse.click(cell.x, cell.y)
      expect(await cardOf(page).innerText()).toMatch(/, at scores of [\d.]+ to [\d.]+ %$/)
      expect(await page.locator('.chosen-cells.same').count()).toBe(1)
      const name = await middleOf(page, '#heat .row-label')
      await page.mouse.click(name.x, name.y)
      expect(await cardOf(page).innerText()).not.toContain('at scores')
      expect(await markedIn(page)).toEqual(expect.arrayContaining(['segments', 'heat']))
    })
  })

  it('is chosen with the keyboard in every figure, and Escape chooses none', async () => {
    await reports.on(evidence, async page => {
      for (const figure of ['.hero-marks', '.segment-marks', '.heat-marks']) {
        await page.locator(figure).focus()
        await page.keyboard.press('Home')
        await cardOf(page).waitFor()
        const first = await page.locator(`${figure} [aria-selected=true]`).getAttribute('aria-label')
        expect(first).toContain(await cardOf(page).innerText())
        await page.locator('.chosen-card button').last().focus()
        await page.keyboard.press('Escape')
        await cardOf(page).waitFor({ state: 'detached' })
      }
      await page.locator('#worst button.choose').first().focus()
      await page.keyboard.press('Enter')
      expect(await cardOf(page).innerText()).toBe(evidence.worst[0].words)
    })
  })

  it('is chosen with a finger, next to its mark', async () => {
    await reports.on(
      evidence,
      async page => {
        const { x, y } = await middleOf(page, '#hero .hero-row')
        await page.touchscreen.tap(x, y)
        await cardOf(page).waitFor()
        expect(await markedIn(page)).toContain('worst')
        expect(await page.locator('#hero .tip').count()).toBe(1)
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
      },
      { viewport: { width: 390, height: 800 }, hasTouch: true },
    )
  })

  it('that is protected is chosen in its table', async () => {
    const protectedToo = await guarded()
    await reports.on(protectedToo, async page => {
      await page.locator('#protected tbody tr').first().locator('td').nth(1).click()
      expect(await cardOf(page).innerText()).toBe(protectedToo.protected![0].words)
      expect(await markedIn(page)).toContain('protected')
    })
  })
})

describe('a tip', { timeout: 5 * 60_000 }, () => {
  it.each([1280, 390])('is there at once, follows the keyboard, and is not cut at %d px', async width => {
    await reports.on(
      evidence,
      async page => {
        const lists = page.getByRole('listbox')
        expect(await lists.count()).toBe(8)
        for (const list of await lists.all()) {
          await list.focus()
          for (const key of ['Home', 'End', 'ArrowLeft', 'ArrowUp']) {
            await page.keyboard.press(key)
            const tip = page.locator('.tip')
            expect(await tip.count()).toBe(1)
            const option = await list.locator('[role=option]').getAttribute('aria-label')
            expect(await tip.innerText()).toBe(option)
            const { width: wide, x } = (await tip.boundingBox())!
            expect(x).toBeGreaterThanOrEqual(0)
            expect(x + wide).toBeLessThanOrEqual(width)
          }
        }
        await page.keyboard.press('Escape')
        expect(await page.locator('.tip').count()).toBe(0)
      },
      { viewport: { width, height: 900 } },
    )
  })

  it('is of the mark that is nearest to the pointer, and goes with it', async () => {
    await reports.on(evidence, async page => {
      const { x, y } = await middleOf(page, '#reliability .chart-svg .mark')
      await page.mouse.move(x + 5, y + 4)
      expect(await page.locator('#reliability .tip').innerText()).toMatch(/scores around [\d.]+: outcomes/)
      await page.mouse.move(1, 1)
      expect(await page.locator('.tip').count()).toBe(0)
    })
  })
})

describe('figures', { timeout: 5 * 60_000 }, () => {
  it('are drawn one in a task, and all of them', async () => {
    await reports.on(
      evidence,
      async page => {
        const drawn = await page.evaluate<number[]>('window.drawn')
        expect(Math.max(...drawn)).toBe(1)
        expect(drawn.length).toBeGreaterThanOrEqual(10)
        expect(await page.locator('.waiting').count()).toBe(0)
      },
      { script: COUNT_FIGURES },
    )
  })

  it('that have not been drawn are drawn before the page is printed', async () => {
    await reports.on(
      evidence,
      async page => {
        const [before, after] = await page.evaluate<number[]>('window.left')
        expect(before).toBeGreaterThan(5)
        expect(after).toBe(0)
      },
      { script: PRINT_AT_ONCE },
    )
  })
})

/** How many figures came with each task. */
const COUNT_FIGURES = `
  window.drawn = []
  new MutationObserver(records => {
    const added = records.flatMap(({ addedNodes }) => [...addedNodes])
    const figures = added.filter(node => node.matches?.('.panels > .panel:not(.waiting)'))
    if (figures.length > 0) window.drawn.push(figures.length)
  }).observe(document, { childList: true, subtree: true })`

/** How many figures wait when the page is printed as soon as it is there, and how many do afterwards. */
const PRINT_AT_ONCE = `
  addEventListener('DOMContentLoaded', async () => {
    const left = () => document.querySelectorAll('.waiting').length
    const before = left()
    dispatchEvent(new Event('beforeprint'))
    await Promise.resolve()
    await new Promise(resolve => queueMicrotask(resolve))
    window.left = [before, left()]
  })`

describe('the nearest mark', () => {
  const marks = [
    { x: 10, y: 10 },
    { x: 40, y: 10 },
    { x: 100, y: 50, wide: 40, tall: 20 },
  ]
  it('is the one at the least distance, within reach', () => {
    expect(nearest(marks, [12, 14], 'both', 24)).toBe(0)
    expect(nearest(marks, [30, 10], 'both', 24)).toBe(1)
    expect(nearest(marks, [60, 80], 'both', 24)).toBeUndefined()
  })
  it('is a box where the pointer is in it, and any height will do where only the sides count', () => {
    expect(nearest(marks, [85, 58], 'both', 24)).toBe(2)
    expect(nearest(marks, [14, 400], 'x', 24)).toBe(0)
  })
})

describe('groups', () => {
  const group = (where: readonly Predicate[], scores?: { from: number; to: number }) => ({
    words: 'a group',
    where,
    ...(scores !== undefined && { scores }),
  })
  const gig: Predicate = { column: 'job', in: ['gig'] }
  const young: Predicate = { column: 'age', atMost: 30 }

  it('are the same in whatever order their conditions come, and one value is a list of one', () => {
    expect(keyOf(group([gig, young]))).toBe(keyOf(group([young, { column: 'job', is: 'gig' }])))
    expect(keyOf(group([gig]))).not.toBe(keyOf(group([gig], { from: 0, to: 0.1 })))
  })

  it('are nested where one has all conditions of the other, or narrower ones', () => {
    expect(relationOf(group([gig, young]), group([gig]))).toBe('nested')
    expect(relationOf(group([gig]), group([gig, young]))).toBe('nested')
    expect(relationOf(group([{ column: 'age', atMost: 25 }]), group([young]))).toBe('nested')
    expect(relationOf(group([gig], { from: 0, to: 0.1 }), group([gig]))).toBe('nested')
    expect(relationOf(group([{ column: 'age', below: 30 }]), group([young]))).toBe('nested')
  })

  it('are not related where neither lies within the other', () => {
    expect(relationOf(group([{ column: 'age', above: 30 }]), group([young]))).toBeUndefined()
    expect(relationOf(group([{ column: 'job', notIn: ['gig'] }]), group([gig]))).toBeUndefined()
    expect(
      relationOf(group([{ ...young, orMissing: true }]), group([{ column: 'age', missing: true }])),
    ).toBe('nested')
    expect(relationOf(group([]), group([gig]))).toBeUndefined()
  })
})
