// What can be chosen in the heat map: a group at some scores by its cell, a group at all scores by its name; and where the chosen one is.

import type { Evidence } from '@featureboost/core'
import type { HeatRow } from '@featureboost/core/internal'
import { useMemo } from 'preact/hooks'
import type { Area } from '../chart/Chart.tsx'
import type { Side } from '../chart/marks.tsx'
import { Nearest, type Pickable } from '../chart/Nearest.tsx'
import { cellGroup, cellWords, type Group, keyOf, relationOf, rowGroup, useChosen } from '../chosen.ts'
import { plural, signed } from '../format.ts'
import { cellsOf, type HeatLayout } from './heatLayout.ts'
import { segmentWords } from './segmentWords.ts'

interface HeatProps {
  readonly evidence: Evidence
  readonly layout: HeatLayout
}

const namedPart = ({ segments: { parts } }: Evidence, { part }: HeatRow) => {
  const { where = [], words } = parts[part]
  return { where, words }
}

/** The rows of its conditions; where it is about some scores, the cells of these. */
export function ChosenCells({ evidence, layout: { left, tall, top, wide } }: HeatProps) {
  const chosen = useChosen().value
  if (chosen === undefined) return null
  const { edges, rows } = evidence.heat
  const { scores } = chosen
  const isAtIts = (level: number) =>
    scores === undefined || (edges[level] < scores.to - 1e-9 && edges[level + 1] > scores.from + 1e-9)
  const levels = edges.slice(1).flatMap((_, level) => (isAtIts(level) ? [level] : []))
  const first = levels[0] ?? 0
  return (
    <g data-on-screen>
      {rows.map((row, index) => {
        const part = namedPart(evidence, row)
        const relation = relationOf(scores === undefined ? part : { ...part, scores }, chosen)
        return (
          relation !== undefined && (
            <rect
              key={row.part}
              class={`chosen-cells ${relation}`}
              x={left + first * wide}
              y={top(index)}
              width={levels.length * wide}
              height={tall}
            />
          )
        )
      })}
    </g>
  )
}

interface Choosable extends Pickable {
  readonly group: Group
  readonly words: string
}

export function PickCell({ area, evidence, layout, side }: HeatProps & { area: Area; side: Side }) {
  const chosen = useChosen()
  const marks = useMemo(
    () => choosableOf(evidence, side, layout),
    [evidence, side, layout.left, layout.wide, layout.isNarrow],
  )
  const keys = useMemo(() => marks.map(({ group }) => keyOf(group)), [marks])
  return (
    <Nearest
      name="heat-marks"
      label="Groups at scores, line by line"
      area={{ ...area, left: 0 }}
      marks={marks}
      isGrid
      wordsOf={index => marks[index].words}
      chosen={chosen.value && keys.indexOf(keyOf(chosen.value))}
      onChoose={index => {
        chosen.value = marks[index].group
      }}
    />
  )
}

/** Of each row its name, where the map has the group, and its cells. */
function choosableOf(evidence: Evidence, side: Side, layout: HeatLayout): Choosable[] {
  const { left, tall, top, wide } = layout
  const { segments: map } = evidence
  return evidence.heat.rows.flatMap((row, index): Choosable[] => {
    const y = top(index) + tall / 2
    const group = rowGroup(evidence, row)
    const cells = cellsOf(row, side).flatMap((cell, level) => {
      const at = cellGroup(evidence, row, level, side)
      if (cell === null || at === undefined) return []
      const words = `${at.words}: outcomes less scores ${signed(cell.gap)} on ${plural(cell.weight, 'row')}, ${cellWords(cell)}`
      return [{ group: at, words, x: left + (level + 0.5) * wide, y, wide, tall }]
    })
    if (group === undefined) return cells
    const segment = map.segments.find(({ parts }) => parts.length === 1 && parts[0] === row.part)!
    return [{ group, words: segmentWords(map, segment), ...nameBox(layout, index) }, ...cells]
  })
}

/** Beside the cells, or above them. */
function nameBox({ isNarrow, left, tall, top, wide }: HeatLayout, row: number): Pickable {
  if (!isNarrow) return { x: left / 2, y: top(row) + tall / 2, wide: left, tall }
  return { x: left + 5 * wide, y: top(row) - 8, wide: 10 * wide, tall: 14 }
}
