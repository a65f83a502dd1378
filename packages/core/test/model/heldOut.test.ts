// The held-out part of a certificate in the model file: it comes back as it was, or is refused.

import { describe, expect, it } from 'vitest'
import { type FitOptions, fit, type Model, readModel, tableFromRows, verify } from '../../src/index.ts'
import { rejectionOf } from '../data/rejection.ts'
import { FIXED_AUDITORS, FIXED_ROWS, fixedOptions } from './models.ts'
import { editModel } from './mutate.ts'

const rows = FIXED_ROWS.map((row, index) => ({
  ...row,
  person: `p${index % 16}`,
  part: index % 3 === 0 ? 'holdout' : 'fit',
}))
const table = tableFromRows(rows)
const features = ['age', 'region', 'member']

const fitHeldOut = (options: Partial<FitOptions> = {}): Promise<Model> =>
  fit(table, { ...fixedOptions, features, auditors: FIXED_AUDITORS.groups, ...options })

const SPLITS: [string, Partial<FitOptions>, object][] = [
  ['a fold column', { fold: 'part' }, { kind: 'column', column: 'part' }],
  ['a share of the rows', { holdout: 0.3, seed: 5 }, { kind: 'rows', fraction: 0.3, seed: 5 }],
  [
    'a share of the ids',
    { holdout: 0.3, groupBy: 'person', seed: 2 },
    { kind: 'ids', column: 'person', fraction: 0.3, seed: 2 },
  ],
]

describe.each(SPLITS)('a certificate of rows held out by %s', (_, options, split) => {
  it.each(Object.keys(FIXED_AUDITORS).filter(kind => kind !== 'functions'))(
    'is read as it was written, says how, and verifies (%s)',
    async kind => {
      const model = await fitHeldOut({ ...options, auditors: FIXED_AUDITORS[kind] })
      expect(model.certificate.rows.split).toEqual(split)
      const again = readModel(model.toText())
      expect(again.certificate).toEqual(model.certificate)
      expect(again.toText()).toBe(model.toText())
      expect((await verify(again, table)).differences).toEqual([])
    },
  )
})

// biome-ignore lint/suspicious/noExplicitAny: the contents are deliberately of any shape.
type Edit = (certificate: any) => void

describe('the reader refuses', () => {
  const REFUSED: [string, Edit, string][] = [
    [
      'an inequality, as older versions have it',
      c => (c.heldOut.multicalibration.inequality = 'Hoeffding'),
      'unknown key "inequality"',
    ],
    ['a bound without its auditor', c => delete c.heldOut.multicalibration.worst, '"worst" is absent'],
    ['no word on units', c => delete c.heldOut.units, '"units" is absent'],
    ['units without their largest', c => delete c.heldOut.units.largestWeight, '"largestWeight" is absent'],
    ['a paper that may be vacuous', c => (c.heldOut.paper.vacuous = 'perhaps'), 'true or false'],
    ['rows needed in words', c => (c.heldOut.paper.rowsNeeded = 'many'), 'finite number'],
    ['an unknown key of the paper', c => (c.heldOut.paper.page = 7), 'unknown key "page"'],
    ['an unknown kind of split', c => (c.rows.split.kind = 'by hand'), 'unknown kind "by hand"'],
    ['a share above one', c => (c.rows.split.fraction = 1.5), 'not within 0 to 1'],
    ['a seed that is no whole number', c => (c.rows.split.seed = 0.5), 'not a whole number'],
    ['a split by ids without their column', c => (c.rows.split.kind = 'ids'), '"column" is absent'],
  ]

  it.each(REFUSED)('%s', async (_, edit, reason) => {
    const text = (await fitHeldOut({ holdout: 0.3 })).toText()
    expect(readModel(text).certificate.heldOut).toBeDefined()
    const error = rejectionOf(() => readModel(editModel(text, ({ certificate }) => edit(certificate))))
    expect(error.code).toBe('FB_MODEL_FORMAT')
    expect(error.message).toContain(reason)
  })
})

describe('verification finds', () => {
  it.each<[string, Edit, string]>([
    ['a smaller slack', c => (c.heldOut.multicalibration.slack = 0.001), 'heldOut.multicalibration.slack'],
    ['a smaller bound', c => (c.heldOut.levelSet.bound = 0.001), 'heldOut.levelSet.bound'],
    ['more units than there are', c => (c.heldOut.units.count *= 2), 'heldOut.units.count'],
    ['a smaller mean square', c => (c.heldOut.meanSquare /= 2), 'heldOut.meanSquare'],
    ['a paper that says more than it does', c => (c.heldOut.paper.vacuous = false), 'heldOut.paper.vacuous'],
    ['fewer rows needed', c => (c.heldOut.paper.rowsNeeded = 1000), 'heldOut.paper.rowsNeeded'],
    ['another seed in its words', c => (c.rows.split.seed = 3), 'rows.split.seed'],
    ['no split', c => delete c.rows.split, 'rows.split'],
  ])('%s', async (_, edit, path) => {
    const text = (await fitHeldOut({ holdout: 0.3 })).toText()
    const changed = readModel(editModel(text, ({ certificate }) => edit(certificate)))
    const { differences } = await verify(changed, table)
    expect(differences.map(each => each.path)).toEqual([`certificate.${path}`])
  })
})
