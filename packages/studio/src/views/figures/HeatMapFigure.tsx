// Groups against levels of the score: at which scores is a group off? Colour is the gap, strength how sure it is.

import type { Evidence } from '@featureboost/core'
import type { HeatCell, HeatMap, HeatRow } from '@featureboost/core/internal'
import { useMemo, useState } from 'preact/hooks'
import { type Area, Chart } from '../chart/Chart.tsx'
import type { Side } from '../chart/marks.tsx'
import { plainNumber } from '../chart/scale.ts'
import { Choice, Figure } from '../Figure.tsx'
import { count, signed } from '../format.ts'
import { usePaper } from '../paper.ts'
import { ChosenCells, PickCell } from './HeatPicks.tsx'
import { cellsOf, heightOf, layoutOf, ROW } from './heatLayout.ts'

/** Of the gap: as strong as colours get. */
const STRONG = 0.15
/** Colours never get stronger than this, so that numbers on them can be read in both themes. */
const MAX_OPAQUE = 0.6
/** |z| from which a cell is drawn in full, and gets its number; others are never drawn strongly. */
const SURE = 2.5
const UNSURE = 0.4
/** Groups that are printed. */
const PRINTED = 14

export function HeatMapFigure({ evidence: whole }: { evidence: Evidence }) {
  const isPaper = usePaper()
  const evidence = useMemo(
    () => (isPaper ? { ...whole, heat: printedOf(whole.heat) } : whole),
    [isPaper, whole],
  )
  const { heat } = evidence
  const [side, setSide] = useState<Side>('before')
  const reading = readingOf(evidence)
  const corrected = evidence.after !== undefined
  return (
    <Figure
      id="heat"
      title="Groups at scores"
      reading={reading}
      wide
      tools={
        corrected && <Choice label="Score" options={['before', 'after']} value={side} onChange={setSide} />
      }
    >
      {heat.rows.length === 0 ? (
        <p class="empty">No group has rows.</p>
      ) : (
        <>
          <HeatLegend />
          <Chart
            name={`Groups at scores, ${side}`}
            description={reading}
            role="group"
            height={width => heightOf(heat.rows.length, width)}
            margin={{ left: 0, top: 22, right: 8, bottom: 42 }}
          >
            {area => <Cells area={area} evidence={evidence} side={side} />}
          </Chart>
        </>
      )}
    </Figure>
  )
}

function Cells({ area, evidence, side }: { area: Area; evidence: Evidence; side: Side }) {
  const { heat, segments } = evidence
  const levels = heat.edges.length - 1
  const layout = layoutOf(area, levels)
  const { isNarrow, left, top, wide } = layout
  const letters = Math.floor((isNarrow ? area.width : left) / 7)
  return (
    <>
      {heat.rows.map((row, index) => (
        <g key={row.part}>
          <text
            class="row-label"
            x={isNarrow ? left : left - 8}
            y={isNarrow ? top(index) - 4 : top(index) + ROW / 2}
            dy={isNarrow ? 0 : '0.32em'}
            text-anchor={isNarrow ? 'start' : 'end'}
          >
            {clip(segments.parts[row.part].words, letters)}
          </text>
          {cellsOf(row, side).map(
            (cell, level) =>
              cell !== null && (
                <Cell key={level} cell={cell} x={left + level * wide} y={top(index)} wide={wide} />
              ),
          )}
        </g>
      ))}
      {heat.edges.map((edge, level) => (
        <text
          key={edge}
          class="tick"
          x={left + level * wide}
          y={area.bottom + 16}
          text-anchor={level === levels ? 'end' : isNarrow && level === 0 ? 'start' : 'middle'}
        >
          {wide < 32 && level % 2 === 1 ? '' : plainNumber(edge)}
        </text>
      ))}
      <text class="axis-label" x={(left + area.right) / 2} y={area.height - 6} text-anchor="middle">
        score
      </text>
      <ChosenCells evidence={evidence} layout={layout} />
      <PickCell area={area} evidence={evidence} side={side} layout={layout} />
    </>
  )
}

/** The most conspicuous groups, in their order. */
function printedOf(heat: HeatMap): HeatMap {
  const most = ({ after = [], before }: HeatRow) =>
    [...before, ...after].reduce((top, cell) => Math.max(top, Math.abs(cell?.z ?? 0)), 0)
  const kept = new Set(heat.rows.toSorted((a, b) => most(b) - most(a)).slice(0, PRINTED))
  const rows = heat.rows.filter(row => kept.has(row))
  return { ...heat, rows, leftOut: heat.leftOut + heat.rows.length - rows.length }
}

interface CellProps {
  readonly cell: HeatCell
  readonly x: number
  readonly y: number
  readonly wide: number
}

function Cell({ cell: { gap, z }, wide, x, y }: CellProps) {
  const sure = Math.abs(z) >= SURE
  const strength = Math.min(1, Math.abs(gap) / STRONG) * (sure ? 1 : (UNSURE * Math.abs(z)) / SURE)
  const box = { x: x + 0.5, y: y + 0.5, width: wide - 1, height: ROW - 1 }
  return (
    <>
      <rect class="cell-ground" {...box} />
      <rect
        class={gap > 0 ? 'cell low' : 'cell high'}
        {...box}
        fill-opacity={(MAX_OPAQUE * strength).toFixed(3)}
      />
      {sure && wide > 10 && (
        <text
          class={wide > 38 ? 'cell-number' : 'cell-number tight'}
          x={x + wide / 2}
          y={y + ROW / 2}
          dy="0.32em"
          text-anchor="middle"
        >
          {numberIn(gap, wide)}
        </text>
      )}
    </>
  )
}

/** "+0.12", "+.12", or the sign alone: as much as there is room for. */
function numberIn(gap: number, wide: number): string {
  if (wide <= 24) return gap > 0 ? '+' : '\u2212'
  return wide > 38 ? signed(gap, 2) : signed(gap, 2).replace('0.', '.')
}

function HeatLegend() {
  return (
    <ul class="legend">
      <li>
        <span class="swatch low" aria-hidden="true" /> + scores too low
      </li>
      <li>
        <span class="swatch high" aria-hidden="true" /> − scores too high
      </li>
      <li>
        <span class="swatch none" aria-hidden="true" /> no gap, or too few rows to tell; empty where there are
        none
      </li>
    </ul>
  )
}

const clip = (text: string, letters: number): string =>
  text.length <= letters ? text : `${text.slice(0, Math.max(1, letters - 1))}…`

function readingOf({ heat, segments }: Evidence): string {
  const cells = heat.rows.flatMap(row =>
    row.before.flatMap((cell, level) => (cell === null ? [] : [{ cell, level, part: row.part }])),
  )
  const [first] = cells.toSorted((a, b) => Math.abs(b.cell.z) - Math.abs(a.cell.z))
  const rest =
    heat.leftOut > 0 ? ` ${count(heat.leftOut)} more groups are less conspicuous and left out.` : ''
  if (first === undefined) return 'There is nothing to show.'
  const scores = `${plainNumber(heat.edges[first.level])} to ${plainNumber(heat.edges[first.level + 1])}`
  return `Each cell is one group at some scores, marked where its gap is more than ${SURE} standard errors; among ${count(cells.length)} cells some are by chance. Most conspicuous before: ${segments.parts[first.part].words}, scores ${scores}, ${signed(first.cell.gap)} on ${count(first.cell.weight)} rows.${rest}`
}
