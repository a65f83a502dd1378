// Colours of both themes can be read on what they stand on: text at 4.5 to 1, marks at 3 to 1. The two dark blocks agree.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const css = readFileSync(new URL('../../src/views/theme.css', import.meta.url), 'utf8')

const blocks = [...css.matchAll(/color-scheme: (light|dark);([^}]*)\}/g)].map(([, scheme, body]) => ({
  scheme,
  tokens: new Map(
    [...body.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, colour]) => [name, colour]),
  ),
}))

type Colour = readonly number[]

const parse = (hex: string): Colour => [1, 3, 5].map(at => Number.parseInt(hex.slice(at, at + 2), 16) / 255)

const mix = (over: Colour, under: Colour, share: number): Colour =>
  over.map((part, index) => share * part + (1 - share) * under[index])

function luminance(colour: Colour): number {
  const [r, g, b] = colour.map(part => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: Colour, b: Colour): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

describe.each(blocks)('the $scheme theme', ({ tokens }) => {
  const colour = (name: string) => parse(tokens.get(name) ?? blocks[0].tokens.get(name)!)

  it.each([
    ...['page', 'card', 'zone', 'good-soft', 'warm-soft', 'bad-soft'].map(ground => ['ink', ground] as const),
    ...['page', 'card', 'zone', 'good-soft', 'warm-soft', 'bad-soft'].map(
      ground => ['soft', ground] as const,
    ),
    ...[
      ['accent', 'page'] as const,
      ['accent', 'card'] as const,
      ['good', 'card'] as const,
      ['bad', 'card'] as const,
    ],
  ])('has %s that can be read on %s', (text, ground) => {
    expect(contrast(colour(text), colour(ground))).toBeGreaterThanOrEqual(4.5)
  })

  it('has marks that are seen, and numbers that can be read on the strongest cells', () => {
    for (const mark of ['before', 'after']) {
      for (const ground of ['card', 'zone'])
        expect(contrast(colour(mark), colour(ground)), `${mark} on ${ground}`).toBeGreaterThanOrEqual(3)
    }
    for (const side of ['low', 'high']) {
      const cell = mix(colour(side), colour('zone'), 0.6)
      expect(contrast(colour('ink'), cell), side).toBeGreaterThanOrEqual(4.5)
    }
  })
})

describe('the themes', () => {
  it('are light, dark by the system, dark by choice, and paper', () => {
    expect(blocks.map(({ scheme }) => scheme)).toEqual(['light', 'dark', 'dark', 'light'])
    expect([...blocks[1].tokens]).toEqual([...blocks[2].tokens])
    for (const [name, colour] of blocks[3].tokens) {
      if (name !== 'page') expect([name, colour]).toEqual([name, blocks[0].tokens.get(name)])
    }
  })
})
