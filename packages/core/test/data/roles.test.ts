import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_TOTAL_WEIGHT, ONE } from '../../src/common/units.ts'
import { assignRoles, type Holdout, type Roles } from '../../src/data/roles.ts'
import { type ColumnInput, makeTable } from '../../src/data/table.ts'
import { rejectionOf } from './rejection.ts'

const base = { x: [1, 2, 3, 4], c: ['a', 'b', 'a', null], y: [0, 1, 0, 1], p: [0.25, 0.5, 0.75, 1] }
const assign = (columns: Record<string, ColumnInput>, roles: Partial<Roles> = {}, holdout?: Holdout) =>
  assignRoles(makeTable({ ...base, ...columns }), { label: 'y', ...roles }, holdout)
const rejected = (columns: Record<string, ColumnInput>, roles: Partial<Roles> = {}, holdout?: Holdout) =>
  rejectionOf(() => assign(columns, roles, holdout))
const names = (dataset: { features: readonly { name: string }[] }) => dataset.features.map(({ name }) => name)

describe('features', () => {
  it('are every column without another role that is not excepted', () => {
    const more = { w: [1, 2, 3, 4], f: ['fit', 'fit', 'holdout', 'holdout'], id: [7, 8, 9, 10] }
    const roles = { prediction: 'p', weight: 'w', fold: 'f', except: ['id'] }
    expect(names(assign(more, roles))).toEqual(['x', 'c'])
  })

  it('are those listed, in that order', () => {
    expect(names(assign({}, { features: ['p', 'x'] }))).toEqual(['p', 'x'])
    expect(names(assign({}, { features: ['p', 'x'], except: ['c'] }))).toEqual(['p', 'x'])
  })

  it('may be excepted although the column has another role, which changes nothing', () => {
    expect(names(assign({}, { except: ['y', 'p', 'p'] }))).toEqual(['x', 'c'])
  })

  it.each([
    ['label', { label: 'yy' }],
    ['prediction', { prediction: 'pp' }],
    ['weight', { weight: 'xx' }],
    ['fold', { fold: 'cc' }],
    ['feature', { features: ['x', 'xx'] }],
    ['except', { except: ['cc'] }],
  ])('and roles reject an unknown name given as %s', (role, roles) => {
    const error = rejected({}, roles)
    expect(error.code).toBe('FB_COLUMN_UNKNOWN')
    expect(error.message).toContain(`(named as ${role})`)
    expect(error.message).toMatch(/column "(\w)\1".*Did you mean "\w"\?/)
  })

  it.each([
    ['label and prediction', { prediction: 'y' }, 'y', 'label and as prediction'],
    ['prediction and weight', { prediction: 'p', weight: 'p' }, 'p', 'prediction and as weight'],
    ['weight and fold', { weight: 'x', fold: 'x' }, 'x', 'weight and as fold'],
    ['label and feature', { features: ['x', 'y'] }, 'y', 'label and as feature'],
    ['feature, twice', { features: ['x', 'x'] }, 'x', 'listed twice as feature'],
    ['feature and except', { features: ['x'], except: ['x'] }, 'x', 'except and as feature'],
  ])('and roles reject one column as %s', (_, roles, column, words) => {
    const error = rejected({}, roles)
    expect(error.code).toBe('FB_COLUMN_TWICE')
    expect(error.message).toContain(`column "${column}": is `)
    expect(error.message).toContain(words)
  })

  it('must not run out', () => {
    expect(rejected({}, { except: ['x', 'c', 'p'] }).code).toBe('FB_NO_FEATURES')
    expect(rejected({}, { features: [] }).message).toContain('FB_NO_FEATURES: none of the 4 columns')
  })

  it('and roles must be named by strings', () => {
    const error = rejected({}, { label: undefined } as unknown as Partial<Roles>)
    expect(error.code).toBe('FB_OPTION_VALUE')
    expect(error.message).toContain('"label"')
  })
})

describe('rows', () => {
  it('must exist', () => {
    const empty = makeTable({ x: [], y: [] })
    expect(rejectionOf(() => assignRoles(empty, { label: 'y' })).message).toContain(
      'FB_NO_ROWS: the table has',
    )
  })

  it('must not be more than the largest total weight', () => {
    const huge = { rowCount: MAX_TOTAL_WEIGHT + 1, columns: makeTable(base).columns }
    const error = rejectionOf(() => assignRoles(huge, { label: 'y' }))
    expect(error.code).toBe('FB_WEIGHT_RANGE')
    expect(error.message).toContain('268,435,457 rows')
  })
})

