import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_TOTAL_WEIGHT } from '../../src/common/units.ts'
import { openByLedger, openRows } from '../../src/data/openRows.ts'
import type { Holdout, Roles } from '../../src/data/roles.ts'
import type { TableSource } from '../../src/data/source.ts'
import { makeTable } from '../../src/data/table.ts'
import { failureOf } from '../support/failure.ts'
import { ArrayLedger } from './arrayLedger.ts'
import { CASES, inChunks, makeRows, ROLES, readAll, sampleOf } from './chunkedRows.ts'

const MORE: [string, Roles, Holdout | undefined][] = [
  ['independent copies', { ...ROLES, copies: 'independent' }, { fraction: 0.3, seed: 2 }],
  ['whole weights', { ...ROLES, weight: 'side01' }, undefined],
  ['weights and ids', { ...ROLES, weight: 'w' }, { fraction: 0.4, seed: 3, groupBy: 'person' }],
  ['weights of 1', { ...ROLES, weight: 'one', prediction: 'p' }, undefined],
  ['a fold column with one side', { ...ROLES, fold: 'fitting' }, undefined],
  ['ids that no two rows share', ROLES, { fraction: 0.4, seed: 6, groupBy: 'own' }],
]

const makeMore = (count: number, seed: number) =>
  makeRows(count, seed).map((row, index) => ({
    ...row,
    ...{ one: 1, fitting: 'fit', own: `row ${index}`, side01: index < 2 ? 3 : index % 4 },
  }))

describe('rows that are noted in a ledger', () => {
  it.each([...CASES, ...MORE])('are the rows of the survey, with %s', async (_, roles, holdout) => {
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 40, max: 90 }),
        fc.integer({ min: 1, max: 999 }),
        fc.constantFrom(0, 20, 1000),
        sizes,
        async (count, seed, sampleRows, chunkSizes) => {
          const source = inChunks(makeMore(count, seed), chunkSizes)
          const options = { holdout, sampleRows, keyed: true }
          const survey = await openRows(source, roles, options).catch(String)
          const noted = await openByLedger(source, roles, new ArrayLedger(), options).catch(String)
          if (typeof survey === 'string' || typeof noted === 'string') {
            expect(noted).toEqual(survey)
            return
          }
          const { chunks: _c, learnable, ...facts } = noted
          const { chunks: _s, learnable: expected, weight: _w, ...expectedFacts } = survey
          expect(facts).toEqual(expectedFacts)
          expect(learnable.presence).toEqual(expected.presence)
          if (sampleRows > 0) expect(sampleOf(noted)).toEqual(sampleOf(survey))
          expect(await readAll(noted, 7)).toEqual(await readAll(survey, 1000))
          expect(await keysOf(noted)).toEqual(await keysOf(survey))
        },
      ),
      { numRuns: 20 },
    )
  })

  it.each([
    ['no rows', makeTable({ x: [], y: [] }), 'FB_NO_ROWS'],
    ['one label', makeTable({ x: [1, 2], y: [1, 1] }), 'FB_LABEL_CONSTANT'],
    ['weights of 0', makeTable({ x: [1, 2], y: [0, 1], w: [0, 0] }), 'FB_WEIGHT_RANGE'],
  ])('are refused where there are %s', async (_, table, code) => {
    const roles = { label: 'y', ...(table.columns.length > 2 && { weight: 'w' }) }
    const source = { chunks: () => [table] }
    expect((await failureOf(openByLedger(source, roles, new ArrayLedger()))).code).toBe(code)
  })

  it('are refused as soon as there are more than sums are exact for, however they are surveyed', async () => {
    const chunk = { rowCount: MAX_TOTAL_WEIGHT, columns: makeTable({ x: [1, 2], y: [0, 1] }).columns }
    const source: TableSource = {
      *chunks() {
        // One row, and then as many as there may be.
        yield makeTable({ x: [1], y: [0] })
        yield chunk
        throw new Error('read on')
      },
    }
    for (const open of [
      () => openRows(source, { label: 'y' }),
      () => openByLedger(source, { label: 'y' }, new ArrayLedger()),
    ]) {
      const error = await failureOf(open())
      expect(error).toMatchObject({ code: 'FB_WEIGHT_RANGE', details: { found: MAX_TOTAL_WEIGHT + 1 } })
    }
  })

  it.each([1, 2])('are refused where reading %d after the first has other rows', async changed => {
    const rows = makeRows(60, 5)
    const others = rows.map((row, index) => (index === 33 ? { ...row, n: 77 } : row))
    let reading = 0
    const changing: TableSource = {
      chunks: () => inChunks(reading++ === changed ? others : rows, [11]).chunks(),
    }
    const read = async () => {
      const noted = await openByLedger(changing, ROLES, new ArrayLedger())
      expect(changed).toBe(2)
      return await readAll(noted, 10)
    }
    expect(await failureOf(read())).toMatchObject({ code: 'FB_SOURCE', details: { column: 'n' } })
  })
})

async function keysOf({ chunks }: Pick<Awaited<ReturnType<typeof openRows>>, 'chunks'>): Promise<number[]> {
  const keys: number[] = []
  for await (const { key } of chunks(9)) keys.push(...key!)
  return keys
}
