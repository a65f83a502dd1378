import { describe, expect, it } from 'vitest'
import {
  decide,
  fit,
  type Model,
  makeTable,
  type Table,
  type TableSource,
  tableFromRows,
} from '../../src/index.ts'
import { makeRandom } from '../../src/internal.ts'
import { shuffle } from '../../src/testing/generate.ts'

const COUNT = 2400

/** The score is 0.2 too low for group a. */
function drawTable(seed: number, weighted = false): Table {
  const random = makeRandom(seed)
  const group = Array.from({ length: COUNT }, () => 'abcd'[random.integer(4)])
  const truth = group.map(() => 0.2 + 0.6 * random.next())
  return makeTable({
    group,
    age: truth.map(() => (random.integer(3) === 0 ? null : 20 + random.integer(40))),
    sex: truth.map(() => 'fm'[random.integer(2)]),
    score: truth.map((p, row) => (group[row] === 'a' ? p - 0.2 : p)),
    y: truth.map(p => Number(random.next() < p)),
    ...(weighted && { w: truth.map(() => 1 + random.integer(3)) }),
  })
}

const without = ({ columns, rowCount }: Table, ...names: string[]): Table => ({
  rowCount,
  columns: columns.filter(({ name }) => !names.includes(name)),
})

const numbers = (table: Table, name: string): number[] =>
  Array.from((table.columns.find(column => column.name === name) as { values: ArrayLike<number> }).values)

const FIT = { label: 'y', prediction: 'score', epsilon: 0.2, threads: 1, except: ['sex'] } as const
const COSTS = { falsePositive: 2, falseNegative: 3 } as const
const FEW = { bins: 5, coarseBins: 8, threads: 1 } as const

const fitted: Promise<Model> = fit(drawTable(4), { ...FIT, holdout: 0 })

