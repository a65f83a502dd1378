// Picking: the mark that is nearest to the pointer, within reach, says what it is, and so does the one that the keyboard has come to. One stop
// for the keyboard: arrow keys go from mark to mark, Enter or a space chooses. However many marks there are, one of them is an element.

import { useContext, useId, useLayoutEffect, useState } from 'preact/hooks'
import type { Area } from './Chart.tsx'
import { TipPlace } from './Tip.tsx'

/** A place, or a box around it. */
export interface Pickable {
  readonly x: number
  readonly y: number
  readonly wide?: number
  readonly tall?: number
}

interface NearestProps {
  /** What the marks are, for those who hear the page. */
  readonly label: string
  readonly area: Pick<Area, 'left' | 'right' | 'top' | 'bottom'>
  /** In the order of the arrow keys. */
  readonly marks: readonly Pickable[]
  readonly wordsOf: (index: number) => string
  /** "x": the nearest from left to right, at whatever height. */
  readonly by?: 'both' | 'x'
  /** Up and down lead to the line above or below. */
  readonly isGrid?: boolean
  readonly chosen?: number | undefined
  readonly onChoose?: (index: number) => void
  /** Twice clicked, or Enter. */
  readonly onOpen?: (index: number) => void
  /** What it is called in styles and tests. */
  readonly name: string
}

/** Pixels; fingers are wider. */
const REACH = { mouse: 24, touch: 36 }
/** Around a picked place. */
const RING = 9

interface Picked {
  readonly index: number
  readonly by: 'mouse' | 'touch' | 'key'
}

export function Nearest(props: NearestProps) {
  const { area, by = 'both', chosen, isGrid = false, label, marks, name, onChoose, onOpen, wordsOf } = props
  const id = useId()
  const tip = useContext(TipPlace)
  const [picked, setPicked] = useState<Picked>()
  /** Where the keyboard goes on from. */
  const [last, setLast] = useState(0)
  const isChosen = chosen !== undefined && chosen >= 0 && chosen < marks.length
  const current = Math.min(picked?.index ?? (isChosen ? chosen : last), marks.length - 1)
  const shown = picked === undefined ? undefined : marks[current]
  const words = shown && wordsOf(current)
  useLayoutEffect(() => {
    tip.value = shown && { x: shown.x, y: shown.y, words: words! }
  }, [shown?.x, shown?.y, words])
  useLayoutEffect(() => {
    return () => {
      tip.value = undefined
    }
  }, [])
  const pick = (index: number, how: Picked['by']) => {
    setPicked({ index, by: how })
    setLast(index)
  }
  const nearestTo = (event: PointerEvent | MouseEvent) => {
    const reach = 'pointerType' in event && event.pointerType === 'touch' ? REACH.touch : REACH.mouse
    return nearest(marks, placeOf(event), by, reach)
  }
  const onPointer = (event: PointerEvent) => {
    const index = nearestTo(event)
    if (index === undefined) setPicked(undefined)
    else pick(index, event.pointerType === 'touch' ? 'touch' : 'mouse')
  }
  const choose = (index: number | undefined, act = onChoose) => {
    if (index !== undefined) act?.(index)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setPicked(undefined)
    else if (event.key === 'Enter') choose(current, onOpen ?? onChoose)
    else if (event.key === ' ') choose(current)
    else {
      const next = moveBy(event.key, marks, picked === undefined && !isChosen ? undefined : current, isGrid)
      if (next === undefined) return
      pick(next, 'key')
      choose(next)
    }
    event.preventDefault()
  }
  if (marks.length === 0) return null
  return (
    <g
      class={`nearest ${name}`}
      data-on-screen
      role="listbox"
      // In SVG names of attributes are told by their case.
      tabindex={0}
      aria-label={label}
      aria-activedescendant={`${id}-${current}`}
      onKeyDown={onKeyDown}
      onFocus={event => {
        if ((event.currentTarget as Element).matches(':focus-visible')) pick(current, 'key')
      }}
      onBlur={() => setPicked(undefined)}
      onPointerDown={onPointer}
      onPointerMove={onPointer}
      onPointerLeave={() => {
        // A finger that is lifted has left, too; what it touched is still read.
        if (picked?.by === 'mouse') setPicked(undefined)
      }}
      onClick={event => choose(nearestTo(event))}
      onDblClick={event => choose(nearestTo(event), onOpen)}
    >
      <rect
        class={onChoose === undefined ? 'reach' : 'reach choosable'}
        x={area.left}
        y={area.top}
        width={Math.max(0, area.right - area.left)}
        height={Math.max(0, area.bottom - area.top)}
      />
      <g
        key={current}
        id={`${id}-${current}`}
        role="option"
        aria-selected={isChosen && current === chosen}
        aria-label={wordsOf(current)}
        aria-posinset={current + 1}
        aria-setsize={marks.length}
      >
        {shown !== undefined && <Ring at={shown} />}
      </g>
    </g>
  )
}

function Ring({ at: { tall = 0, wide = 0, x, y } }: { at: Pickable }) {
  if (tall === 0 && wide === 0) return <circle class="ring" cx={x} cy={y} r={RING} />
  return <rect class="ring" x={x - wide / 2} y={y - tall / 2} width={wide} height={tall} />
}

/** In the units of the drawing, whatever it is scaled to. */
function placeOf(event: MouseEvent): readonly [x: number, y: number] {
  const { height, width, x, y } = (event.currentTarget as SVGGElement).ownerSVGElement!.viewBox.baseVal
  const box = (event.currentTarget as SVGGElement).ownerSVGElement!.getBoundingClientRect()
  return [
    x + ((event.clientX - box.left) * width) / box.width,
    y + ((event.clientY - box.top) * height) / box.height,
  ]
}

/** Of those at one distance the first, which matters most. */
export function nearest(
  marks: readonly Pickable[],
  [x, y]: readonly [number, number],
  by: 'both' | 'x',
  reach: number,
): number | undefined {
  let found: number | undefined
  let least = by === 'x' ? Number.POSITIVE_INFINITY : reach
  for (const [index, { tall = 0, wide = 0, ...mark }] of marks.entries()) {
    const across = Math.max(0, Math.abs(mark.x - x) - wide / 2)
    const along = Math.max(0, Math.abs(mark.y - y) - tall / 2)
    // Where two are equally near from left to right, height decides.
    const distance = by === 'x' ? across + along * 1e-6 : Math.hypot(across, along)
    if (distance < least) {
      least = distance
      found = index
    }
  }
  return found
}

/** Undefined: not a key that moves. Where nothing was picked before, the first or the last. */
function moveBy(
  key: string,
  marks: readonly Pickable[],
  from: number | undefined,
  isGrid: boolean,
): number | undefined {
  const count = marks.length
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key]
  if (step === undefined) return undefined
  if (from === undefined) return step > 0 ? 0 : count - 1
  const isAcross = key === 'ArrowRight' || key === 'ArrowLeft'
  return isGrid && !isAcross ? lineBy(marks, from, step) : (from + step + count) % count
}

/** The mark of the next line that is nearest from left to right. */
function lineBy(marks: readonly Pickable[], from: number, step: number): number {
  const beyond = marks.filter(({ y }) => step * (y - marks[from].y) > 1)
  if (beyond.length === 0) return from
  const line = beyond.reduce((near, { y }) => (step * (y - near) < 0 ? y : near), beyond[0].y)
  const there = beyond.filter(({ y }) => Math.abs(y - line) < 1)
  const [next] = there.toSorted((a, b) => Math.abs(a.x - marks[from].x) - Math.abs(b.x - marks[from].x))
  return marks.indexOf(next)
}
