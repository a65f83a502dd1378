// The benches' data helpers: the CSV reader, data sets, splits, and the logistic base model.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseCsv } from '../../../bench/data/csv.ts'
import { inferColumn, loadDataset } from '../../../bench/data/dataset.ts'
import { fitLogistic, logisticScore, predictLogistic } from '../../../bench/data/logistic.ts'
import { splitByKey, splitRows } from '../../../bench/data/split.ts'

describe('the CSV reader', () => {
  const quote = (field: string) => `"${field.replaceAll('"', '""')}"`

  it('reads back what was written, whatever the fields hold', () => {
    const field = fc.oneof(fc.string(), fc.constantFrom(',', '"', '\n', '\r\n', '""', 'a\rb', ' '))
    const table = fc.array(fc.tuple(field, field, field), { maxLength: 8 })
    fc.assert(
      fc.property(table, fc.constantFrom('\n', '\r\n'), fc.boolean(), (rows, lineEnd, ended) => {
        const lines = [['a', 'b', 'c'], ...rows].map(row => row.map(quote).join(','))
        const columns = parseCsv(lines.join(lineEnd) + (ended ? lineEnd : ''))
        const missing = (value: string) => (value === '' ? null : value)
        expect(Object.keys(columns)).toEqual(['a', 'b', 'c'])
        expect(Object.values(columns)).toEqual([0, 1, 2].map(j => rows.map(row => missing(row[j]))))
      }),
    )
  })

  it('takes empty fields as missing, quoted or not, also at the ends of a line', () => {
    expect(parseCsv('a,b,c\n,"",x\n1,,\n')).toEqual({ a: [null, '1'], b: [null, null], c: ['x', null] })
    expect(parseCsv('a,b\n1,')).toEqual({ a: ['1'], b: [null] })
  })

  it('drops a byte order mark and keeps a header without rows', () => {
    expect(parseCsv('\uFEFFa,b\n')).toEqual({ a: [], b: [] })
  })

  it.each([
    ['', 'empty'],
    ['a,a\n', 'repeated'],
    ['a,b\n1,2\n3\n', 'Record 3 has 1 fields, the header has 2'],
    ['a\n"open', 'never closed'],
    ['a\n"x"y\n', 'follows a closing quote'],
  ])('refuses %j', (text, reason) => {
    expect(() => parseCsv(text)).toThrow(reason)
  })
})

describe('a data set', () => {
  let folder: string
  const before = process.env.FEATUREBOOST_DATA

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'featureboost-'))
    process.env.FEATUREBOOST_DATA = folder
    const text = 'age,code,town,label\n31,07,Oslo,0\n,12,,1\n40.5,07,Bergen,1\n'
    writeFileSync(join(folder, 'tiny.csv.gz'), gzipSync(text))
  })

  afterEach(() => {
    rmSync(folder, { recursive: true })
    if (before === undefined) delete process.env.FEATUREBOOST_DATA
    else process.env.FEATUREBOOST_DATA = before
  })

  it('tells numbers from categories and keeps every row and column', () => {
    expect(loadDataset('tiny')).toEqual({
      name: 'tiny',
      rowCount: 3,
      columns: {
        age: [31, null, 40.5],
        code: [7, 12, 7],
        town: ['Oslo', null, 'Bergen'],
        label: [0, 1, 1],
      },
      label: 'label',
    })
  })

  it('keeps codes as text when told so', () => {
    expect(loadDataset('tiny', { categorical: ['code'] }).columns.code).toEqual(['07', '12', '07'])
  })

  it('says where it looked, what is there and what to set', () => {
    expect(() => loadDataset('absent')).toThrow(folder)
    expect(() => loadDataset('absent')).toThrow(/absent\.csv\.gz.*tiny\.csv\.gz.*FEATUREBOOST_DATA/)
  })

  it('calls a column numeric only if every present value is a finite number', () => {
    expect(inferColumn(['1', null, '-2.5e3'])).toEqual([1, null, -2500])
    for (const odd of ['x', ' ', 'NaN', 'Infinity', '1,5'])
      expect(inferColumn(['1', odd])).toEqual(['1', odd])
  })
})

describe('a split', () => {
  it('puts every row in exactly one part, with the sizes asked for, for every seed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300 }), fc.integer(), (rowCount, seed) => {
        const parts = splitRows(rowCount, [0.4, 0.4, 0.2], seed)
        expect(parts.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: rowCount }, (_, row) => row))
        for (const [part, share] of [0.4, 0.4, 0.2].entries()) {
          expect(Math.abs(parts[part].length - share * rowCount)).toBeLessThanOrEqual(1)
        }
        expect(splitRows(rowCount, [0.4, 0.4, 0.2], seed)).toEqual(parts)
      }),
    )
  })

  it('depends on the seed, and refuses shares that do not sum to 1', () => {
    expect(splitRows(100, [0.5, 0.5], 1)).not.toEqual(splitRows(100, [0.5, 0.5], 2))
    expect(() => splitRows(10, [0.5, 0.4], 1)).toThrow('sum to 1')
    expect(() => splitRows(10, [1.5, -0.5], 1)).toThrow('positive')
  })

  it('by key keeps the rows of one key together', () => {
    const keys = Array.from({ length: 200 }, (_, row) => row % 37)
    const parts = splitByKey(keys, [0.5, 0.5], 3)
    expect(parts.flat()).toHaveLength(200)
    const [first, second] = parts.map(rows => new Set(rows.map(row => keys[row])))
    expect([...first].filter(key => second.has(key))).toEqual([])
    expect(first.size + second.size).toBe(37)
  })
})

