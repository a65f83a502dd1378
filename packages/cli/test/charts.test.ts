// Charts in letters: what stands where, and that nothing is wider than the terminal.

import type { ReliabilityBin } from '@featureboost/core/internal'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { layoutDumbbells, niceCeiling } from '../src/terminal/dumbbell.ts'
import { fitTable } from '../src/terminal/layout.ts'
import { layoutReliability } from '../src/terminal/reliability.ts'
import { type View, viewOf } from '../src/terminal/view.ts'
import { clip, displayWidth, visible } from '../src/terminal/width.ts'

const viewAt = (columns: number, ascii = false): View => viewOf({ columns }, { ascii }, {})

const bin = (score: number, label: number, weight: number): ReliabilityBin => ({
  from: score,
  to: score,
  rowCount: weight,
  weight,
  meanPrediction: score,
  meanLabel: { value: label, low: Math.max(0, label - 0.1), high: Math.min(1, label + 0.1) },
})

const BEFORE = [bin(0.05, 0.3, 100), bin(0.95, 0.95, 50)]
const AFTER = [bin(0.3, 0.3, 100), bin(0.95, 0.95, 50)]

describe('the reliability diagram', () => {
  it('puts points where score and outcome say, and leaves empty bins empty', () => {
    const lines = layoutReliability(
      { before: BEFORE, after: AFTER, names: ['score', 'corrected'] },
      viewAt(60),
    )
      .split('\n')
      .map(line => line.slice(7))
    // 53 columns and 15 rows: score 0.05 is column 3, outcome 0.3 is 4 rows above the lowest.
    expect(lines[10][3]).toBe('○')
    expect(lines[10][16]).toBe('●')
    expect(lines[1][49]).toBe('◉')
    const bars = lines.slice(-3, -1)
    expect(bars[0].trimEnd()).toMatch(/^ ████ {38,44}▅▅▅▅$/)
    expect(bars[1].trimEnd()).toMatch(/^ {17}████ +▅▅▅▅$/)
    expect(lines.at(-1)).toBe('○ score   ● corrected   ◉ both   · perfect')
  })

  it('shows intervals where there is one score', () => {
    const chart = layoutReliability({ before: [bin(0.5, 0.8, 10)], names: ['p'] }, viewAt(60))
    expect(chart.split('\n').filter(line => line[7 + 26] === '│').length).toBeGreaterThanOrEqual(2)
    expect(chart).toContain('│ interval')
  })

  it('keeps to the width, and to plain letters where asked', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 40, max: 120 }),
        fc.boolean(),
        fc.array(
          fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
          {
            minLength: 1,
            maxLength: 10,
          },
        ),
        (columns, two, points) => {
          const bins = points.map(([score, label]) => bin(score, label, 1 + 1000 * label))
          const names = ['a rather long name of a column', 'corrected'] as const
          const view = viewAt(columns, true)
          const chart = layoutReliability({ before: bins, names, ...(two && { after: bins }) }, view)
          for (const line of chart.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(view.width)
          expect(chart).toMatch(/^[\x20-\x7e\n]*$/)
        },
      ),
    )
  })
})

describe('dumbbells', () => {
  const number = (value: number) => value.toFixed(2)

  it('stand on one axis with a number at either end', () => {
    const rows = [
      { name: 'falls', before: 0.4, after: 0.1 },
      { name: 'rises', before: 0.1, after: 0.2 },
      { name: 'stays', before: 0.3, after: 0.3 },
    ]
    expect(layoutDumbbells(rows, { format: number }, viewAt(40))).toBe(
      [
        '            0         0.2        0.4',
        'falls       │0.10 ●───────────────○ 0.40',
        'rises       │0.10 ○────● 0.20',
        'stays       │          0.30 ◉ 0.30',
      ].join('\n'),
    )
  })

  it('keep to the width whatever the names and numbers', () => {
    const value = fc.double({ min: -1, max: 1, noNaN: true })
    fc.assert(
      fc.property(
        fc.integer({ min: 40, max: 120 }),
        fc.boolean(),
        fc.array(
          fc.record({ name: fc.string({ minLength: 1, maxLength: 80 }), before: value, after: value }),
          {
            minLength: 1,
            maxLength: 6,
          },
        ),
        (columns, apart, given) => {
          const rows = given.map(row => ({ ...row, name: row.name.replace(/\S{30}/g, '$& ') }))
          const view = viewAt(columns)
          const chart = layoutDumbbells(rows, { format: number, symmetric: true, apart }, view)
          for (const line of chart.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(view.width)
        },
      ),
    )
  })

  it('have axes that end on round numbers', () => {
    expect([0.217, 0.04, 0.99, 7, 0].map(niceCeiling)).toEqual([0.25, 0.04, 1, 8, 1])
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), value => {
        expect(niceCeiling(value)).toBeGreaterThanOrEqual(value * (1 - 1e-9))
        expect(niceCeiling(value)).toBeLessThanOrEqual(2 * value)
      }),
    )
  })
})

