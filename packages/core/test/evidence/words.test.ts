// Verdicts, texts that are cut, and the report that holds evidence.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judgeChange } from '../../src/compare/verdict.ts'
import { clipText, groupRef, shorten } from '../../src/evidence/caps.ts'
import { verdictOfChange, verdictOfScore } from '../../src/evidence/verdict.ts'
import { type Evidence, reportHtml } from '../../src/index.ts'
import type { MeasureChange } from '../../src/internal.ts'

const significance = (beyondNoise: boolean, groupsTested = 100) =>
  ({ beyondNoise, groupsTested, largestZ: 5.25, sentence: 'The sentence.' }) as never

const finding = (gap: number, low: number, high: number) =>
  ({
    ...{ group: 'age <= 25', gap, interval: { low, high } },
    ...{ meanScore: 0.4, meanLabel: 0.4 + gap, weight: 1234 },
  }) as never

const audited = (beyondNoise: boolean, worst: never[] = [], groupsTested = 100) => ({
  significance: significance(beyondNoise, groupsTested),
  worst,
})

const change = (
  key: MeasureChange['key'],
  before: number,
  after: number,
  judged: MeasureChange['judged'],
): MeasureChange => {
  const estimate = (value: number) => ({ value, low: value, high: value })
  return {
    key,
    name: key,
    before: estimate(before),
    after: estimate(after),
    change: estimate(after - before),
    judged,
  }
}

describe('a verdict', () => {
  it('is good without a finding, grave where a gap is surely large, and else asks to look closer', () => {
    expect(verdictOfScore(audited(false, [finding(0.1, -0.1, 0.2)]), 500)).toEqual({
      sentence: 'No group is surely off, of 100 tested on 500 rows.',
      level: 'good',
      details: ['The sentence.'],
    })
    const level = (...given: Parameters<typeof audited>) => verdictOfScore(audited(...given), 500).level
    expect(level(false, [], 0)).toBe('attention')
    expect(level(true, [finding(0.1, 0.02, 0.2)])).toBe('attention')
    expect(level(true, [finding(0.1, 0.06, 0.2)])).toBe('bad')
    expect(level(true, [finding(-0.1, -0.2, -0.06)])).toBe('bad')
  })

  it('names the group that matters most with its means, its rows and its interval, and the rows tested', () => {
    const worst = [finding(0.1, 0.02, 0.2), finding(-0.1, -0.2, 0.01)]
    expect(verdictOfScore(audited(true, worst), 20_000).sentence).toBe(
      'age <= 25: the score says 40 %, the outcome is 50 % (1,234 rows; +10.0 points, 2.0 to 20.0). 1 group is surely off, of 100 tested on 20,000 rows.',
    )
    const nobody = verdictOfScore(audited(true, [finding(-0.1, -0.2, 0.01)]), 20_000).sentence
    expect(nobody).toMatch(/^Chance alone hardly makes these gaps, but no group is surely off by itself/)
    expect(nobody).toContain('-10.0 points, -20.0 to 1.0')
  })

  it('of a change is what the comparison says, in one sentence', () => {
    const about = { rowCount: 1200, rows: 'held-out' } as const
    const judged = judgeChange(audited(false), [change('logLoss', 0.5, 0.4, 'better')], about)
    expect(verdictOfChange(judged, audited(true), audited(false))).toEqual({
      sentence:
        'Better on 1,200 held-out rows: logLoss 0.5 before, 0.4 after. No group is surely off, of 100 tested.',
      level: 'good',
      details: ['Before: The sentence.', 'After: The sentence.'],
    })
  })
})

describe('texts', () => {
  it('are cut by characters, and not where they fit', () => {
    expect(clipText('short', 5)).toBe('short')
    expect(clipText('longer', 5)).toBe('long…')
    expect(clipText('😀😀😀😀😀😀', 4)).toBe('😀😀😀…')
    expect(clipText('\u202Eevil\u0000')).toBe('\uFFFDevil\uFFFD')
    expect(shorten(0.123456789)).toBe(0.123457)
  })

  it('leave out queries that nobody could read, and then the predicates', () => {
    const where = [{ column: 'a', is: 'b' }]
    expect(groupRef('a = b', where, '"a" = \'b\'')).toEqual({ words: 'a = b', where, sql: '"a" = \'b\'' })
    expect(groupRef('a = b', where, 'x'.repeat(1001))).toEqual({ words: 'a = b', where: [] })
  })
})

describe('the report', () => {
  const template =
    '<p>"EVIDENCE"</p><script type="application/json" id="evidence">"EVIDENCE"</script><b>$&</b>'

  it('holds any evidence, and nothing of it ends the element or begins another', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(
        '</script><script>alert(1)</script>',
        '<!--<script>',
        ']]>',
        '$&$1',
        '\u2028\u2029&amp;',
      ),
    )
    fc.assert(
      fc.property(fc.dictionary(hostile, hostile), found => {
        const html = reportHtml(template, found as unknown as Evidence)
        const text = /id="evidence">([^<]*)<\/script><b>\$&<\/b>$/.exec(html)![1]
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(found)))
        expect(text).not.toMatch(/[<>&\u2028\u2029]/)
        expect(html.startsWith('<p>"EVIDENCE"</p>')).toBe(true)
      }),
    )
  })

  it('is not made from a template without a place for it', () => {
    expect(() => reportHtml('<p></p>', {} as Evidence)).toThrow('with a place for evidence')
  })
})