describe('the logistic model', () => {
  const rowsOf = (count: number) => Array.from({ length: count }, (_, row) => row)

  it('gives the group rates when the only feature is the group', () => {
    const group = ['a', 'a', 'a', 'a', 'b', 'b', 'b', 'b', null, null]
    const label = [1, 0, 0, 0, 1, 1, 1, 0, 1, 0]
    const score = logisticScore({
      columns: { group, label },
      label: 'label',
      rows: rowsOf(10),
      ridge: 1e-7,
      rareCount: 1,
    })
    const rates = [0.25, 0.25, 0.25, 0.25, 0.75, 0.75, 0.75, 0.75, 0.5, 0.5]
    score.forEach((probability, row) => {
      expect(probability).toBeCloseTo(rates[row], 5)
    })
  })

  it('finds the log-odds of a saturated problem: slope ln 9 from x = 0 to x = 1', () => {
    const x = [0, 0, 0, 0, 1, 1, 1, 1]
    const label = [1, 0, 0, 0, 1, 1, 1, 0]
    const model = fitLogistic({ columns: { x, label }, label: 'label', rows: rowsOf(8), ridge: 1e-9 })
    // Standardized, x = 0 and x = 1 are -1 and 1; the missing indicator was never 1.
    expect(model.coefficients[0]).toBeCloseTo(0, 6)
    expect(model.coefficients[1]).toBeCloseTo(Math.log(9) / 2, 6)
    expect(model.coefficients[2]).toBe(0)
  })

  it('is calibrated in the large on the rows it was fitted on, because the intercept is free', () => {
    const { columns, rows } = noisyProblem()
    const score = logisticScore({ columns, label: 'label', rows, ridge: 5 })
    const gap = rows.reduce((sum, row) => sum + score[row] - columns.label[row], 0)
    expect(Math.abs(gap)).toBeLessThan(1e-6)
  })

  it('has a gradient of zero at its solution', () => {
    const { columns, rows } = noisyProblem()
    const ridge = 2
    const model = fitLogistic({ columns, label: 'label', rows, features: ['x'], ridge })
    const score = predictLogistic(model, columns)
    const present = rows.map(row => columns.x[row]).filter(value => value !== null)
    const mean = present.reduce((sum, value) => sum + value, 0) / present.length
    const scale = Math.sqrt(present.reduce((sum, value) => sum + (value - mean) ** 2, 0) / present.length)
    const gradient = rows.reduce((sum, row) => {
      const x = columns.x[row]
      return x === null ? sum : sum + ((x - mean) / scale) * (columns.label[row] - score[row])
    }, 0)
    expect(gradient).toBeCloseTo(ridge * model.coefficients[1], 6)
  })

  it('takes a weight of two for the row twice, when the scaling is the same', () => {
    const group = ['a', 'b', 'a', 'b', 'a', 'b']
    const label = [1, 0, 0, 1, 1, 1]
    const weighted = logisticScore({
      columns: { group, label },
      label: 'label',
      rows: rowsOf(6),
      weights: [2, 1, 1, 1, 1, 1],
      rareCount: 1,
    })
    const repeated = logisticScore({
      columns: { group: [...group, 'a'], label: [...label, 1] },
      label: 'label',
      rows: rowsOf(7),
      rareCount: 1,
    })
    rowsOf(6).forEach(row => {
      expect(weighted[row]).toBeCloseTo(repeated[row], 10)
    })
  })

  it('never looks at the labels of rows it was not given, and scores unseen categories', () => {
    const { columns, rows } = noisyProblem()
    const half = rows.filter(row => row % 2 === 0)
    const flipped = {
      ...columns,
      label: columns.label.map((label, row) => (row % 2 === 0 ? label : 1 - label)),
    }
    const score = logisticScore({ columns, label: 'label', rows: half })
    expect(logisticScore({ columns: flipped, label: 'label', rows: half })).toEqual(score)
    const group = columns.group.map((value, row) => (row % 2 === 0 ? value : 'never seen'))
    const unseen = logisticScore({ columns: { ...columns, group }, label: 'label', rows: half })
    expect(unseen.every(probability => probability > 0 && probability < 1)).toBe(true)
  })

  it('stays finite on separable labels', () => {
    const score = logisticScore({
      columns: { x: [1, 2, 3, 4], label: [0, 0, 1, 1] },
      label: 'label',
      rows: rowsOf(4),
    })
    expect([...score].every(probability => probability > 0 && probability < 1)).toBe(true)
    expect(score[3]).toBeGreaterThan(0.5)
  })

  it('refuses a feature that does not exist', () => {
    expect(() =>
      fitLogistic({ columns: { label: [0, 1] }, features: ['x'], label: 'label', rows: [0, 1] }),
    ).toThrow('"x"')
  })
})

/** 400 rows in which the label follows x and the group, with some values missing; no generator needed. */
function noisyProblem() {
  const rows = Array.from({ length: 400 }, (_, row) => row)
  const x = rows.map(row => (row % 13 === 0 ? null : ((row * 37) % 101) / 10))
  const group = rows.map(row => (row % 17 === 0 ? null : ['a', 'b', 'c'][row % 3]))
  const label = rows.map(row => ((x[row] ?? 5) + (row % 3) * 2 + ((row * 53) % 11) > 12 ? 1 : 0))
  return { columns: { x, group, label }, rows }
}
