// Marks that tell before from after without colour: a hollow circle and a filled diamond.

import type { JSX } from 'preact'

export type Side = 'before' | 'after'

export function markPath(side: Side, x: number, y: number, r: number): string {
  if (side === 'after') {
    const d = r * 1.25
    return `M${(x - d).toFixed(1)} ${y.toFixed(1)}l${d} ${-d}l${d} ${d}l${-d} ${d}Z`
  }
  return `M${(x - r).toFixed(1)} ${y.toFixed(1)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`
}

export function Mark({ r = 4.5, side, x, y }: { side: Side; x: number; y: number; r?: number }): JSX.Element {
  return <path class={`mark ${side}`} d={markPath(side, x, y, r)} />
}

/** One entry for each score that is there. */
export function Legend({
  sides,
}: {
  sides: readonly { readonly side: Side; readonly name: string }[]
}): JSX.Element {
  return (
    <ul class="legend">
      {sides.map(({ name, side }) => (
        <li key={side}>
          <svg width="26" height="14" aria-hidden="true">
            <line class={`line ${side}`} x1="1" x2="25" y1="7" y2="7" />
            <Mark side={side} x={13} y={7} r={4} />
          </svg>
          <span>
            {side}: <b>{name}</b>
          </span>
        </li>
      ))}
    </ul>
  )
}
