// Figures are drawn in turns: one in a frame, those in sight first, so that no task of the page is long. Where there is no window, as where
// views are written as text, all are drawn at once; and before a page is printed, all that are left.

import { signal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

interface Waiting {
  readonly place: RefObject<HTMLElement | null>
  readonly draw: () => void
}

const waiting = new Set<Waiting>()

/** Are there figures that have not been drawn yet? */
export const isDrawing = signal(false)

/** Longer than a frame ever takes: pages out of sight have none. */
const NO_FRAME_MS = 250

/** After the next frame has been painted. */
function nextFrame(): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, NO_FRAME_MS)
    requestAnimationFrame(() => {
      clearTimeout(timer)
      setTimeout(resolve)
    })
  })
}

async function drawInTurns(): Promise<void> {
  isDrawing.value = true
  while (waiting.size > 0) {
    await nextFrame()
    const all = [...waiting]
    take(all.find(isInSight) ?? all[0])
  }
  await nextFrame()
  isDrawing.value = waiting.size > 0
  if (isDrawing.value) await drawInTurns()
}

function take(turn: Waiting | undefined): void {
  if (turn === undefined || !waiting.delete(turn)) return
  turn.draw()
}

/** Nothing waits any longer: paper does not. */
export function drawAll(): void {
  for (const turn of [...waiting]) take(turn)
}

function isInSight({ place }: Waiting): boolean {
  const box = place.current?.getBoundingClientRect()
  return box !== undefined && box.bottom > 0 && box.top < innerHeight
}

/** Resolves once nothing waits for its turn, and what was drawn last is on the screen. */
export async function allDrawn(): Promise<void> {
  do {
    await nextFrame()
    await nextFrame()
  } while (isDrawing.value)
}

/** False until it is this one's turn; `place` is where it will be. */
export function useTurn(): { readonly isDrawn: boolean; readonly place: RefObject<HTMLElement | null> } {
  const place = useRef<HTMLElement>(null)
  const [isDrawn, setDrawn] = useState(typeof window === 'undefined')
  useLayoutEffect(() => {
    const turn = { place, draw: () => setDrawn(true) }
    waiting.add(turn)
    if (!isDrawing.value) void drawInTurns()
    return () => {
      waiting.delete(turn)
    }
  }, [])
  return { isDrawn, place }
}
