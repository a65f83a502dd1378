// Progress: what a log gets, what a terminal gets, and what is said of the time left.

import type { Round } from '@featureboost/core/internal'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { formatDuration, formatRate, roundsLeft } from '../src/terminal/estimate.ts'
import { Progress } from '../src/terminal/progress.ts'
import { barStatus, plainStatus, type Status } from '../src/terminal/status.ts'
import { viewOf } from '../src/terminal/view.ts'
import { displayWidth } from '../src/terminal/width.ts'

const viewAt = (columns: number, ascii = false) => viewOf({ columns }, { ascii }, {})

describe('rounds left', () => {
  const falling = (count: number, power: number) => Array.from({ length: count }, (_, t) => (t + 1) ** -power)

  it('are told where drops fall like a power of the round', () => {
    // 1/t is below 0.01 after round 100, 1/sqrt(t) below 0.1 too.
    expect(roundsLeft(falling(60, 1), 0.01)).toBe(40)
    expect(roundsLeft(falling(60, 0.5), 0.1)).toBe(40)
    expect(roundsLeft(falling(60, 1), 0.5)).toBe(0)
  })

  it('are not told from a few rounds, from drops that do not fall, or far ahead', () => {
    expect(roundsLeft(falling(7, 1), 0.1)).toBeUndefined()
    expect(roundsLeft(falling(30, 0), 0.01)).toBeUndefined()
    expect(roundsLeft(falling(30, -1), 0.01)).toBeUndefined()
    expect(roundsLeft(falling(10, 1), 0.001)).toBeUndefined()
    expect(roundsLeft([...falling(10, 1), 0], 0.05)).toBeUndefined()
  })
})

describe('numbers', () => {
  it('of time and rate are short', () => {
    expect([0.2, 59.4, 200, 7500].map(formatDuration)).toEqual(['0 s', '59 s', '3 min 20 s', '2 h 5 min'])
    expect([7.24, 48.2, 12_345, 1_300_000].map(formatRate)).toEqual(['7.2', '48', '12 k', '1.3 M'])
  })
})

const BOOSTING: Status = {
  phase: 'boosting',
  elapsed: 3.2,
  share: 0.5,
  round: { number: 23, losses: [0.083512, 0.09511], sinceBest: undefined },
  rate: 7.21,
  left: 4.1,
}

describe('a status', () => {
  it('is plain in a log', () => {
    expect(plainStatus(BOOSTING)).toBe(
      'boosting: round 23, loss 0.08351, held out 0.09511, 7.2 rounds/s, about 4 s left',
    )
    const rows = { done: 400_000, all: 1_000_000 }
    expect(plainStatus({ phase: 'loading', elapsed: 2, share: 0.4, rows, rate: 2e5, left: 3 })).toBe(
      'loading: 400,000 of 1,000,000 rows, 200 k rows/s, about 3 s left',
    )
    expect(plainStatus({ phase: 'certifying', elapsed: 70 })).toBe('certifying: 1 min 10 s')
    expect(plainStatus({ phase: 'boosting', elapsed: 2, steps: 1200, rate: 600 })).toBe(
      'boosting: step 1,200, 600 steps/s, 2 s',
    )
    const waiting = { number: 9, losses: [0.1, 0.2], sinceBest: 3 }
    expect(plainStatus({ phase: 'boosting', elapsed: 2, round: waiting })).toContain(
      'lowest 3 rounds ago, 2 s',
    )
  })

  it('is a bar on a terminal', () => {
    expect(barStatus(BOOSTING, viewAt(100))).toBe(
      'boosting   █████░░░░░  50 %  round 23  loss 0.08351  held out 0.09511  7.2 rounds/s  about 4 s left',
    )
    expect(barStatus({ ...BOOSTING, share: 0.3 }, viewAt(60))).toMatch(
      /^boosting {3}[█▉▊▋▌▍▎▏░]+ {2}30 % {2}round 23/,
    )
    expect(barStatus({ ...BOOSTING, share: 0.3 }, viewAt(60, true))).toMatch(/^boosting {3}#+\.+ {2}30 %/)
    expect(barStatus({ phase: 'opening', elapsed: 1 }, viewAt(60))).toBe('opening     1 s')
  })

  it('is never as wide as the terminal', () => {
    const property = fc.property(
      fc.integer({ min: 40, max: 120 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 1, max: 100_000 }),
      fc.double({ min: 1e-6, max: 1, noNaN: true }),
      fc.option(fc.integer({ min: 0, max: 1000 }), { nil: undefined }),
      fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }), { nil: undefined }),
      (columns, share, number, loss, sinceBest, left) => {
        const round = { number, losses: [loss, loss / 3], sinceBest }
        for (const each of [share, undefined]) {
          const status = { phase: 'summing up', elapsed: 1e5, share: each, round, rate: 7, left }
          expect(displayWidth(barStatus(status, viewAt(columns)))).toBeLessThan(columns)
        }
      },
    )
    fc.assert(property)
  })
})

