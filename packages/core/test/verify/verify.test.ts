// Verification: the certificate computed again from rows and model, and every difference named.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findDifferences } from '../../src/certify/differences.ts'
import {
  FeatureBoostError,
  fit,
  type Model,
  readModel,
  type Table,
  tableFromRows,
  trees,
  verify,
} from '../../src/index.ts'
import { canonicalJson } from '../../src/model/json.ts'
import type { Row } from '../../src/quantize/signals.ts'
import { failureOf } from '../fit/failure.ts'
import { ROW_FUNCTIONS, roleArbitrary, sampleArbitrary, updateClassArbitrary } from '../fit/tables.ts'
import { watchEngines } from '../fit/watch.ts'
import { FIXED_ROWS, fitFixed, fixedTable } from '../model/models.ts'
import { editModel } from '../model/mutate.ts'

const pathsOf = async (model: Model, table: Table) =>
  (await verify(model, table)).differences.map(({ path }) => path)

describe('verification on the same rows', () => {
  it('finds the same certificate and repeats the fit, in any order, for every class and role', async () => {
    const shuffled = sampleArbitrary(30).chain(({ rows }) =>
      fc.tuple(
        fc.constant(rows),
        fc.shuffledSubarray([...rows], { minLength: rows.length, maxLength: rows.length }),
        fc.constantFrom(undefined, 0.3),
      ),
    )
    await fc.assert(
      fc.asyncProperty(
        shuffled,
        roleArbitrary,
        updateClassArbitrary,
        async ([rows, other, holdout], roles, each) => {
          const split = holdout === undefined ? {} : { holdout }
          const options = {
            label: 'y',
            ...roles,
            ...each,
            ...split,
            epsilon: 0.4,
            method: 'rounds',
            roundLimit: 2,
          }
          const model = await fit(tableFromRows(rows), {
            ...options,
            method: 'rounds',
            stop: 'certificate',
          }).catch((error: unknown) => {
            if (!(error instanceof FeatureBoostError)) throw error
          })
          fc.pre(model !== undefined)
          const read = readModel(model.toText(), { functions: ROW_FUNCTIONS })
          const verification = await verify(read, tableFromRows(other), { refit: true })
          expect(verification.differences).toEqual([])
          expect(verification.refit).toEqual({ matches: true, differences: [], hash: model.hash })
          expect(verification.matches).toBe(true)
          expect(JSON.parse(JSON.stringify(verification.certificate))).toEqual(
            JSON.parse(JSON.stringify(model.certificate)),
          )
        },
      ),
      { numRuns: 60 },
    )
  })

  it('reads a fold column as the fit did', async () => {
    const rows = FIXED_ROWS.map((row, index) => ({ ...row, part: index % 3 === 0 ? 'holdout' : 'fit' }))
    const model = await fitFixedOn(rows, { fold: 'part' })
    expect(await pathsOf(model, tableFromRows(rows))).toEqual([])
    const moved = rows.map((row, index) => (index === 0 ? { ...row, part: 'fit' } : row))
    expect(await pathsOf(model, tableFromRows(moved))).toContain('certificate.rows.holdoutWeight')
  })

  it('keeps to the cell budget of the fit', async () => {
    const model = await fitFixed('trees', { cellBudget: 100 })
    expect(model.certificate.auditors).toContain('depth 1')
    expect(await pathsOf(model, fixedTable)).toEqual([])
  })

  it('closes the engine it was given, also when it fails', async () => {
    const model = await fitFixed('groups')
    const { engine, watch } = watchEngines()
    expect((await verify(model, fixedTable, { engine })).matches).toBe(true)
    const unknown = readModel(editModel(model.toText(), contents => contents.auditors.groups.push('height')))
    expect((await failureOf(verify(unknown, fixedTable, { engine }))).code).toBe('FB_COLUMN_UNKNOWN')
    expect(watch).toMatchObject({ made: 2, closed: 2 })
  })

  it('takes a file that says "1 columns" and "1 splits", as files once did, and no other number', async () => {
    const rows = tableFromRows(
      FIXED_ROWS.map(({ age, score, y }) => ({ age: Number(age) > 24 ? 1 : 0, score, y })),
    )
    const roles = { label: 'y', prediction: 'score', method: 'rounds', stop: 'certificate' } as const
    const model = await fit(rows, { ...roles, auditors: trees({ depth: 1 }), epsilon: 0.3 })
    const { auditors } = model.certificate
    expect(auditors).toMatch(/^decision trees of depth 1 on 1 column \(\d+ splits? of/)
    const inOldWords = (text: string) =>
      text.replace('on 1 column (', 'on 1 columns (').replace('(1 split ', '(1 splits ')
    const old = readModel(
      editModel(model.toText(), ({ certificate }) => {
        certificate.auditors = inOldWords(certificate.auditors)
        certificate.proven = certificate.proven.map(inOldWords)
      }),
    )
    expect(old.certificate.auditors).not.toBe(auditors)
    const found = await verify(old, rows, { refit: true, expect: { class: auditors } })
    expect(found).toMatchObject({ matches: true, differences: [], shortfalls: [] })
    const other = editModel(old.toText(), ({ certificate }) => {
      certificate.auditors = certificate.auditors.replace('1 columns', '2 columns')
    })
    expect(await pathsOf(readModel(other), rows)).toEqual(['certificate.auditors'])
  })
})

const fitFixedOn = (rows: readonly Row[], options: { fold: string }) =>
  fit(tableFromRows(rows), {
    label: 'y',
    prediction: 'score',
    method: 'rounds',
    stop: 'certificate',
    epsilon: 0.4,
    roundLimit: 2,
    ...options,
  })

describe('verification finds', () => {
  const withRow = (index: number, change: Row) =>
    tableFromRows(FIXED_ROWS.map((row, at) => (at === index ? { ...row, ...change } : row)))

  it('a changed label', async () => {
    const model = await fitFixed('trees')
    const label = 1 - Number(FIXED_ROWS[5].y)
    const paths = await pathsOf(model, withRow(5, { y: label }))
    expect(paths).toEqual(
      expect.arrayContaining([
        'certificate.rows.fingerprint',
        'certificate.before.loss',
        'certificate.after.loss',
      ]),
    )
  })

  it('a score that changed by one unit', async () => {
    const model = await fitFixed('trees')
    const table = withRow(5, { score: Number(FIXED_ROWS[5].score) + 2 ** -24 })
    const { differences, matches } = await verify(model, table)
    expect(matches).toBe(false)
    const [fingerprint] = differences.filter(({ path }) => path === 'certificate.rows.fingerprint')
    expect(fingerprint.stated).toBe(model.certificate.rows.fingerprint)
    expect(fingerprint.found).not.toBe(fingerprint.stated)
  })

  it('a feature that changed its bin, and one row less', async () => {
    const model = await fitFixed('groups')
    expect(await pathsOf(model, withRow(0, { region: 'south' }))).toContain('certificate.rows.fingerprint')
    expect(await pathsOf(model, tableFromRows(FIXED_ROWS.slice(1)))).toContain('certificate.rows.rowCount')
  })

  it('an update that was changed, although the file is well sealed', async () => {
    const model = await fitFixed('groups')
    const changed = readModel(editModel(model.toText(), contents => contents.updates[0].values[0]--))
    const paths = await pathsOf(changed, fixedTable)
    expect(paths).toContain('certificate.after.loss')
    expect(paths).not.toContain('certificate.rows.fingerprint')
    expect(paths.filter(path => path.startsWith('certificate.before'))).toEqual([])
  })

  it('a start that was changed', async () => {
    const table = tableFromRows(FIXED_ROWS.map(({ score: _, ...row }) => row))
    const options = {
      label: 'y',
      method: 'rounds',
      stop: 'certificate',
      epsilon: 0.4,
      roundLimit: 1,
    } as const
    const model = await fit(table, options)
    expect(await pathsOf(model, table)).toEqual([])
    const moved = readModel(editModel(model.toText(), contents => contents.start.units++))
    expect(await pathsOf(moved, table)).toContain('certificate.rows.fingerprint')
  })

  it('an update that was taken away', async () => {
    const model = await fitFixed('groups')
    const changed = readModel(editModel(model.toText(), contents => contents.updates.pop()))
    expect(await pathsOf(changed, fixedTable)).toContain('certificate.rounds')
  })

  it.each([
    ['a smaller tolerance', 'tolerances[1].tolerance', 0],
    ['a smaller bound', 'rungs[1].bound', 0.001],
    ['another verdict', 'holds', false],
    ['kinder words', 'proven[0]', 'All is well.'],
    ['fewer caveats', 'caveats[0]', 'None.'],
    ['a smaller error', 'after.multicalibration.error', 0],
    ['other factors', 'factors', 'signed'],
  ])('%s in the certificate, at its place', async (_, path, value) => {
    const model = await fitFixed('groups')
    const edited = editModel(model.toText(), ({ certificate }) => {
      const keys = path.split(/[.[\]]+/).filter(key => key !== '')
      const parent = keys.slice(0, -1).reduce((part, key) => part[key], certificate)
      parent[keys.at(-1)!] = value
    })
    const { differences } = await verify(readModel(edited), fixedTable)
    expect(differences).toHaveLength(1)
    expect(differences[0]).toMatchObject({ path: `certificate.${path}`, stated: value })
  })
})

describe('differences', () => {
  it('are none between equal values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        expect(findDifferences(value, structuredClone(value))).toEqual([])
      }),
    )
  })

  it('are found wherever two JSON values differ', () => {
    const anyJson = fc.jsonValue().filter(value => !JSON.stringify(value).includes('__proto__'))
    fc.assert(
      fc.property(anyJson, anyJson, (one, other) => {
        const same = canonicalJson(one) === canonicalJson(other)
        expect(findDifferences(one, other).length === 0).toBe(same)
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    [{ a: 1 }, { a: 2 }, [{ path: 'a', stated: 1, found: 2 }]],
    [{ a: { b: [1, 2] } }, { a: { b: [1, 3] } }, [{ path: 'a.b[1]', stated: 2, found: 3 }]],
    [[[1]], [[2]], [{ path: '[0][0]', stated: 1, found: 2 }]],
    [{ a: 1 }, {}, [{ path: 'a', stated: 1, found: undefined }]],
    [{}, { a: 1 }, [{ path: 'a', stated: undefined, found: 1 }]],
    [[1], [1, 2], [{ path: '[1]', stated: undefined, found: 2 }]],
    [1, '1', [{ path: '', stated: 1, found: '1' }]],
    [null, {}, [{ path: '', stated: null, found: {} }]],
    [{ a: [] }, { a: {} }, [{ path: 'a', stated: [], found: {} }]],
    [{ a: [5] }, { a: { 0: 5 } }, [{ path: 'a', stated: [5], found: { 0: 5 } }]],
    [0.1 + 0.2, 0.3, [{ path: '', stated: 0.1 + 0.2, found: 0.3 }]],
  ])('between %j and %j carry their place', (stated, found, differences) => {
    expect(findDifferences(stated, found)).toEqual(differences)
  })
})
