// What a script sees of a page that a person would call broken: an element outside its box, a text that is cut, a choice that does not
// show what is chosen.

import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Runs in the page. Every sentence names an element and what is wrong with it. */
const FIND_PROBLEMS = `(() => {
  const problems = []
  const nameOf = element => {
    const id = element.id === '' ? '' : '#' + element.id
    const kind = typeof element.className === 'string' ? element.className : element.className.baseVal
    const text = (element.textContent ?? '').trim().replace(/\\s+/g, ' ').slice(0, 60)
    return element.localName + id + (kind === '' ? '' : '.' + kind.split(' ').join('.')) + ' "' + text + '"'
  }
  const tell = (element, words) => problems.push(nameOf(element) + ' ' + words)
  const pen = document.createElement('canvas').getContext('2d')
  const widthOf = (text, style) => {
    pen.font = style.fontWeight + ' ' + style.fontSize + ' ' + style.fontFamily
    return pen.measureText(text).width
  }
  const isSeen = element => element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })
    && element.closest('.visually-hidden, .unseen') === null
  const hasWords = element => [...element.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== '')

  const page = document.documentElement
  if (page.scrollWidth > innerWidth) tell(page, 'is ' + page.scrollWidth + ' px wide on a screen of ' + innerWidth)
  for (const element of document.body.querySelectorAll('*')) {
    if (!isSeen(element)) continue
    const style = getComputedStyle(element)
    const box = element.getBoundingClientRect()
    if (box.width === 0 || box.height === 0) continue
    if (element.ownerSVGElement != null) {
      if (element.localName !== 'text') continue
      const frame = element.ownerSVGElement.getBoundingClientRect()
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 2 || box.bottom > frame.bottom + 2)
        tell(element, 'is cut by its drawing')
      continue
    }
    if (box.left < -1 || box.right > innerWidth + 1) tell(element, 'leaves the screen: ' + Math.round(box.left) + ' to ' + Math.round(box.right))
    if (element.localName === 'select') {
      const room = element.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
      const chosen = element.selectedOptions[0]?.textContent ?? ''
      if (widthOf(chosen, style) > room + 1) tell(element, 'does not show all of "' + chosen + '"')
      continue
    }
    if (element.localName === 'input') {
      const room = element.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
      const shown = element.value || element.placeholder
      if (['text', 'number', 'search'].includes(element.type) && widthOf(shown, style) > room + 1)
        tell(element, 'does not show all of "' + shown + '"')
      continue
    }
    if (element.localName === 'textarea' || element.localName === 'option') continue
    if (style.display !== 'inline' && element.localName !== 'svg' && element.scrollWidth > element.clientWidth + 1)
      tell(element, 'holds ' + element.scrollWidth + ' px in ' + element.clientWidth)
    if (hasWords(element) && style.display !== 'inline' && style.overflowY !== 'visible' && element.scrollHeight > element.clientHeight + 1)
      tell(element, 'cuts its text')
    if (style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none') tell(element, 'cuts texts that are too long')
    const parent = element.parentElement
    if (parent === null || style.position === 'absolute' || style.position === 'fixed') continue
    const outer = parent.getBoundingClientRect()
    if (getComputedStyle(parent).display === 'inline' || outer.width === 0) continue
    if (box.left < outer.left - 1 || box.right > outer.right + 1) tell(element, 'is wider than the box it is in, ' + nameOf(parent))
  }
  return [...new Set(problems)]
})()`

/** At widths of a desk, of a tablet and of a phone nothing overflows and nothing is cut. The page is left as wide as it was. */
export async function checkLayout(page: Page, widths: readonly number[] = [1440, 1024, 390]): Promise<void> {
  const before = page.viewportSize()!
  // Figures are drawn one after the other.
  await page.locator('.panels[aria-busy=true]').waitFor({ state: 'detached' })
  for (const width of widths) {
    await page.setViewportSize({ width, height: before.height })
    await settle(page)
    const problems = await page.evaluate<string[]>(FIND_PROBLEMS)
    expect(problems, `at ${width} px:\n${problems.join('\n')}`).toEqual([])
  }
  await page.setViewportSize(before)
  await settle(page)
}

/** Charts learn of their width after a frame, and are drawn in another. */
const settle = (page: Page): Promise<unknown> =>
  page.evaluate(
    'new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))',
  )
