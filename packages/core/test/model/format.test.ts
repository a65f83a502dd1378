// FORMAT.md against the code: its example loads, predicts what the page says, and no key goes without a word.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readModel, tableFromRows } from '../../src/index.ts'
import { MAX_LEVELS, MODEL_VERSION } from '../../src/model/data.ts'
import { canonicalJson } from '../../src/model/json.ts'
import type { Row } from '../../src/quantize/signals.ts'
import { FIXED_AUDITORS, fitFixed, fitSmall, SMALL_KINDS } from './models.ts'
import { placesOf } from './mutate.ts'

const page = readFileSync(new URL('../../src/model/FORMAT.md', import.meta.url), 'utf8')
const example = /```json\n(?<text>[\s\S]*?)```/.exec(page)!.groups!.text

/** What the page says beside the example. */
const described = page.replace(example, '')

/** The rows of the worked example: score, age, region, two updates in words, prediction, rounded. */
const lines = Array.from(page.matchAll(/^\| (0\.\d.*) \|$/gm), match => match[1].split(' | '))

const rows: Row[] = lines.map(([score, age, region]) => ({
  score: Number(score),
  age: age === 'missing' ? null : Number(age),
  region,
}))

describe('the worked example', () => {
  it('loads, and predicts what the page says', () => {
    const model = readModel(example)
    expect(lines).toHaveLength(4)
    expect(Array.from(model.predict(tableFromRows(rows)))).toEqual(lines.map(line => Number(line[5])))
    expect(rows.map(row => model.round(2).predictRow(row))).toEqual(lines.map(line => Number(line[6])))
  })

  it('moves as the page says, update by update', () => {
    const model = readModel(example)
    const units = (value: number) => value * 2 ** 24
    lines.forEach(([, , , first], index) => {
      const [, leaf, level, move] = /leaf (\d), level (\d): ([+-]?[\d.]+)/.exec(first)!.map(Number)
      const [update] = model.data.updates
      expect(update.kind === 'table' && update.values[leaf * update.levels + level]).toBe(units(move))
      expect(level).toBe(Math.floor(Number(rows[index].score) * 2))
    })
    expect(page).toContain(`\`values[1]\` = 0`)
  })

  it('carries the hash that the page describes', () => {
    const { hash, ...rest } = JSON.parse(example)
    expect(hash).toBe(createHash('sha256').update(canonicalJson(rest), 'utf8').digest('hex'))
  })
})

describe('the page', () => {
  it.each(Object.keys(FIXED_AUDITORS))('names every key of a model of %s', async kind => {
    const { data } = await fitFixed(kind, { holdout: 0.3 })
    const keys = new Set(placesOf(data).map(({ key }) => key))
    const unnamed = [...keys].filter(key => !/^\d+$/.test(key) && !new RegExp(`\\b${key}\\b`).test(described))
    expect(unnamed).toEqual([])
  })

  it.each(SMALL_KINDS)('names every kind and every key of the updates of %s', async kind => {
    const { updates } = (await fitSmall(kind)).data
    const keys = new Set(placesOf(updates).map(({ key }) => key))
    for (const update of updates) {
      expect(described).toContain(`kind: "${update.kind}"`)
      for (const key of keys) if (!/^\d+$/.test(key)) expect(described).toMatch(new RegExp(`\\b${key}\\b`))
    }
  })

  it('is about this version and these limits', () => {
    expect(page).toContain(`# The model file, version ${MODEL_VERSION}\n`)
    expect(page).toContain(`Limits: ${MAX_LEVELS.toLocaleString('en-US')} levels`)
  })
})
