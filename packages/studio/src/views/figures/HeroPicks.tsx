// Rows of the hero figure that can be chosen, and the one that is.

import { sayGap, type WorstGroup } from '@featureboost/core/internal'
import { Nearest } from '../chart/Nearest.tsx'
import { keyOf, relationOf, useChosen } from '../chosen.ts'
import type { HeroRowsProps } from './HeroRows.tsx'

/** The text of a row begins a little below its upper edge. */
const boxOf = ({ area, rowHeight }: HeroRowsProps, index: number) => ({
  x: area.width / 2,
  y: area.top + (index + 0.5) * rowHeight + 3,
  wide: area.width - 4,
  tall: rowHeight - 2,
})

/** Beneath the rows. */
export function ChosenRow(props: HeroRowsProps) {
  const chosen = useChosen().value
  return (
    <g data-on-screen>
      {props.groups.map((group, index) => {
        const relation = relationOf(group, chosen)
        const { tall, wide, x, y } = boxOf(props, index)
        return (
          relation !== undefined && (
            <rect
              key={keyOf(group)}
              class={`chosen-row ${relation}`}
              x={x - wide / 2}
              y={y - tall / 2}
              width={wide}
              height={tall}
              rx="6"
            />
          )
        )
      })}
    </g>
  )
}

export function PickRow(props: HeroRowsProps) {
  const { area, groups } = props
  const chosen = useChosen()
  return (
    <Nearest
      name="hero-marks"
      label="Groups, what matters most first"
      area={{ ...area, left: 0, right: area.width }}
      marks={groups.map((_, index) => boxOf(props, index))}
      wordsOf={index => wordsOf(groups[index])}
      chosen={chosen.value && groups.findIndex(group => relationOf(group, chosen.value) === 'same')}
      onChoose={index => {
        chosen.value = groups[index]
      }}
    />
  )
}

function wordsOf({ after, before, meanLabel, weight, words }: WorstGroup): string {
  const { gap, high, low, meanScore } = before
  const now =
    after === undefined ? '' : `; after: ${sayGap({ ...after, interval: after, meanLabel, weight })}`
  return `${words}: ${sayGap({ gap, interval: { low, high }, meanLabel, meanScore, weight })}${now}`
}
