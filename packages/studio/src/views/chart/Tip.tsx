// What is said of the mark that is picked, beside it, at once. It stays within the chart: it opens towards the middle.

import type { Signal } from '@preact/signals'
import { signal } from '@preact/signals'
import { createContext } from 'preact'

export interface TipAt {
  readonly x: number
  readonly y: number
  readonly words: string
}

/** Where a chart's marks say what their tip is. */
export const TipPlace = createContext<Signal<TipAt | undefined>>(signal(undefined))

/** Between the mark and its tip. */
const APART = 12

interface TipProps {
  readonly at: Signal<TipAt | undefined>
  readonly width: number
  readonly height: number
}

/** Those who do not see it hear the mark itself. */
export function Tip({ at, height, width }: TipProps) {
  if (at.value === undefined) return null
  const { words, x, y } = at.value
  const isRight = x > width / 2
  const isLow = y > height / 2
  const style = {
    left: isRight ? 'auto' : `${x + APART}px`,
    right: isRight ? `${width - x + APART}px` : 'auto',
    top: isLow ? 'auto' : `${y + APART}px`,
    bottom: isLow ? `calc(100% - ${y - APART}px)` : 'auto',
    maxWidth: `${Math.min(340, (isRight ? x : width - x) - APART)}px`,
  }
  return (
    <div class="tip" aria-hidden="true" style={style}>
      <bdi>{words}</bdi>
    </div>
  )
}