describe('tables', () => {
  it('spare columns before they are wider than the terminal', () => {
    const columns = [
      { title: 'name', cells: ['a'.repeat(30)] },
      { title: 'value', cells: ['1.0'] },
      { title: 'interval', cells: ['[0.5, 1.5]'], spare: 1 },
      { title: 'note', cells: ['x'.repeat(30)], spare: 2 },
    ]
    const titles = (width: number) => fitTable(columns, viewAt(width)).split('\n')[0].trim().split(/ +/)
    expect(titles(100)).toEqual(['name', 'value', 'interval', 'note'])
    expect(titles(60)).toEqual(['name', 'value', 'interval'])
    expect(titles(40)).toEqual(['name', 'value'])
  })
})

describe('a view', () => {
  const isUnicode = (environment: Record<string, string>) => viewOf({}, {}, environment).glyphs.line === '─'

  it('has plain letters where the locale is not UTF-8, or where asked', () => {
    expect(isUnicode({ LANG: 'de_DE.UTF-8' })).toBe(true)
    expect(isUnicode({ LANG: 'C.utf8' })).toBe(true)
    expect(isUnicode({})).toBe(true)
    expect(isUnicode({ LANG: 'de_DE.ISO-8859-1' })).toBe(false)
    expect(isUnicode({ LANG: 'en_US.UTF-8', LC_ALL: 'C' })).toBe(false)
    expect(isUnicode({ LANG: 'en_US.UTF-8', LC_ALL: '' })).toBe(true)
    expect(isUnicode({ TERM: 'linux' })).toBe(false)
  })

  it('has colours on a terminal only, and not where NO_COLOR or a dumb terminal says no', () => {
    const paints = (isTTY: boolean, environment: Record<string, string>) =>
      viewOf({ isTTY }, {}, environment).paint.good('x') !== 'x'
    expect(paints(true, {})).toBe(true)
    expect(paints(true, { NO_COLOR: '' })).toBe(true)
    expect(paints(true, { NO_COLOR: '1' })).toBe(false)
    expect(paints(true, { TERM: 'dumb' })).toBe(false)
    expect(paints(false, {})).toBe(false)
  })

  it('is as wide as the terminal, within reason; COLUMNS says it where there is none', () => {
    const width = (columns: number | undefined, environment: Record<string, string> = {}) =>
      viewOf({ columns }, {}, environment).width
    expect([width(72), width(20), width(300), width(undefined)]).toEqual([72, 40, 100, 100])
    expect(width(undefined, { COLUMNS: '66' })).toBe(66)
    expect(width(72, { COLUMNS: '66' })).toBe(72)
    expect(width(undefined, { COLUMNS: 'many' })).toBe(100)
  })
})

describe('the width of a text', () => {
  it('counts columns, not letters', () => {
    expect(displayWidth('\x1b[31mred\x1b[39m')).toBe(3)
    expect(displayWidth('年齢')).toBe(4)
    expect(displayWidth('e\u0301')).toBe(1)
    expect(clip('年齢と収入', 7)).toBe('年齢と…')
    expect(clip('income', 6)).toBe('income')
    expect(visible('a\x1b[2Jb\u009bc\td')).toBe('a\ufffd[2Jb\ufffdc\ufffdd')
    expect(clip('incomes', 6, '...')).toBe('inc...')
  })
})
