// A reliability diagram in letters: how often the outcome came (up) among rows of about the same score (across). Perfect
// scores lie on the diagonal. Bars below say how many rows a point stands for; bins without rows stay empty.

import type { ReliabilityBin } from '@featureboost/core/internal'
import { wrap } from './layout.ts'
import type { View } from './view.ts'
import { clip, padStart, visible } from './width.ts'

/** One score, or a score and its correction. */
export interface Reliability {
  readonly before: readonly ReliabilityBin[]
  readonly after?: readonly ReliabilityBin[]
  readonly names: readonly [before: string, after?: string]
}

/** Left of the diagram: "0.8 │". */
const GUTTER = 7
const [WIDEST, HIGHEST] = [61, 17]

export function layoutReliability({ after, before, names }: Reliability, view: View): string {
  const columns = Math.min(WIDEST, view.width - GUTTER)
  const rows = Math.min(HIGHEST, Math.round((columns - 1) / 3.5))
  const canvas = new Canvas(columns, rows)
  const { glyphs, paint } = view
  for (let column = 0; column < columns; column++) {
    canvas.put(column / (columns - 1), column / (columns - 1), paint.dim(glyphs.dot))
  }
  // Two scores with intervals would be too much to look at.
  if (after === undefined) for (const bin of before) canvas.putRange(bin, paint.dim(glyphs.upright))
  for (const bin of before) canvas.put(bin.meanPrediction, bin.meanLabel.value, glyphs.before)
  for (const bin of after ?? []) {
    const there = canvas.at(bin.meanPrediction, bin.meanLabel.value)
    const taken = there === glyphs.before
    canvas.put(bin.meanPrediction, bin.meanLabel.value, paint.good(taken ? glyphs.both : glyphs.after))
  }
  return [
    ...canvas.lines().map((line, row) => `${yLabel(row, rows)} ${glyphs.upright}${line}`),
    `${padStart('0', 5)} ${glyphs.corner}${xRule(columns, view)}`,
    `${' '.repeat(GUTTER)}${xLabels(columns)}`,
    ...countBars(before, columns, after === undefined ? 'rows' : `${glyphs.before} rows`, view),
    ...(after === undefined ? [] : countBars(after, columns, `${glyphs.after} rows`, view)),
    legend({ before, names, ...(after !== undefined && { after }) }, view),
  ]
    .map(line => line.trimEnd())
    .join('\n')
}

/** A grid over [0,1] x [0,1], from the top. */
class Canvas {
  readonly #cells: string[][]
  readonly #columns: number
  readonly #rows: number

  constructor(columns: number, rows: number) {
    this.#columns = columns
    this.#rows = rows
    this.#cells = Array.from({ length: rows }, () => new Array<string>(columns).fill(' '))
  }

  put(x: number, y: number, glyph: string): void {
    this.#cells[this.#row(y)][this.#column(x)] = glyph
  }

  at(x: number, y: number): string {
    return this.#cells[this.#row(y)][this.#column(x)]
  }

  /** The interval of a bin's mean label. */
  putRange({ meanLabel, meanPrediction }: ReliabilityBin, glyph: string): void {
    for (let row = this.#row(meanLabel.high); row <= this.#row(meanLabel.low); row++) {
      this.#cells[row][this.#column(meanPrediction)] = glyph
    }
  }

  lines(): string[] {
    return this.#cells.map(row => row.join(''))
  }

  #column = (x: number): number => Math.round(x * (this.#columns - 1))
  #row = (y: number): number => Math.round((1 - y) * (this.#rows - 1))
}

/** The lowest row of the grid lies on the axis, which has its own label. */
function yLabel(row: number, rows: number): string {
  const middle = (rows - 1) / 2
  const label = row === 0 ? '1' : row === middle ? '0.5' : ''
  return padStart(label, 5)
}

const TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1]

function xRule(columns: number, { glyphs }: View): string {
  const rule = new Array<string>(columns).fill(glyphs.line)
  for (const tick of TICKS) rule[Math.round(tick * (columns - 1))] = glyphs.tick
  return rule.join('')
}

function xLabels(columns: number): string {
  const line = new Array<string>(columns).fill(' ')
  for (const tick of TICKS) {
    const label = String(tick)
    const middle = Math.round(tick * (columns - 1))
    const first = Math.min(columns - label.length, Math.max(0, middle - Math.floor(label.length / 2)))
    for (const [index, letter] of [...label].entries()) line[first + index] = letter
  }
  return line.join('')
}

/** A bar for every bin, as wide as the bin less one column; the tallest is the bin with the most weight. */
function countBars(bins: readonly ReliabilityBin[], columns: number, label: string, view: View): string[] {
  const { bars } = view.glyphs
  const most = Math.max(...bins.map(({ weight }) => weight))
  const line = new Array<string>(columns).fill(' ')
  for (const { meanPrediction, weight } of bins) {
    const bin = Math.min(BINS - 1, Math.floor(meanPrediction * BINS))
    const bar = bars[Math.min(bars.length - 1, Math.floor((weight / most) * bars.length))]
    const [from, to] = [bin, bin + 1].map(edge => Math.round((edge / BINS) * (columns - 1)))
    line.fill(bar, from + 1, to)
  }
  return [`${padStart(label, GUTTER - 1)} ${view.paint.dim(line.join(''))}`]
}

/** Of the equal-width ECE, whose bins these are. */
const BINS = 10

/** Names of columns can be long. */
const LONGEST_NAME = 16

function legend({ after, names }: Reliability, { glyphs, paint, width }: View): string {
  const name = (text = '') => clip(visible(text), LONGEST_NAME, glyphs.cut)
  const parts = [
    `${glyphs.before} ${name(names[0])}`,
    ...(after === undefined
      ? [`${glyphs.upright} interval`]
      : [`${paint.good(glyphs.after)} ${name(names[1])}`, `${glyphs.both} both`]),
    `${glyphs.dot} perfect`,
  ]
  return wrap(`${' '.repeat(GUTTER)}${parts.join('   ')}`, width, GUTTER)
}
