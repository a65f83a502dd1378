// The chart builder: well-formed whatever it is given, the same bytes each time, marks where the data say.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ChartOptions, chart, panels } from '../../../bench/figures/svg.ts'

const simple: ChartOptions = {
  width: 400,
  height: 300,
  title: 'Title',
  subtitle: 'Subtitle',
  x: { label: 'across', domain: [0, 1] },
  y: { label: 'up', domain: [0, 1] },
  series: [
    {
      kind: 'line',
      label: 'one',
      points: [
        [0, 0],
        [1, 1],
      ],
    },
    { kind: 'points', label: 'two', points: [[0.5, 0.25]] },
  ],
  notes: ['A note.'],
}

/** A strict reader of the little XML that is used here: throws at the first thing that is not well-formed. */
function parseXml(xml: string): { tags: string[]; texts: string[] } {
  const token =
    /<(\/?)([a-z]+)((?: [a-zA-Z-]+="[^"<&]*(?:&(?:amp|lt|gt|quot|#39);[^"<&]*)*")*)(\/?)>|([^<]+)/y
  const open: string[] = []
  const found = { tags: [] as string[], texts: [] as string[] }
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex
    const match = token.exec(xml)
    if (match === null) throw new Error(`not well-formed at: ${xml.slice(at, at + 80)}`)
    const [, closing, name, , selfClosing, words] = match
    if (words !== undefined) {
      if (/&(?!(?:amp|lt|gt|quot|#39);)/.test(words)) throw new Error(`bare ampersand: ${words}`)
      if (words.trim() !== '') found.texts.push(words)
    } else if (closing === '/') {
      if (open.pop() !== name) throw new Error(`wrong end tag ${name}`)
    } else {
      if (open.length === 0 && found.tags.length > 0) throw new Error('two roots')
      found.tags.push(name)
      if (selfClosing === '') open.push(name)
    }
  }
  if (open.length > 0) throw new Error(`never closed: ${open.join(', ')}`)
  return found
}

const words = fc.oneof(fc.string(), fc.constantFrom('<b>', 'a & b', '"quoted"', "it's", ']]>', 'tab\u0001'))
const finite = fc.double({ min: -1e6, max: 1e6, noNaN: true })
const series = fc.record({
  kind: fc.constantFrom('line', 'points', 'bars', 'area'),
  label: words,
  points: fc.array(fc.tuple(finite, finite), { maxLength: 12 }),
})
const options: fc.Arbitrary<ChartOptions> = fc.record({
  width: fc.integer({ min: 360, max: 900 }),
  height: fc.integer({ min: 300, max: 700 }),
  title: words,
  subtitle: words,
  x: fc.record({ label: words }),
  y: fc.record({ label: words }),
  series: fc.array(series as fc.Arbitrary<ChartOptions['series'][number]>, { maxLength: 4 }),
  notes: fc.array(words, { maxLength: 2 }),
})

describe('a chart', () => {
  it('is well-formed XML with finite numbers, whatever its words and points', () => {
    fc.assert(
      fc.property(options, one => {
        const svg = chart(one)
        const { tags } = parseXml(svg)
        expect(tags.slice(0, 3)).toEqual(['svg', 'title', 'desc'])
        const drawn = svg.replace(/<(title|desc|text)\b[^>]*>[^<]*/g, '')
        expect(drawn).not.toMatch(/NaN|Infinity|undefined|-0\.00"/)
      }),
    )
  })

  it('gives the same bytes for the same data', () => {
    expect(chart(structuredClone(simple))).toBe(chart(simple))
  })

  it('writes every coordinate with two decimals', () => {
    const coordinates = chart(simple).matchAll(/ (?:x|y|cx|cy)="([^"]*)"/g)
    for (const [, value] of coordinates) expect(value).toMatch(/^-?\d+\.(\d\d|5)$/)
  })

  it('escapes words and colours', () => {
    const svg = chart({
      ...simple,
      title: '<script>"a" & \'b\'</script>',
      series: [
        {
          kind: 'line',
          label: 'x<y',
          color: '"/><script>',
          points: [
            [0, 0],
            [1, 1],
          ],
        },
      ],
    })
    expect(svg).not.toContain('<script>')
    expect(parseXml(svg).texts[0]).toBe('&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;&lt;/script&gt;')
  })

  it('puts a mark where the ticks of its values are', () => {
    const svg = chart({ ...simple, series: [{ kind: 'points', label: 'p', points: [[0.6, 0.8]] }] })
    const circle = /<circle cx="([^"]+)" cy="([^"]+)"/.exec(svg)!
    const xTick = /<text x="([^"]+)"[^>]*text-anchor="middle">0\.6</.exec(svg)!
    const yTick = /<text x="[^"]+" y="([^"]+)"[^>]*text-anchor="end">0\.8</.exec(svg)!
    expect(circle[1]).toBe(xTick[1])
    expect(Number(circle[2])).toBeCloseTo(Number(yTick[1]) - 4, 5)
  })

  it('marks axes at round numbers, with real minus signs and grouped thousands', () => {
    const ticks = (low: number, high: number) =>
      parseXml(chart({ ...simple, series: [], notes: [], y: { label: 'up', domain: [low, high] } })).texts
    expect(ticks(0, 0.05)).toEqual(expect.arrayContaining(['0.00', '0.01', '0.02', '0.03', '0.04', '0.05']))
    expect(ticks(-2000, 2000)).toEqual(
      expect.arrayContaining(['\u22122,000', '\u22121,000', '0', '1,000', '2,000']),
    )
  })

  it('spaces powers of ten evenly on a logarithmic axis', () => {
    const svg = chart({ ...simple, series: [], x: { label: 'rows', scale: 'log', domain: [1000, 1e6] } })
    const at = ['1,000', '10k', '100k', '1M'].map(label =>
      Number(new RegExp(`x="([^"]+)"[^>]*>${label}<`).exec(svg)![1]),
    )
    expect(at[1] - at[0]).toBeCloseTo(at[2] - at[1], 1)
    expect(at[2] - at[1]).toBeCloseTo(at[3] - at[2], 1)
  })

  it('stands bars on zero and keeps them inside the plot', () => {
    const points: [number, number][] = [
      [0, 4],
      [1, -2],
      [2, 1],
    ]
    const svg = chart({
      ...simple,
      x: { label: '' },
      y: { label: '' },
      series: [{ kind: 'bars', label: 'b', points }],
    })
    const inner = svg.slice(svg.lastIndexOf('<svg'))
    const bars = [...inner.matchAll(/<rect x="([^"]+)" y="([^"]+)" width="([^"]+)" height="([^"]+)"/g)].map(
      bar => bar.slice(1).map(Number),
    )
    const [up, down, small] = bars
    expect(up[1] + up[3]).toBeCloseTo(down[1], 1)
    expect(up[3] / small[3]).toBeCloseTo(4, 1)
    expect(down[3] / small[3]).toBeCloseTo(2, 1)
  })

  it('names lines that end together at their ends, without overlap, and other series in a legend', () => {
    const lines = ['a', 'b', 'c'].map(label => ({
      kind: 'line' as const,
      label,
      points: [
        [0, 0.5],
        [1, 0.5],
      ] as const,
    }))
    const heights = [
      ...chart({ ...simple, series: lines }).matchAll(/y="([^"]+)"[^>]*font-weight="600">[abc]</g),
    ]
    const sorted = heights.map(match => Number(match[1])).sort((a, b) => a - b)
    expect(sorted).toHaveLength(3)
    expect(sorted[1] - sorted[0]).toBeGreaterThanOrEqual(14)
    expect(sorted[2] - sorted[1]).toBeGreaterThanOrEqual(14)
    expect(chart(simple)).not.toMatch(/font-weight="600">one</)
    expect(parseXml(chart(simple)).texts).toEqual(expect.arrayContaining(['one', 'two']))
  })

  it('tells what it shows to those who do not see it', () => {
    expect(chart(simple)).toContain('<desc>Subtitle up against across. one: 2 points from (0, 0) to (1, 1).')
  })

  it('says so when it is too small to draw in', () => {
    expect(() => chart({ ...simple, height: 120 })).toThrow('400 by 120 leaves no room')
    expect(() => chart({ ...simple, width: 80 })).toThrow('leaves no room')
  })

  it.each([
    [{ points: [[Number.NaN, 1]] }, {}],
    [{ points: [[1, Number.POSITIVE_INFINITY]] }, {}],
    [{ points: [[0, 1]] }, { x: { label: 'x', scale: 'log' } }],
    [{ points: [] }, { x: { label: 'x', domain: [1, 1] } }],
    [{ points: [] }, { y: { label: 'y', domain: [0, Number.NaN] } }],
  ])('refuses what has no place: %j %j', (part, changes) => {
    const one = { kind: 'line', label: 's', ...part } as ChartOptions['series'][number]
    expect(() => chart({ ...simple, ...(changes as Partial<ChartOptions>), series: [one] })).toThrow(
      /no place|is empty/,
    )
  })
})

describe('panels', () => {
  it('holds every chart once, in a grid as wide and high as its parts', () => {
    const svg = panels(
      [simple, { ...simple, title: 'Second' }, { ...simple, title: 'Third', height: 200 }],
      2,
    )
    const { texts } = parseXml(svg)
    expect(svg).toContain('width="800.00" height="500.00"')
    for (const title of ['Title', 'Second', 'Third']) expect(texts).toContain(title)
    expect(svg).toContain('translate(400.00 0.00)')
    expect(svg).toContain('translate(0.00 300.00)')
  })

  it('is as wide as its charts when there are fewer than columns', () => {
    expect(panels([simple], 3)).toContain('width="400.00" height="300.00"')
  })
})
