// Paper: before a page is printed it is laid out for it, at once, and afterwards for the screen again. Charts are drawn anew at the width
// that they have on paper, tables say what they leave out, and disclosures are open.

import { options } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { drawAll } from './turns.ts'

/** A chart is drawn so much larger than its place on paper, and made smaller: letters of 11 px are printed at 6 points. */
export const PAPER_ZOOM = 1.36

let isPaper = false
/** Those that show something else on paper, and those that are as wide as their place; the second look after the first have been drawn. */
const shown = new Set<() => void>()
const measured = new Set<() => void>()
let opened: HTMLDetailsElement[] = []
let scrolled = 0

export const isOnPaper = (): boolean => isPaper

/** Is the page being printed? */
export function usePaper(): boolean {
  const [, redraw] = useState(false)
  useLayoutEffect(() => watch(shown, () => redraw(isPaper)), [])
  return isPaper
}

/** Calls `measure` whenever the layout has become that of paper, or that of the screen. Returns how to end it. */
export const onLayout = (measure: () => void): (() => void) => watch(measured, measure)

function watch(watchers: Set<() => void>, watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Nobody waits for what is drawn later: browsers print what is there when the event is over. */
function turn(next: boolean): void {
  const { debounceRendering } = options
  options.debounceRendering = render => render()
  try {
    isPaper = next
    if (next) scrolled = scrollY
    document.documentElement.classList.toggle('paper', next)
    if (next) drawAll()
    for (const show of [...shown]) show()
    for (const measure of [...measured]) measure()
    openDetails()
    if (!next) scrollTo({ top: scrolled, behavior: 'instant' })
  } finally {
    if (debounceRendering === undefined) delete options.debounceRendering
    else options.debounceRendering = debounceRendering
  }
}

/** Evidence is printed with what is folded away; afterwards it is folded away again. */
function openDetails(): void {
  if (isPaper) opened = [...document.querySelectorAll<HTMLDetailsElement>('.evidence details:not([open])')]
  for (const details of opened) details.open = isPaper
  if (!isPaper) opened = []
}

if (typeof addEventListener === 'function') {
  addEventListener('beforeprint', () => turn(true))
  addEventListener('afterprint', () => turn(false))
}
