// The rows of the hero figure: of each group what the score says, what the outcome is with its interval, and where the correction put the
// score. Drawn in whatever area there is, on the page and on the card.

import type { Evidence } from '@featureboost/core'
import { sayGap, sayPoints, type WorstGroup } from '@featureboost/core/internal'
import type { Area } from '../chart/Chart.tsx'
import { wrap } from '../chart/frame.ts'
import { Mark } from '../chart/marks.tsx'
import { linearScale } from '../chart/scale.ts'
import { percent, plural } from '../format.ts'
import { isSure } from './segmentWords.ts'

const MOST_ROWS = 8
/** Where nothing is surely off, so many of the nearest are enough. */
const FEW_ROWS = 5

/** Distinct groups that are surely off by the verdict, patterns first; where there are none, those that are nearest to it. */
export function heroGroups({ before: { significance }, worst }: Evidence): readonly WorstGroup[] {
  const listed = worst.filter(({ list }) => list === 'worst')
  const sure = significance.beyondNoise ? listed.filter(({ before }) => isSure(before)) : []
  return sure.length > 0 ? sure.slice(0, MOST_ROWS) : listed.slice(0, FEW_ROWS)
}

/** Wider than the mean letter of a bold name in any system's font, and of numbers: a line that is broken early is better than one that is cut. */
const [LETTER, DIGIT] = [8.6, 7.4]
/** Of a line of text, and of the bars with the room around them. */
const [LINE, BARS] = [17, 36]

/** Names stand above the bars, for they are long; where there is little room, on lines of their own, and so do the marks of the key. */
const NARROW = 620
export const heroRowHeight = (groups: readonly WorstGroup[], area: Pick<Area, 'left' | 'right'>): number =>
  BARS + LINE * groups.reduce((most, group) => Math.max(most, linesOf(group, area).length), 1)

export const heroKeyHeight = (width: number, corrected: boolean): number =>
  width < NARROW ? (corrected ? 66 : 48) : 34

export interface HeroRowsProps {
  readonly area: Area
  readonly groups: readonly WorstGroup[]
  readonly rowHeight: number
}

export function HeroRows({ area, groups, rowHeight }: HeroRowsProps) {
  const ends = groups.flatMap(({ after, before, meanLabel }) => [
    ...[meanLabel, before.meanScore, before.meanScore + before.low, before.meanScore + before.high],
    ...(after === undefined ? [] : [after.meanScore]),
  ])
  const low = Math.max(0, Math.floor(20 * Math.min(...ends)) / 20)
  const high = Math.min(1, Math.ceil(20 * Math.max(...ends)) / 20)
  const x = linearScale([low, Math.max(high, low + 0.05)], [area.left, area.right], 6, percent)
  return (
    <>
      {x.ticks.map(({ at, label }) => (
        <g key={at}>
          <line class="grid" x1={x(at)} x2={x(at)} y1={area.top} y2={area.bottom} />
          <text class="tick" x={x(at)} y={area.bottom + 16} text-anchor="middle">
            {label}
          </text>
        </g>
      ))}
      {groups.map((group, index) => (
        <HeroRow
          key={group.words}
          group={group}
          x={x}
          top={area.top + index * rowHeight}
          area={area}
          height={rowHeight}
        />
      ))}
    </>
  )
}

interface RowProps {
  readonly group: WorstGroup
  readonly x: (value: number) => number
  readonly top: number
  readonly area: Area
  readonly height: number
}

interface Line {
  readonly name: string
  readonly numbers: string
}

/** Who, and on as many rows by how much: in one line where there is room, else in as many as it takes. */
function linesOf(
  { before, weight, words }: WorstGroup,
  { left, right }: Pick<Area, 'left' | 'right'>,
): Line[] {
  const { gap, high, low } = before
  const numbers = [plural(Math.round(weight), 'row'), sayPoints(gap, { low, high })]
  const room = right - left
  const said = numbers.join('; ')
  if ((words.length + 3) * LETTER + said.length * DIGIT <= room) return [{ name: words, numbers: said }]
  const names = wrap(words, Math.max(12, Math.floor(room / LETTER)))
  const rest = said.length * DIGIT <= room ? [said] : [`${numbers[0]};`, numbers[1]]
  return [...names.map(name => ({ name, numbers: '' })), ...rest.map(each => ({ name: '', numbers: each }))]
}

function HeroRow({ area, group, height, top, x }: RowProps) {
  const { after, before, meanLabel, weight, words } = group
  const y = top + height - 16
  const { gap, high, low, meanScore } = before
  const interval = { low, high }
  const lines = fitting(linesOf(group, area), Math.floor((height - BARS) / LINE))
  return (
    <g class="hero-row">
      <title>{`${words}: ${sayGap({ gap, interval, meanLabel, meanScore, weight })}`}</title>
      {lines.map(({ name, numbers }, index) => (
        <text key={index} class="hero-name" x={area.left} y={top + 19 + LINE * index}>
          {name}
          {numbers !== '' && <tspan class="hero-numbers">{name === '' ? numbers : `\u2003${numbers}`}</tspan>}
        </text>
      ))}
      <line
        class="hero-interval"
        x1={x(before.meanScore + before.low)}
        x2={x(before.meanScore + before.high)}
        y1={y}
        y2={y}
      />
      <line class="hero-gap" x1={x(before.meanScore)} x2={x(meanLabel)} y1={y} y2={y} />
      <line class="hero-outcome" x1={x(meanLabel)} x2={x(meanLabel)} y1={y - 8} y2={y + 8} />
      <Mark side="before" x={x(before.meanScore)} y={y} r={5} />
      {after !== undefined && <Mark side="after" x={x(after.meanScore)} y={y} r={4.5} />}
    </g>
  )
}

/** On the card rows are of one height: what has no room there is in the figure and in the table. */
function fitting(lines: readonly Line[], room: number): readonly Line[] {
  if (lines.length <= Math.max(1, room)) return lines
  const kept = lines.slice(0, Math.max(1, room))
  return kept.map((line, index) => (index === kept.length - 1 ? { ...line, name: `${line.name} …` } : line))
}

interface KeyProps {
  readonly corrected: boolean
  readonly x: number
  readonly y: number
  readonly width: number
}

/** What the marks are: in one line, or each in its own. */
export function HeroKey({ corrected, width, x, y }: KeyProps) {
  const isOne = width >= NARROW
  const at = (place: number): readonly [number, number] =>
    isOne ? [x + [0, 150, 380][place], y] : [x, y + 18 * place]
  const [[scoreX, scoreY], [outcomeX, outcomeY], [afterX, afterY]] = [at(0), at(1), at(2)]
  return (
    <g>
      <Mark side="before" x={scoreX + 6} y={scoreY} r={5} />
      <text class="tick" x={scoreX + 38} y={scoreY} dy="0.32em">
        the score says
      </text>
      <line class="hero-interval" x1={outcomeX} x2={outcomeX + 30} y1={outcomeY} y2={outcomeY} />
      <line class="hero-outcome" x1={outcomeX + 15} x2={outcomeX + 15} y1={outcomeY - 7} y2={outcomeY + 7} />
      <text class="tick" x={outcomeX + 38} y={outcomeY} dy="0.32em">
        the outcome, and its interval
      </text>
      {corrected && (
        <>
          <Mark side="after" x={afterX + 6} y={afterY} r={4.5} />
          <text class="tick" x={afterX + 38} y={afterY} dy="0.32em">
            after the correction
          </text>
        </>
      )}
    </g>
  )
}