describe('progress', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const listen = (isTTY: boolean, quiet = false) => {
    const written: string[] = []
    const output = { isTTY, columns: 80, write: (text: string) => written.push(text) }
    return { written, progress: new Progress({ quiet }, output) }
  }
  const round = (number: number, losses: number[]): Round =>
    ({ round: number, losses, drop: 0.01, gain: 0.01, accepted: true, words: '' }) as unknown as Round

  it('tells a log one line a second at most, and all phases at the end', () => {
    const { progress, written } = listen(false)
    progress.phase('boosting')
    for (let number = 1; number <= 50; number++) {
      progress.round(round(number, [1 / number, number === 1 ? 1 : 2]))
      vi.advanceTimersByTime(100)
    }
    const lines = written.filter(line => line.startsWith('boosting: round'))
    expect(lines[0]).toMatch(/^boosting: round 1, loss 1\.00000, /)
    expect(lines.length).toBeGreaterThanOrEqual(4)
    expect(lines.length).toBeLessThanOrEqual(6)
    expect(lines.at(-1)).toMatch(/10 rounds\/s/)
    const count = written.length
    progress.phase('certifying')
    vi.advanceTimersByTime(25_000)
    expect(written.slice(count)).toEqual(['certifying: 10 s\n', 'certifying: 20 s\n'])
    expect(progress.seconds()).toMatchObject({ boosting: 5, certifying: 25, total: 30 })
    const summary = 'boosting 5.0 s, certifying 25.0 s: 30.0 s in all\n'
    expect(written.at(-1)).toBe(summary)
    progress.end()
    expect(written.at(-1)).toBe(summary)
    expect(written.join('')).not.toContain('\r')
  })

  it('draws one line on a terminal, erases after drawing, and leaves it clean', async () => {
    const { progress, written } = listen(true)
    const rows = { rowCount: 500, columns: [] }
    const source = progress.count({ chunks: () => [rows, rows, rows, rows] }, 2000)
    progress.phase('reading')
    for await (const _ of source.chunks()) vi.advanceTimersByTime(300)
    expect(written.some(text => / 50 % {2}1,000 of 2,000 rows/.test(text))).toBe(true)
    expect(written.every(text => text.startsWith('\r') && text.endsWith('\x1b[K'))).toBe(true)
    expect(written.some(text => text.includes('\n'))).toBe(false)
    const share = written.flatMap(
      text =>
        text
          .match(/(\d+) %/)
          ?.slice(1)
          .map(Number) ?? [],
    )
    expect(share).toEqual([...share].sort((a, b) => a - b))
    progress.tell('a note')
    expect(written.at(-1)).toBe('\r\x1b[Ka note\n')
    vi.advanceTimersByTime(300)
    progress.end()
    expect(written.at(-1)).toBe('\r\x1b[K')
    const count = written.length
    vi.advanceTimersByTime(3000)
    expect(written.length).toBe(count)
  })

  it('draws the first round at once, and later ones when it is time', () => {
    const { progress, written } = listen(true)
    progress.phase('boosting')
    progress.round(round(1, [0.5]))
    expect(written.at(-1)).toMatch(/boosting .*round 1 {2}loss 0\.50000/)
    progress.round(round(2, [0.4]))
    expect(written.at(-1)).toMatch(/round 1 /)
    vi.advanceTimersByTime(100)
    expect(written.at(-1)).toMatch(/round 2 /)
    progress.end()
  })

  it('tells which of several pieces of work is going on, and the time left once some are done', () => {
    const { progress, written } = listen(false)
    for (let piece = 0; piece < 10; piece++) {
      progress.task('fitting', `piece ${piece}`, piece / 10)
      vi.advanceTimersByTime(1000)
    }
    progress.task('scoring', 'all', 0)
    expect(progress.seconds()).toMatchObject({ fitting: 10, scoring: 0 })
    const lines = written.filter(line => line.startsWith('fitting: piece'))
    expect(lines).toHaveLength(10)
    expect(lines[0]).toBe('fitting: piece 0, 1 s\n')
    expect(lines[9]).toBe('fitting: piece 9, about 1 s left\n')
    progress.end()
  })

  it('tells how much of a search is done, and the time left of what was planned', () => {
    const { progress, written } = listen(false)
    progress.search({ task: 'pairs of columns', done: 1, of: 2, share: 0.1 })
    progress.phase('searching')
    for (let draw = 1; draw <= 10; draw++) {
      progress.search({ task: 'draws of the noise', done: 100 * draw, of: 2000, share: draw / 20 })
      vi.advanceTimersByTime(1000)
    }
    progress.end()
    const lines = written.filter(line => line.startsWith('searching: '))
    expect(lines[0]).toBe('searching: 100 of 2,000 draws of the noise, 1 s\n')
    expect(lines.at(-1)).toBe('searching: 1,000 of 2,000 draws of the noise, about 10 s left\n')
  })

  it('says nothing when quiet, and still counts the seconds', () => {
    const { progress, written } = listen(true, true)
    progress.phase('boosting')
    progress.round(round(1, [0.1]))
    vi.advanceTimersByTime(2000)
    progress.tell('a note')
    expect(progress.seconds()).toMatchObject({ boosting: 2 })
    progress.end()
    expect(written).toEqual([])
  })
})
