import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeRandom } from '../../src/common/random.ts'
import { openRows } from '../../src/data/openRows.ts'
import type { TableSource } from '../../src/data/source.ts'
import { makeTable, type Table, tableFromRows, type Value } from '../../src/data/table.ts'
import { failureOf } from '../support/failure.ts'
import { CASES, inChunks, makeRows, ROLES, type Row, readAll, sampleOf } from './chunkedRows.ts'

describe('rows that come in chunks', () => {
  it.each(CASES)('are the rows of the table, with %s', async (_, roles, holdout) => {
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 40, max: 90 }),
        fc.integer({ min: 1, max: 999 }),
        sizes,
        async (count, seed, chunkSizes) => {
          const rows = makeRows(count, seed)
          const options = { holdout, sampleRows: 1000 }
          const whole = await openRows(tableFromRows(rows), roles, options).catch(String)
          const chunked = await openRows(inChunks(rows, chunkSizes), roles, options).catch(String)
          if (typeof whole === 'string' || typeof chunked === 'string') {
            expect(chunked).toEqual(whole)
            return
          }
          const { chunks: _c, learnable: _l, ...facts } = chunked
          expect(whole).toMatchObject(facts)
          expect(await readAll(chunked, 7)).toEqual(await readAll(whole, 1000))
          expect(sampleOf(chunked)).toEqual(sampleOf(whole))
        },
      ),
      { numRuns: 30 },
    )
  })

  it('are sampled alike from a table, from chunks of any size and in any order', async () => {
    const holdout = { fraction: 0.3, seed: 5 }
    const roles = { ...ROLES, weight: 'w' }
    for (const seed of [1, 2, 3]) {
      const rows = makeRows(900, seed)
      const random = makeRandom(seed)
      const shuffled = rows
        .map(row => ({ row, key: random.next() }))
        .sort((a, b) => a.key - b.key)
        .map(({ row }) => row)
      const options = { holdout, sampleRows: 100 }
      const expected = await openRows(tableFromRows(rows), roles, options)
      expect(sampleOf(expected).length).toBeLessThanOrEqual(100)
      expect(sampleOf(expected).length).toBeGreaterThan(40)
      for (const given of [rows, shuffled]) {
        for (const size of [1, 33, 2000]) {
          const chunked = await openRows(inChunks(given, [size]), roles, options)
          expect(sampleOf(chunked)).toEqual(sampleOf(expected))
          expect(chunked.learnable.presence).toEqual(expected.learnable.presence)
        }
      }
    }
  })

  it('tell what is present even where the sample has none of it', async () => {
    const rows = makeRows(2000, 4).map((row, index) => ({
      ...row,
      n: index === 700 ? null : index,
      c: index === 900 ? 'rare' : 'common',
    }))
    const { learnable } = await openRows(inChunks(rows, [300]), ROLES, { sampleRows: 20 })
    expect(learnable.presence).toEqual([
      { missing: true, categories: [], numbers: { range: [0, 1999], whole: true } },
      { missing: false, categories: ['common', 'rare'] },
      { missing: true, categories: [] },
    ])
  })

  it('keep independent copies of one row apart: a sample takes some of them, a split parts them', async () => {
    const rows = Array.from({ length: 3000 }, (_, index) => ({ n: 1, y: index % 2 }))
    const options = { holdout: { fraction: 0.25, seed: 1 }, sampleRows: 500 }
    const opened = await openRows(inChunks(rows, [128]), { label: 'y', copies: 'independent' }, options)
    expect(sampleOf(opened).length).toBeGreaterThan(220)
    const held = (await readAll(opened, 64)).filter(row => row.fold === 1).length
    expect(Math.abs(held - 750)).toBeLessThan(80)
  })

  it('count copies as one row that weighs as much as all of them, and tell how many there were', async () => {
    const rows = Array.from({ length: 3000 }, (_, index) => ({ n: index % 30, y: index % 2 }))
    for (const given of [inChunks(rows, [128]), tableFromRows(rows)]) {
      const opened = await openRows(given, { label: 'y' }, { sampleRows: 30 })
      expect(opened).toMatchObject({ rowCount: 3000, countedRows: 30, copyCount: 2970, weighted: true })
      expect(opened.units).toEqual([
        { rows: 30, count: 30, weight: 3000, largestWeight: 100, squaredWeight: 30 * 100 ** 2 },
      ])
      expect(sampleOf(opened)).toHaveLength(30)
      const weights = (await readAll(opened, 64)).map(({ weight }) => weight)
      expect(weights.slice(0, 30).every(weight => weight === 100)).toBe(true)
      expect(weights.slice(30).every(weight => weight === 0)).toBe(true)
    }
  })

  it('are as many units as there are ids, where they have ids', async () => {
    const rows = makeRows(400, 9)
    const holdout = { fraction: 0.5, seed: 2, groupBy: 'person' }
    for (const given of [inChunks(rows, [50]), tableFromRows(rows)]) {
      const opened = await openRows(given, ROLES, { holdout })
      const { units } = opened
      const persons = [...new Set(rows.map(({ person }) => person))]
      const weights = persons.map(id => rows.filter(({ person }) => person === id).length)
      const sum = (of: (fold: (typeof units)[number]) => number) =>
        units.map(of).reduce((total, each) => total + each, 0)
      expect(sum(({ count }) => count)).toBe(weights.length)
      expect(sum(({ rows: counted }) => counted)).toBe(opened.countedRows)
      expect(sum(({ squaredWeight }) => squaredWeight)).toBe(weights.reduce((total, w) => total + w * w, 0))
      expect(Math.max(...units.map(({ largestWeight }) => largestWeight))).toBe(Math.max(...weights))
      expect(sum(({ weight }) => weight)).toBe(400)
    }
  })

  it('keep the rows of one id on one side', async () => {
    const rows = makeRows(400, 9)
    const holdout = { fraction: 0.5, seed: 2, groupBy: 'person' }
    const opened = await openRows(inChunks(rows, [50]), ROLES, { holdout })
    const read = await readAll(opened, 400)
    const sides = new Map<Value, Value>()
    for (const [index, { fold }] of read.entries()) {
      const side = sides.get(rows[index].person)
      expect(side ?? fold).toBe(fold)
      sides.set(rows[index].person, fold)
    }
    expect(new Set(sides.values()).size).toBe(2)
  })

  it('may lack the values of a column in some chunks, whatever kind it then seems to have', async () => {
    const rows = makeRows(60, 2).map((row, index) => ({
      ...row,
      c: index < 20 || index >= 40 ? null : row.c,
    }))
    const options = { holdout: { fraction: 0.3, seed: 1 } }
    const whole = await openRows(tableFromRows(rows), ROLES, options)
    const chunked = await openRows(inChunks(rows, [20]), ROLES, options)
    expect(await readAll(chunked, 60)).toEqual(await readAll(whole, 60))
    expect(sampleOf(chunked)).toEqual(sampleOf(whole))
  })
})

