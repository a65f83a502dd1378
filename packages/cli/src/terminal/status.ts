// One line that says what is going on: phase, bar, rounds or rows, loss, rate, time left; as much of it as fits.

import { formatCount } from '@featureboost/core/internal'
import { formatDuration, formatRate } from './estimate.ts'
import type { View } from './view.ts'
import { clip, displayWidth } from './width.ts'

export interface Status {
  readonly phase: string
  /** Seconds since the phase began. */
  readonly elapsed: number
  /** 0 to 1, where the end is known. */
  readonly share?: number | undefined
  readonly rows?: { readonly done: number; readonly all: number } | undefined
  readonly round?:
    | {
        readonly number: number
        /** Of the fitting rows, and of the held-out ones. */
        readonly losses: readonly number[]
        /** Rounds since the held-out loss was lowest; undefined where nothing is held out. */
        readonly sinceBest?: number | undefined
      }
    | undefined
  /** Which of several pieces of work is going on, in words. */
  readonly task?: string | undefined
  /** Grown so far, and the log loss that the last one left on rows held apart. */
  readonly trees?: { readonly number: number; readonly loss: number } | undefined
  /** Mended so far. */
  readonly groups?: number | undefined
  /** Of a published method. */
  readonly steps?: number | undefined
  /** Rows, rounds, trees or steps a second. */
  readonly rate?: number | undefined
  /** Seconds. */
  readonly left?: number | undefined
}

/** Parts in the order of the line, each with how soon it is given up: the highest number first. */
function partsOf(status: Status): [part: string, spare: number][] {
  const { elapsed, groups, left, rate, round, rows, steps, task, trees } = status
  const parts: [string, number][] = []
  if (task !== undefined) parts.push([task, 1])
  if (rows !== undefined) parts.push([`${formatCount(rows.done)} of ${formatCount(rows.all)} rows`, 2])
  if (round !== undefined) {
    const [fitting, heldOut] = round.losses
    parts.push([`round ${formatCount(round.number)}`, 0])
    parts.push([`loss ${fitting.toFixed(5)}`, 1])
    if (heldOut !== undefined) parts.push([`held out ${heldOut.toFixed(5)}`, 2])
    if (round.sinceBest !== undefined && round.sinceBest > 0) {
      parts.push([`lowest ${round.sinceBest} ${round.sinceBest === 1 ? 'round' : 'rounds'} ago`, 4])
    }
  }
  if (trees !== undefined) {
    parts.push([`${formatCount(trees.number)} trees`, 0])
    parts.push([`log loss of rows held apart ${trees.loss.toFixed(5)}`, 2])
  }
  if (groups !== undefined)
    parts.push([`${formatCount(groups)} ${groups === 1 ? 'group' : 'groups'} mended`, 0])
  if (steps !== undefined) parts.push([`step ${formatCount(steps)}`, 0])
  if (rate !== undefined) {
    const counted = { rounds: round, trees, steps, rows }
    const [what] = Object.entries(counted).find(([, found]) => found !== undefined) ?? ['rows']
    parts.push([`${formatRate(rate)} ${what}/s`, 3])
  }
  parts.push([left === undefined ? formatDuration(elapsed) : `about ${formatDuration(left)} left`, 0])
  return parts
}

/** For logs. */
export const plainStatus = (status: Status): string =>
  `${status.phase}: ${partsOf(status)
    .map(([part]) => part)
    .join(', ')}`

const [LONGEST_BAR, SHORTEST_BAR] = [24, 8]
const PHASE_WIDTH = 10

/** For a terminal, in less than its width: a line as wide as the terminal may wrap. */
export function barStatus(status: Status, { glyphs, paint, width }: View): string {
  const phase = status.phase.padEnd(PHASE_WIDTH)
  let parts = partsOf(status)
  const textOf = () => parts.map(([part]) => `  ${part}`).join('')
  const least = status.share === undefined ? 0 : SHORTEST_BAR + 7
  const room = width - 1 - displayWidth(phase)
  while (displayWidth(textOf()) + least > room && parts.some(([, spare]) => spare > 0)) {
    const highest = Math.max(...parts.map(([, spare]) => spare))
    parts = parts.filter(([, spare]) => spare !== highest)
  }
  const text = textOf()
  if (status.share === undefined) return clip(phase + text, width - 1, glyphs.cut)
  const columns = Math.min(LONGEST_BAR, room - displayWidth(text) - 7)
  if (columns < 1) return clip(phase + text, width - 1, glyphs.cut)
  const percent = `${Math.floor(100 * status.share)} %`.padStart(5)
  return `${phase} ${paint.good(drawBar(status.share, columns, glyphs))} ${percent}${text}`
}

function drawBar(share: number, columns: number, { full, parts, rest }: View['glyphs']): string {
  const filled = Math.min(columns, share * columns)
  const whole = Math.floor(filled)
  const part = whole < columns ? (parts[Math.floor((filled - whole) * (parts.length + 1)) - 1] ?? '') : ''
  return full.repeat(whole) + part + rest.repeat(columns - whole - part.length)
}
