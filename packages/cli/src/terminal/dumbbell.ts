// Before and after on one axis: ○────● with its number at either end.

import { formatNumber } from '@featureboost/core/internal'
import { wrap } from './layout.ts'
import type { View } from './view.ts'
import { clip, displayWidth, padEnd, padStart } from './width.ts'

interface Dumbbell {
  readonly name: string
  readonly before: number
  readonly after: number
}

interface DumbbellOptions {
  readonly format: (value: number) => string
  /** The axis begins at 0, or reaches as far below 0 as above it. */
  readonly symmetric?: boolean
  /** Names stand on a line of their own, for names that are long. */
  readonly apart?: boolean
}

const SHORTEST = 12

export function layoutDumbbells(
  rows: readonly Dumbbell[],
  { apart = false, format, symmetric = false }: DumbbellOptions,
  view: View,
): string {
  const { cut } = view.glyphs
  const numbers = Math.max(...rows.flatMap(({ after, before }) => [before, after]).map(v => format(v).length))
  const room = view.width - 2 * (numbers + 1)
  const names = apart
    ? 3
    : Math.min(Math.max(...rows.map(({ name }) => displayWidth(name))) + 2, room - SHORTEST)
  const scale = makeScale(rows, symmetric, room - names)
  const lines = rows.flatMap((row, index) => {
    const bell = drawBell(row, scale, format, numbers, view)
    if (!apart) return [padEnd(clip(row.name, names - 2, cut), names) + bell]
    return [wrap(`${padEnd(`${index + 1}.`, 3)}${row.name}`, view.width, 3), ' '.repeat(names) + bell]
  })
  return [' '.repeat(names) + axis(scale, numbers), ...lines].map(line => line.trimEnd()).join('\n')
}

interface Scale {
  readonly low: number
  readonly high: number
  readonly columns: number
}

function makeScale(rows: readonly Dumbbell[], symmetric: boolean, columns: number): Scale {
  const high = niceCeiling(Math.max(...rows.flatMap(({ after, before }) => [before, after]).map(Math.abs)))
  // An odd number of columns has a middle.
  const odd = columns % 2 === 0 ? columns - 1 : columns
  return { low: symmetric ? -high : 0, high, columns: symmetric ? odd : columns }
}

/** The next round number: few axes need more. */
export function niceCeiling(value: number): number {
  if (!(value > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  const step = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find(each => each * power >= value * (1 - 1e-9))!
  return Number((step * power).toPrecision(2))
}

const columnOf = (value: number, { columns, high, low }: Scale): number =>
  Math.round(((value - low) / (high - low)) * (columns - 1))

/** Low, middle and high end. */
function axis(scale: Scale, numbers: number): string {
  const line = new Array<string>(scale.columns + 2 * (numbers + 1)).fill(' ')
  for (const value of [scale.low, (scale.low + scale.high) / 2, scale.high]) {
    const label = tickLabel(value, scale)
    const first = numbers + 1 + columnOf(value, scale) - Math.floor(label.length / 2)
    write(line, first, label)
  }
  return line.join('')
}

function tickLabel(value: number, { low }: Scale): string {
  const sign = low < 0 && value > 0 ? '+' : ''
  return `${sign}${formatNumber(value)}`
}

function drawBell(
  { after, before }: Dumbbell,
  scale: Scale,
  format: (value: number) => string,
  numbers: number,
  { glyphs, paint }: View,
): string {
  const [from, to] = [columnOf(before, scale), columnOf(after, scale)]
  const [left, right] = [Math.min(from, to), Math.max(from, to)]
  const cells = new Array<string>(scale.columns).fill(' ')
  const zero = columnOf(0, scale)
  cells[zero] = paint.dim(glyphs.upright)
  for (let column = left + 1; column < right; column++) {
    cells[column] = column === zero ? glyphs.crossing : glyphs.line
  }
  cells[from] = glyphs.before
  cells[to] = paint.good(from === to ? glyphs.both : glyphs.after)
  const [low, high] = before <= after ? [before, after] : [after, before]
  const margin = new Array<string>(numbers + 1).fill(' ')
  const line = [...margin, ...cells, ...margin]
  write(line, left, `${padStart(format(low), numbers)} `)
  write(line, right + numbers + 2, ` ${format(high)}`)
  return line.join('')
}

function write(line: string[], first: number, text: string): void {
  for (const [index, letter] of [...text].entries()) line[first + index] = letter
}