describe('the label', () => {
  it('becomes units of 2^-24, from numbers and from booleans', () => {
    expect(assign({ y: [0, 1, 0.5, 2 ** -24] }).label).toEqual(Int32Array.of(0, ONE, ONE / 2, 1))
    expect(assign({ y: [true, false, true, false] }).label).toEqual(Int32Array.of(ONE, 0, ONE, 0))
  })

  it('must be complete: the first bad row is named, all are counted, three are shown', () => {
    const error = rejected({ y: [0, null, Number.NaN, 1] })
    expect(error.code).toBe('FB_MISSING_VALUE')
    expect(error.details).toMatchObject({ column: 'y', row: 2 })
    expect(error.message).toContain('Bad rows: 2 (row 2; 3).')
    expect(rejected({ y: [true, null, false, true] }).message).toContain('Bad rows: 1 (row 2).')
  })

  it('must lie in 0 to 1: value, rows and count are told', () => {
    const error = rejected({ y: [0, 2, -0.5, 1] })
    expect(error.code).toBe('FB_LABEL_RANGE')
    expect(error.message).toContain('column "y", row 2: 2 is not a label. Expected 0 to 1.')
    expect(error.details.hint).toContain('Bad rows: 2 (row 2; 3).')
    expect(error.details.found).toBe(2)
    const many = makeTable({ x: new Float64Array(5000), y: new Float64Array(5000).fill(-1).fill(0, 0, 1203) })
    const hint = rejectionOf(() => assignRoles(many, { label: 'y' })).details.hint
    expect(hint).toBe(
      'Bad rows: 3,797 (row 1,204; 1,205; 1,206; ...). Which value counts as 1? Say --positive -1 or --positive 0 (in the library positive).',
    )
  })

  it('must not be made of strings, and the hint says what to do', () => {
    const error = rejected({ y: ['no', 'yes', 'no', 'yes'] })
    expect(error.code).toBe('FB_COLUMN_KIND')
    expect(error.message).toContain('column "y"')
    expect(error.details.hint).toContain('--positive no or --positive yes')
    const spaced = rejected({ y: ["isn't paid", 'paid', 'paid', 'paid'] })
    expect(spaced.details.hint).toContain(`--positive 'isn'\\''t paid' or --positive paid`)
  })

  it('must differ between rows, by at least one unit', () => {
    expect(rejected({ y: [1, 1, 1, 1] }).message).toContain('FB_LABEL_CONSTANT column "y"')
    expect(rejected({ y: [0, 0, 0, 2 ** -26] }).code).toBe('FB_LABEL_CONSTANT')
    expect(assign({ y: [0, 0, 0, 2 ** -24] }).label[3]).toBe(1)
  })
})

describe('the prediction', () => {
  it('is where rows start, in units', () => {
    const dataset = assign({}, { prediction: 'p' })
    expect(dataset.start).toEqual(Int32Array.of(ONE / 4, ONE / 2, (3 * ONE) / 4, ONE))
    expect(dataset.startKind).toEqual({ kind: 'column', column: 'p' })
  })

  it('must be a probability; log odds and percentages are pointed out', () => {
    const error = rejected({ p: [0.5, 0.1, 1.7, -3] }, { prediction: 'p' })
    expect(error.code).toBe('FB_PREDICTION_RANGE')
    expect(error.message).toContain('column "p", row 3: 1.7 is not a probability. Expected 0 to 1.')
    expect(error.details.hint).toBe(
      'Bad rows: 2 (row 3; 4). If these are log odds, say --score-scale logit (in the library scoreScale).',
    )
    const percent = rejected({ p: [50, 10, 1.7, 0] }, { prediction: 'p' })
    expect(percent.details.hint).toContain('--score-scale percent')
    const neither = rejected({ p: [50, 10, 170, 0] }, { prediction: 'p' })
    expect(neither.details.hint).not.toContain('--score-scale')
  })

  it('must be complete and must not be made of strings', () => {
    expect(rejected({ p: [0.5, null, 0.1, 0.2] }, { prediction: 'p' }).message).toContain(
      'FB_MISSING_VALUE column "p", row 2: the prediction is missing.',
    )
    expect(rejected({ p: ['a', 'b', 'c', 'd'] }, { prediction: 'p' }).code).toBe('FB_COLUMN_KIND')
    expect(rejected({ p: ['0,1', '0,2', '0,3', '1'] }, { prediction: 'p' }).message).toContain('--decimal ,')
  })

  it('is the mean label of the fit rows, with their weights, when none is given', () => {
    expect(assign({ y: [0, 1, 1, 1] }).startKind).toEqual({ kind: 'constant', units: (3 * ONE) / 4 })
    const more = { y: [0, 1, 1, 0], w: [1, 3, 5, 7], f: ['fit', 'fit', 'holdout', 'holdout'] }
    const dataset = assign(more, { weight: 'w', fold: 'f' })
    expect(dataset.startKind).toEqual({ kind: 'constant', units: (3 * ONE) / 4 })
    expect(dataset.start).toEqual(new Int32Array(4).fill((3 * ONE) / 4))
    expect(assign({ y: [0, 0, 1, 0], f: ['fit', 'fit', 'fit', 'holdout'] }, { fold: 'f' }).start[3]).toBe(
      Math.round(ONE / 3),
    )
  })

  it('defaults to the same start for a weight of two as for the row twice', () => {
    const rows = fc.array(
      fc.record({ y: fc.integer({ min: 0, max: 4 }), w: fc.integer({ min: 1, max: 4 }) }),
      {
        minLength: 1,
        maxLength: 20,
      },
    )
    fc.assert(
      fc.property(rows, given => {
        const all = [{ y: 0, w: 1 }, { y: 4, w: 2 }, ...given]
        const twice = all.flatMap(row => Array.from({ length: row.w }, () => row))
        const table = (list: typeof all) => makeTable({ x: list.map(() => 1), y: list.map(row => row.y / 4) })
        const weighted = makeTable({
          x: all.map(() => 1),
          y: all.map(row => row.y / 4),
          w: all.map(row => row.w),
        })
        const one = assignRoles(weighted, { label: 'y', weight: 'w' })
        expect(one.startKind).toEqual(assignRoles(table(twice), { label: 'y' }).startKind)
      }),
    )
  })
})