describe('decide', () => {
  it('counts actions, errors and losses of both scores, as a loop over the rows does', async () => {
    const model = await fitted
    const table = drawTable(5)
    const found = await decide(model, table, { ...FEW, losses: [COSTS] })
    expect(found).toMatchObject({ rows: 'other', rowCount: COUNT, label: 'y' })
    const [{ after, before, change }] = found.losses
    const labels = numbers(table, 'y')
    const lossOf = (scores: ArrayLike<number>) => {
      const costs = labels.map((y, row) => (scores[row] >= 0.4 ? 2 * (1 - y) : 3 * y))
      return costs.reduce((sum, cost) => sum + cost, 0) / COUNT
    }
    const corrected = model.predict(table)
    expect(before.meanLoss).toBeCloseTo(lossOf(numbers(table, 'score')), 12)
    expect(after.meanLoss).toBeCloseTo(lossOf(corrected), 12)
    expect(change!.value).toBeCloseTo(after.meanLoss! - before.meanLoss!, 12)
    expect(change!.high).toBeLessThan(0)
    const chosen = [...corrected].filter(score => score >= 0.4)
    expect(after.shares[1]).toBeCloseTo(chosen.length / COUNT, 12)
    const zeros = labels.filter(y => y === 0).length
    const wrong = labels.filter((y, row) => y === 0 && corrected[row] >= 0.4).length
    expect(after.falsePositiveRate).toBeCloseTo(wrong / zeros, 12)
    const missed = labels.filter((y, row) => y === 1 && corrected[row] < 0.4).length
    expect(after.falseNegativeRate).toBeCloseTo(missed / (COUNT - zeros), 12)
  })

  it('finds the group that decisions by the given score cost most, and less regret after the correction', async () => {
    const [{ after, before }] = (await decide(await fitted, drawTable(5), { ...FEW, losses: [COSTS] })).losses
    expect(before.regret!.deviations[0]).toMatchObject({ taken: 'no', better: 'yes' })
    expect(before.regret!.deviations[0].group).toMatch(/group = a/)
    expect(after.regret!.value).toBeLessThan(before.regret!.value)
    for (const { regret } of [before, after]) {
      expect(regret!.value).toBeLessThanOrEqual(regret!.bound)
      expect(regret!.bound).toBeLessThanOrEqual(5 * regret!.levelSet)
    }
  })

  it('says of rows of the fit which ones it speaks of: held-out ones where there are any', async () => {
    const table = drawTable(4)
    const asked = { ...FEW, losses: [COSTS] }
    expect(await decide(await fitted, table, asked)).toMatchObject({ rows: 'fitting', rowCount: COUNT })
    const model = await fit(table, { ...FIT, holdout: 0.25 })
    const found = await decide(model, table, asked)
    expect(found.rows).toBe('held-out')
    expect(found.rowCount).toBe(model.certificate.rows.holdoutWeight)
  })

  it('tells of protected groups, also of columns that the fit may not look at', async () => {
    const table = drawTable(5)
    const found = await decide(await fitted, table, { ...FEW, losses: [COSTS], protect: ['sex'] })
    const [{ after, groups }] = found.losses
    expect(groups.map(({ group }) => group)).toEqual(['sex = f', 'sex = m'])
    const [f, m] = groups
    expect(f.weight + m.weight).toBeCloseTo(COUNT, 9)
    const mean = (f.weight * f.after.meanLoss! + m.weight * m.after.meanLoss!) / COUNT
    expect(mean).toBeCloseTo(after.meanLoss!, 12)
  })

  it('decides without outcomes, and says nothing that needs them', async () => {
    const model = await fitted
    const table = drawTable(5)
    const asked = { ...FEW, losses: [COSTS], protect: ['group'] }
    const known = await decide(model, table, asked)
    const found = await decide(model, without(table, 'y'), asked)
    expect(found.label).toBeUndefined()
    expect(found.rowCount).toBe(COUNT)
    const [{ after, before, change, groups }] = found.losses
    expect(change).toBeUndefined()
    expect(Object.keys(after)).toEqual(['shares'])
    expect(after.shares).toEqual(known.losses[0].after.shares)
    expect(before.shares).toEqual(known.losses[0].before.shares)
    expect(groups.map(({ after: { shares } }) => shares)).toEqual(
      known.losses[0].groups.map(({ after: { shares } }) => shares),
    )
  })

  it('counts a weight of two as the row twice', async () => {
    const model = await fit(drawTable(4, true), { ...FIT, weight: 'w', holdout: 0 })
    const table = drawTable(6, true)
    const weights = numbers(table, 'w')
    const rows = weights.flatMap((weight, row) => new Array<number>(weight).fill(row))
    const repeated = makeTable(
      Object.fromEntries(
        table.columns.map(column => {
          const values = column.kind === 'categorical' ? column.codes : column.values
          const value = (row: number) =>
            column.kind === 'categorical' ? column.categories[values[row]] : values[row]
          return [column.name, rows.map(row => (column.name === 'w' ? 1 : value(row)))]
        }),
      ),
    )
    const asked = { ...FEW, losses: [COSTS, { named: 'accuracy' } as const], rare: 0 }
    const [one, two] = [await decide(model, table, asked), await decide(model, repeated, asked)]
    one.losses.forEach(({ after }, index) => {
      expect(after.meanLoss).toBeCloseTo(two.losses[index].after.meanLoss!, 12)
      expect(after.regret!.value).toBeCloseTo(two.losses[index].after.regret!.value, 12)
      expect(after.regret!.bound).toBeCloseTo(two.losses[index].after.regret!.bound, 9)
    })
  })

  it('gives the same from chunks as from a table, and no loss depends on the others', async () => {
    const model = await fitted
    const table = drawTable(5)
    const source: TableSource = {
      async *chunks() {
        for (let from = 0; from < COUNT; from += 700) {
          const to = Math.min(COUNT, from + 700)
          yield {
            rowCount: to - from,
            columns: table.columns.map(column =>
              column.kind === 'categorical'
                ? { ...column, codes: column.codes.slice(from, to) }
                : { ...column, values: column.values.slice(from, to) as never },
            ),
          }
        }
      },
    }
    const losses = [COSTS, { utilities: { refuse: [0, 0], review: [-1, 1], accept: [-4, 2] } } as const]
    const whole = await decide(model, table, { ...FEW, losses })
    expect(await decide(model, source, { ...FEW, losses })).toEqual(whole)
    const alone = await decide(model, table, { ...FEW, losses: losses.slice(1) })
    expect(alone.losses[0]).toEqual(whole.losses[1])
  })

  it('shows the regret that chance alone makes: less on more rows, and none of it is asked for with no draws', async () => {
    const model = await fitted
    const few = makeTable(
      Object.fromEntries(
        drawTable(5).columns.map(column => [
          column.name,
          column.kind === 'categorical'
            ? { ...column, codes: column.codes.slice(0, 200) }
            : { ...column, values: column.values.slice(0, 200) as never },
        ]),
      ),
    )
    const regretOn = async (table: Table, draws: number) =>
      (await decide(model, table, { ...FEW, losses: [COSTS], draws })).losses[0].after.regret!
    const [small, large] = [await regretOn(few, 8), await regretOn(drawTable(5), 8)]
    expect(small.byChance!).toBeGreaterThan(1.5 * large.byChance!)
    expect(large.byChance!).toBeGreaterThan(0)
    // The corrected score is nearly right, so what is measured is mostly chance.
    expect(large.value).toBeLessThan(2 * large.byChance!)
    expect((await regretOn(few, 0)).byChance).toBeUndefined()
  })

  it('refuses options that it does not know', async () => {
    const asked = { losses: [COSTS], bin: 3 } as never
    await expect(decide(await fitted, drawTable(5), asked)).rejects.toThrow(/FB_OPTION_UNKNOWN.*"bins"/)
  })
})

describe('decisions', () => {
  /** Rows of few kinds, so that copies abound, with weights that are no whole numbers. */
  function drawCopies(seed: number): Record<string, unknown>[] {
    const random = makeRandom(seed)
    return Array.from({ length: 300 }, () => {
      const [group, level] = ['abc'[random.integer(3)], random.integer(4)]
      const score = 0.15 + 0.2 * level
      const y = Number(random.next() < score + (group === 'a' ? 0.1 : 0))
      return { group, score, y, w: [0.1, 0.7, 1.3, 0][random.integer(4)] }
    })
  }

  it('are the same to the last digit, whatever the order of rows and the size of chunks', async () => {
    const rows = drawCopies(20)
    const options = { label: 'y', prediction: 'score', weight: 'w', holdout: 0, threads: 1 } as const
    const model = await fit(tableFromRows(rows), { ...options, method: 'platt' })
    const asked = { ...FEW, losses: [COSTS], draws: 2, fitted: false }
    const expected = await decide(model, tableFromRows(rows), asked)
    const shuffled = shuffle(makeRandom(30), rows)
    expect(await decide(model, tableFromRows(shuffled), asked)).toEqual(expected)
    const source: TableSource = {
      *chunks() {
        for (let from = 0; from < shuffled.length; from += 47)
          yield tableFromRows(shuffled.slice(from, from + 47))
      },
    }
    expect(await decide(model, source, asked)).toEqual(expected)
  })
})
