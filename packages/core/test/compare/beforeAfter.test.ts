import { describe, expect, it } from 'vitest'
import { valueAt } from '../../src/data/column.ts'
import {
  collectChange,
  compareBeforeAfter,
  fit,
  groups,
  linear,
  makeTable,
  tableFromRows,
  trees,
} from '../../src/index.ts'
import { makeRandom } from '../../src/internal.ts'
import { shuffle } from '../../src/testing/generate.ts'

const COUNT = 3000

/** The score is 0.2 too low for a, and a third of the rows has no age. */
function drawTable(weighted = false) {
  const random = makeRandom(4)
  const group = Array.from({ length: COUNT }, () => 'abcd'[random.integer(4)])
  const truth = Array.from({ length: COUNT }, () => 0.3 + 0.4 * random.next())
  return makeTable({
    group,
    age: truth.map(() => (random.integer(3) === 0 ? null : 20 + random.integer(40))),
    score: truth.map((p, row) => (group[row] === 'a' ? p - 0.2 : p)),
    y: truth.map(p => Number(random.next() < p)),
    fold: truth.map((_, row) => (row % 3 === 0 ? 'holdout' : 'fit')),
    ...(weighted && { w: truth.map(() => 1 + random.integer(3)) }),
  })
}

const FIT = { label: 'y', prediction: 'score', epsilon: 0.2 } as const
const AUDIT = { bins: 5, coarseBins: 8, draws: 9 } as const

describe('before and after', () => {
  it('are compared on the rows that the fold column holds out, and the worst groups are followed', async () => {
    const table = drawTable()
    const model = await fit(table, { ...FIT, fold: 'fold', except: ['age'], auditors: trees({ depth: 1 }) })
    const found = await compareBeforeAfter(model, table, AUDIT)
    expect(found).toMatchObject({ rows: 'held-out', rowCount: 1000 })
    expect(found.compared.a).toMatchObject({ score: 'score', rows: { rowCount: 1000 } })
    expect(found.compared.b.score).toBe('corrected')
    expect(found.compared.measures.brier!.difference.value).toBeGreaterThan(0)
    const corrected = model.predict(table)
    const column = (name: string) => table.columns.find(each => each.name === name)!
    const labelOf = (row: number) => valueAt(column('y'), row) as number
    const worst = found.groups.find(({ before }) => before.group === 'group = a')!
    const rows = [...corrected.keys()].filter(row => row % 3 === 0 && valueAt(column('group'), row) === 'a')
    const mean = (of: (row: number) => number) => rows.reduce((sum, row) => sum + of(row), 0) / rows.length
    expect(worst.before.gap).toBeGreaterThan(0.15)
    expect(worst.after.weight).toBe(rows.length)
    expect(worst.after.gap).toBeCloseTo(
      mean(row => labelOf(row) - corrected[row]),
      12,
    )
    expect(Math.abs(worst.after.gap)).toBeLessThan(worst.before.gap / 2)
    expect(worst.after.interval.low).toBeLessThan(worst.after.gap)
  })

  it('are the same to the last digit in any order of rows, with weights that are no whole numbers', async () => {
    const random = makeRandom(9)
    const rows = Array.from({ length: 600 }, () => {
      const [group, score] = ['abc'[random.integer(3)], 0.3 + 0.4 * random.next()]
      const y = Number(random.next() < score + (group === 'a' ? 0.25 : 0))
      return { group, score, y, w: [0.1, 0.7, 1 / 3][random.integer(3)] }
    })
    const options = { label: 'y', prediction: 'score', weight: 'w', holdout: 0, threads: 1 } as const
    const model = await fit(tableFromRows(rows), { ...options, method: 'platt' })
    const change = (of: typeof rows) => compareBeforeAfter(model, tableFromRows(of), { ...AUDIT, threads: 1 })
    const found = await change(rows)
    expect(found.groups.length).toBeGreaterThan(0)
    expect(await change(shuffle(random, rows))).toEqual(found)
  })

  it('look at the groups that are declared, and at no others, also as evidence', async () => {
    const table = drawTable()
    const model = await fit(table, { ...FIT, fold: 'fold' })
    const auditors = groups(['group'])
    const { groups: found } = await compareBeforeAfter(model, table, { ...AUDIT, auditors })
    expect(found.length).toBeGreaterThan(0)
    const isDeclared = (words: string) => /^(everyone|group = [abcd])(,|$)/.test(words)
    for (const { before } of found) expect(isDeclared(before.group), before.group).toBe(true)
    const { change, evidence } = await collectChange(table, { ...AUDIT, model, auditors })
    expect(change.groups.map(({ before }) => before.group)).toEqual(found.map(({ before }) => before.group))
    expect(evidence.about.auditors).toBe(change.compared.a.auditors)
  })

  it('take the split of the model, from chunks as from a table', async () => {
    const table = drawTable(true)
    const options = { ...FIT, weight: 'w', except: ['fold'], holdout: 0.25, seed: 5 }
    const model = await fit(table, options)
    const found = await compareBeforeAfter(model, table, AUDIT)
    expect(found.rows).toBe('held-out')
    expect(found.compared.a.measures.weight).toBe(model.certificate.rows.holdoutWeight)
    for (const { after, before } of found.groups) expect(after.weight).toBeCloseTo(before.weight, 6)
    const inChunks = {
      *chunks() {
        for (let from = 0; from < COUNT; from += 700) {
          const to = Math.min(COUNT, from + 700)
          const columns = table.columns.map(column =>
            column.kind === 'categorical'
              ? { ...column, codes: column.codes.subarray(from, to) }
              : column.kind === 'numeric'
                ? { ...column, values: column.values.subarray(from, to) }
                : { ...column, values: column.values.subarray(from, to) },
          )
          yield { rowCount: to - from, columns }
        }
      },
    }
    expect(JSON.stringify(await compareBeforeAfter(model, inChunks, AUDIT))).toBe(JSON.stringify(found))
    // Too many to be held: the rows are read again and again.
    expect(JSON.stringify(await compareBeforeAfter(model, inChunks, AUDIT, 0))).toBe(JSON.stringify(found))
  })

  it('are taken on the fitting rows where none are held out, from the base rate, with groups and linear auditors', async () => {
    const table = drawTable()
    const own = {
      label: 'y',
      epsilon: 0.2,
      method: 'rounds',
      stop: 'certificate',
      except: ['fold', 'score'],
    } as const
    const declared = groups(['group', { column: 'age', atMost: 40, orMissing: true }])
    const model = await fit(table, { ...own, auditors: declared })
    const found = await compareBeforeAfter(model, table, AUDIT)
    expect(found).toMatchObject({ rows: 'fitting', rowCount: COUNT })
    expect(found.compared.a.score).toBe('base rate')
    for (const { after, before } of found.groups) expect(after.weight).toBeCloseTo(before.weight, 6)
    const straight = await fit(table, {
      ...own,
      guarantee: 'multiaccuracy',
      method: 'rounds',
      auditors: linear(),
    })
    expect((await compareBeforeAfter(straight, table, AUDIT)).compared.b.auditors).toContain('depth 2')
  })
})
