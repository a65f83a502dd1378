// Old model files predict what they predicted, to the last bit; and a format that changes has a new version.

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ONE } from '../../src/common/units.ts'
import { fit, readModel } from '../../src/index.ts'
import { MODEL_VERSION, MODEL_VERSIONS } from '../../src/model/data.ts'
import { shapeOf, ZOO, ZOO_ROWS, zooTable } from './zoo.ts'

const at = (path: string) => new URL(`zoo/${path}`, import.meta.url)
const read = (path: string) => readFileSync(at(path), 'utf8')
const kinds = (version: number) => readdirSync(at(`${version}/`)).map(file => file.replace('.fb.json', ''))

describe.each(MODEL_VERSIONS)('version %i', version => {
  const predicted: Record<string, number[]> = JSON.parse(read(`predictions-${version}.json`))

  it('has a file of every kind', () => {
    expect(kinds(version)).toEqual(Object.keys(ZOO).sort())
    expect(Object.keys(predicted).sort()).toEqual(kinds(version))
  })

  it.each(Object.keys(ZOO))('predicts what it predicted when it was written: %s', kind => {
    const model = readModel(read(`${version}/${kind}.fb.json`))
    expect(model.data.version).toBe(version)
    // Models of version 1 were fitted without the column of dates, which they knew as a number.
    const rows = ZOO_ROWS.map(({ since, ...row }) => (version === 1 ? row : { ...row, since }))
    expect(rows.map(row => model.predictRow(row) * ONE)).toEqual(predicted[kind])
    expect(Array.from(model.predictRows(rows), p => p * ONE)).toEqual(predicted[kind])
  })

  it.each(Object.keys(ZOO))('is written as it was read, line for line: %s', kind => {
    const text = read(`${version}/${kind}.fb.json`)
    expect(readModel(text).toText()).toBe(text)
  })
})

describe('the version that is written', () => {
  it.each(Object.keys(ZOO))('has the places of its zoo and no others: %s', async kind => {
    const known = new Set(
      kinds(MODEL_VERSION).flatMap(each => placesIn(read(`${MODEL_VERSION}/${each}.fb.json`))),
    )
    const written = placesIn((await fit(zooTable(), ZOO[kind])).toText())
    // A place that is new: raise MODEL_VERSION, say what is new in FORMAT.md, and write its zoo (scripts/write-zoo.ts).
    expect([...new Set(written)].filter(place => !known.has(place))).toEqual([])
  })
})

const placesIn = (text: string): string[] => shapeOf(JSON.parse(text))