describe('a source is refused', () => {
  const source = (...tables: Table[]): TableSource => ({ chunks: () => tables })
  const good = makeTable({ x: [1, 2], y: [0, 1] })

  it('when there are no rows', async () => {
    expect((await failureOf(openRows(source(), { label: 'y' }))).code).toBe('FB_NO_ROWS')
  })

  it('when a later chunk has other columns', async () => {
    const more = makeTable({ x: [1], y: [0], z: [3] })
    const error = await failureOf(openRows(source(good, more), { label: 'y' }))
    expect(error.message).toContain('FB_SOURCE row 3: a chunk has the columns x, y, z. Expected x, y')
    const other = makeTable({ z: [1], y: [0] })
    expect((await failureOf(openRows(source(good, other), { label: 'y' }))).code).toBe('FB_COLUMN_UNKNOWN')
  })

  it('when a column changes its kind', async () => {
    const strings = makeTable({ x: ['a'], y: [0] })
    const error = await failureOf(openRows(source(good, strings), { label: 'y' }))
    expect(error.message).toContain('FB_COLUMN_KIND column "x", row 3: is numeric at first, and categorical')
  })

  it.each([
    ['label', { y: [2] }, 'FB_LABEL_RANGE column "y", row 3: 2 is not a label.'],
    ['prediction', { p: [-1] }, 'FB_PREDICTION_RANGE column "p", row 3: -1 is not a probability.'],
    ['weight', { w: [-1] }, 'FB_WEIGHT_RANGE column "w", row 3: -1 is negative.'],
    ['fold', { s: ['train'] }, 'FB_FOLD_VALUE column "s", row 3: "train" is not a fold.'],
  ])('with the row of the whole when a %s is wrong', async (_, wrong, message) => {
    const first = makeTable({ x: [1, 2], y: [0, 1], p: [0, 1], w: [1, 2], s: ['fit', 'holdout'] })
    const second = makeTable({ x: [1], y: [1], p: [0.5], w: [1], s: ['fit'], ...wrong })
    const roles = { label: 'y', prediction: 'p', weight: 'w', fold: 's' }
    const error = await failureOf(openRows(source(first, second), roles))
    expect(error.message).toContain(message)
    expect(error.details.hint).toContain('Bad rows: 1 (row 3).')
  })

  it('when every label is the same', async () => {
    const error = await failureOf(openRows(source(makeTable({ x: [1, 2], y: [1, 1] })), { label: 'y' }))
    expect(error.code).toBe('FB_LABEL_CONSTANT')
  })

  it('when an id to split by is missing', async () => {
    const ids = makeTable({ x: [1, 2], y: [0, 1], id: ['a', null] })
    const holdout = { fraction: 0.5, seed: 1, groupBy: 'id' }
    const error = await failureOf(openRows(source(ids), { label: 'y' }, { holdout }))
    expect(error.message).toContain('FB_MISSING_VALUE column "id", row 2: the id to split by is missing.')
  })

  it.each([1, 3])('when it gives %d chunks on the second reading, and 2 on the first', async again => {
    let readings = 0
    const changing: TableSource = { chunks: () => Array(readings++ === 0 ? 2 : again).fill(good) }
    const rows = await openRows(changing, { label: 'y' })
    const error = await failureOf(readAll(rows, 10))
    expect(error.code).toBe('FB_SOURCE')
    expect(error.message).toContain(`the source gave 4 rows, and ${2 * again}`)
  })

  const other: [what: string, first: Row[], then: Row[]][] = [
    ['another number', [{ n: 1, y: 0 }], [{ n: 2, y: 0 }]],
    ['another label', [{ n: 1, y: 0 }], [{ n: 1, y: 1 }]],
    ['another category', [{ n: 1, c: 'a', y: 0 }], [{ n: 1, c: 'b', y: 0 }]],
    ['another truth value', [{ n: 1, f: true, y: 0 }], [{ n: 1, f: false, y: 0 }]],
    ['a value where there was none', [{ n: null, y: 0 }], [{ n: 0, y: 0 }]],
    ['another id', [{ n: 1, id: 'u', y: 0 }], [{ n: 1, id: 'v', y: 0 }]],
    ['another weight', [{ n: 1, w: 1, y: 0 }], [{ n: 1, w: 2, y: 0 }]],
    ['another score', [{ n: 1, p: 0.5, y: 0 }], [{ n: 1, p: 0.25, y: 0 }]],
  ]
  it.each(other)('when the second reading has %s in one row', async (_, first, then) => {
    const rest = Array.from({ length: 30 }, (_, row) => ({ ...first[0], n: row, y: row % 2 }))
    let readings = 0
    const changing: TableSource = {
      chunks: () => inChunks([...rest, ...(readings++ === 0 ? first : then)], [7]).chunks(),
    }
    const [{ id, p, w }] = first
    const roles = {
      label: 'y',
      ...(w !== undefined && { weight: 'w' }),
      ...(p !== undefined && { prediction: 'p' }),
    }
    const holdout = id === undefined ? undefined : { fraction: 0.5, seed: 3, groupBy: 'id' }
    const ids = holdout === undefined ? rest : rest.map((row, index) => ({ ...row, id: `u${index}` }))
    rest.splice(0, rest.length, ...ids)
    const opened = await openRows(changing, roles, { holdout })
    const error = await failureOf(readAll(opened, 10))
    expect(error.message).toContain('other values when it was read again')
    const name = Object.keys(first[0]).find(key => first[0][key] !== then[0][key])
    expect(error).toMatchObject({ code: 'FB_SOURCE', details: { column: name } })
  })

  it('when two rows have changed places, and not when chunks end elsewhere', async () => {
    const rows = makeRows(50, 8)
    let size = 1
    const inOtherChunks: TableSource = { chunks: () => inChunks(rows, [size++]).chunks() }
    const opened = await openRows(inOtherChunks, ROLES)
    for (let reading = 0; reading < 9; reading++) expect(await readAll(opened, 5)).toHaveLength(50)
    let isFirst = true
    const swapped = [...rows.slice(0, 20), rows[21], rows[20], ...rows.slice(22)]
    const swapping: TableSource = {
      chunks() {
        const given = isFirst ? rows : swapped
        isFirst = false
        return inChunks(given, [9]).chunks()
      },
    }
    expect(JSON.stringify(rows[20])).not.toBe(JSON.stringify(rows[21]))
    expect((await failureOf(readAll(await openRows(swapping, ROLES), 10))).code).toBe('FB_SOURCE')
  })
})