describe('the fold', () => {
  it('is read from "fit" and "holdout"', () => {
    const dataset = assign({ f: ['fit', 'holdout', 'holdout', 'fit'] }, { fold: 'f' })
    expect(dataset.fold).toEqual(Uint8Array.of(0, 1, 1, 0))
  })

  it('is absent when every row is for fitting', () => {
    expect(assign({ f: ['fit', 'fit', 'fit', 'fit'] }, { fold: 'f' })).not.toHaveProperty('fold')
    expect(assign({})).not.toHaveProperty('fold')
  })

  it('must be one of the two words, and complete', () => {
    const error = rejected({ f: ['fit', 'train', 'holdout', 'Fit'] }, { fold: 'f' })
    expect(error.code).toBe('FB_FOLD_VALUE')
    expect(error.message).toContain('column "f", row 2: "train" is not a fold. Expected "fit" or "holdout".')
    expect(error.details.hint).toContain('Bad rows: 2 (row 2; 4).')
    expect(rejected({}, { fold: 'x' }).message).toContain('FB_FOLD_VALUE column "x", row 1: 1 is not a fold.')
    expect(rejected({ f: ['fit', null, 'holdout', 'fit'] }, { fold: 'f' }).message).toContain(
      'FB_MISSING_VALUE column "f", row 2: the fold is missing.',
    )
  })

  it('must leave rows for fitting', () => {
    const error = rejected({ f: ['holdout', 'holdout', 'holdout', 'holdout'] }, { fold: 'f' })
    expect(error.message).toContain('FB_NO_ROWS: the fold "fit" has no rows. Check column "f".')
  })

  it('must weigh something on both sides', () => {
    const f = ['fit', 'fit', 'holdout', 'holdout']
    expect(rejected({ f, w: [1, 1, 0, 0] }, { fold: 'f', weight: 'w' }).message).toContain(
      'FB_NO_ROWS: the fold "holdout" has only rows of weight 0.',
    )
    expect(rejected({ f, w: [0, 0, 0, 2] }, { fold: 'f', weight: 'w' }).message).toContain('the fold "fit"')
    expect(assign({ f, w: [0, 1, 0, 2] }, { fold: 'f', weight: 'w' }).fold).toEqual(Uint8Array.of(0, 0, 1, 1))
  })

  it('cannot be given as a column and as a fraction at once', () => {
    const f = ['fit', 'fit', 'holdout', 'holdout']
    const error = rejected({ f }, { fold: 'f' }, { fraction: 0.5, seed: 1 })
    expect(error.code).toBe('FB_OPTION_VALUE')
    expect(error.message).toContain('a fold column ("f") and a holdout fraction were both given')
  })

  it('must come out with rows on both sides when it is split by fraction', () => {
    const error = rejected({}, {}, { fraction: 1e-9, seed: 1 })
    expect(error.message).toContain('FB_NO_ROWS: the fold "holdout" has no rows.')
    expect(error.details.hint).toContain('another fraction')
    expect(rejected({}, {}, { fraction: 1 - 1e-9, seed: 1 }).message).toContain('the fold "fit" has no rows')
  })
})

describe('a dataset without weights', () => {
  it('says so by leaving them out', () => {
    const dataset = assign({})
    expect(dataset).not.toHaveProperty('weight')
    expect(dataset.weightScale).toBe(1)
    expect(dataset.rowCount).toBe(4)
  })
})
