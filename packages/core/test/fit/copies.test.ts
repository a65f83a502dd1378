// Copies of a row belong together, the order of rows never matters, and a whole weight equals as many copies: whole fits of tables that
// are full of copies, of near copies and of ties. COPIES_RUNS=10000 tries that many tables.

import { describe, expect, it } from 'vitest'
import { makeRandom, type Random } from '../../src/common/random.ts'
import { COPIES } from '../../src/data/copies.ts'
import {
  FeatureBoostError,
  type FitOptions,
  fit,
  type TableSource,
  tableFromRows,
  verify,
} from '../../src/index.ts'
import type { ModelData } from '../../src/internal.ts'
import { METHODS, type Method } from '../../src/options/options.ts'
import { shuffle } from '../../src/testing/generate.ts'

/** Tables, a third of them for each sentence. */
const RUNS = Math.ceil(Number(process.env.COPIES_RUNS ?? 150) / 3)

/** Longer than that only where more tables are asked for. */
const PATIENCE = 60_000 + 5000 * RUNS

type Row = Record<string, string | number | boolean | null>

/** Few different rows, some of them alike but for one column; labels that the score is far from in some groups. */
function makeRows(random: Random): Row[] {
  const pick = <T>(...values: readonly T[]): T => values[random.integer(values.length)]
  const fresh = (): Row => {
    const region = pick('a', 'b', 'c', null)
    const age = pick<number | null>(20, 30.5, 40, Math.round(100 * random.next()) / 2, null)
    const rate = region === 'a' ? 0.95 : age !== null && age > 35 ? 0.6 : 0.1
    return {
      region,
      age,
      member: pick(true, false),
      score: pick(0.2, 0.3, Math.round(50 * random.next()) / 100),
      y: Number(random.next() < rate),
      id: `p${random.integer(60)}`,
      side: pick('fit', 'fit', 'holdout'),
    }
  }
  const rows: Row[] = [
    { ...fresh(), y: 0, side: 'fit' },
    { ...fresh(), y: 1, side: 'fit' },
    { ...fresh(), y: 0, side: 'holdout' },
  ]
  const count = 60 + random.integer(120)
  while (rows.length < count) {
    const earlier = rows[random.integer(rows.length)]
    const chance = random.next()
    if (chance < 0.3) rows.push({ ...earlier })
    else if (chance < 0.45) rows.push({ ...earlier, side: pick('fit', 'holdout'), id: pick('p1', 'p2') })
    else if (chance < 0.55) rows.push({ ...earlier, y: 1 - Number(earlier.y) })
    else rows.push(fresh())
  }
  return rows
}

/** Whatever has roles: a score or none; held-out rows by a column, by chance, by id or none. */
function makeRoles(
  random: Random,
): Pick<FitOptions, 'prediction' | 'fold' | 'holdout' | 'groupBy' | 'except'> {
  const prediction = random.next() < 0.7 ? 'score' : undefined
  const split = random.integer(4)
  const held: Partial<FitOptions> = [
    { fold: 'side' },
    { holdout: 0.3 },
    { holdout: 0.3, groupBy: 'id' },
    { holdout: 0 },
  ][split]
  const except = ['side', 'id', 'score', 'w'].filter(
    name => ![prediction, held.fold, held.groupBy].includes(name),
  )
  return { ...(prediction && { prediction }), ...held, except }
}

/** Fast, and yet every stage has something to do. */
function settingsOf(method: Method): Partial<FitOptions> {
  if (method === 'rounds') return { method, roundLimit: 4, patience: 2, stop: 'certificate' }
  if (method === 'forest' || method === 'forest-rounds') return { method, parts: 3, roundLimit: 4, leaves: 4 }
  return { method }
}

const inChunks = (rows: readonly Row[], size: number): TableSource => {
  const whole = tableFromRows(rows)
  const kinds = Object.fromEntries(whole.columns.map(({ kind, name }) => [name, kind]))
  return {
    *chunks() {
      for (let from = 0; from < rows.length; from += size) {
        const table = tableFromRows(rows.slice(from, from + size))
        expect(Object.keys(kinds)).toEqual(table.columns.map(({ name }) => name))
        yield table
      }
    },
  }
}

/** The data of the model, or the code it was refused with. */
const outcomeOf = (rows: Parameters<typeof fit>[0], options: FitOptions): Promise<ModelData | string> =>
  fit(rows, options).then(
    model => model.data,
    (error: unknown) => {
      if (error instanceof FeatureBoostError) return error.code
      throw error
    },
  )

/** All but the places that tell weights from copies: the role, the number of rows, and the sentence on what is assumed of weights. */
function essenceOf(data: ModelData | string): string {
  if (typeof data === 'string') return data
  const { certificate, roles: _, ...rest } = data
  const { rowCount: __, ...rows } = certificate.rows
  const proven = certificate.proven.slice(1)
  return JSON.stringify({ ...rest, certificate: { ...certificate, rows, proven } })
}

/** Methods in turn: those of our own more often. */
const methodOf = (run: number): Method => {
  const own: readonly Method[] = ['forest-rounds', 'rounds', 'forest']
  return run % 2 === 0 ? own[(run / 2) % 3] : METHODS[((run - 1) / 2) % METHODS.length]
}

function* cases(seed: number) {
  for (let run = 0; run < RUNS; run++) {
    const random = makeRandom(seed + run)
    const method = methodOf(run)
    const options: FitOptions = {
      label: 'y',
      ...makeRoles(random),
      ...settingsOf(method),
      threads: 1,
      seed: run,
    }
    yield { run, random, rows: makeRows(random), options }
  }
}

describe('a table full of copies', () => {
  it(
    'gives one model, whatever the order of its rows and the size of its chunks',
    async () => {
      for (const { options, random, rows, run } of cases(1000)) {
        const weights = rows.map(row => ({ ...row, w: random.integer(4) / (1 + (run % 2)) }))
        const weight = run % 3 === 0 ? { weight: 'w' } : {}
        const all = { ...options, ...weight, copies: COPIES[run % 2] }
        const expected = JSON.stringify(await outcomeOf(tableFromRows(weights), all))
        const shuffled = shuffle(random, weights)
        const told = `run ${run}: ${JSON.stringify(all)}`
        expect(JSON.stringify(await outcomeOf(tableFromRows(shuffled), all)), told).toBe(expected)
        const chunked = inChunks(shuffled, 1 + random.integer(rows.length))
        expect(JSON.stringify(await outcomeOf(chunked, all)), `${told}, in chunks`).toBe(expected)
      }
    },
    PATIENCE,
  )

  it(
    'gives the model of its different rows with weights, and none that weighs nothing matters',
    async () => {
      for (const { options, random, rows, run } of cases(5000)) {
        const weighted = rows.map(row => ({ ...row, w: random.integer(4) }))
        const copies = weighted.flatMap(row => new Array<Row>(row.w).fill(row))
        const one = await outcomeOf(tableFromRows(weighted), { ...options, weight: 'w' })
        const other = await outcomeOf(tableFromRows(shuffle(random, copies)), options)
        expect(essenceOf(one), `run ${run}: ${JSON.stringify(options)}`).toBe(essenceOf(other))
      }
    },
    PATIENCE,
  )

  it(
    'gives the same model with a weight of one for every row as with none',
    async () => {
      for (const { options, rows, run } of cases(9000)) {
        const all = { ...options, copies: COPIES[run % 2] }
        const ones = rows.map(row => ({ ...row, w: 1 }))
        const nothing = rows.map(row => ({ ...row, y: 1 - Number(row.y), w: 0 }))
        const expected = essenceOf(await outcomeOf(tableFromRows(ones), all))
        const told = `run ${run}: ${JSON.stringify(all)}`
        const weighted = { ...all, weight: 'w' }
        expect(essenceOf(await outcomeOf(tableFromRows(ones), weighted)), told).toBe(expected)
        const more = [...ones, ...nothing]
        expect(
          essenceOf(await outcomeOf(tableFromRows(more), weighted)),
          `${told}, and rows of weight 0`,
        ).toBe(expected)
      }
    },
    PATIENCE,
  )

  it('is sampled by what it holds: more rows than forests learn from, as copies and as weights', async () => {
    const random = makeRandom(77)
    const rows = Array.from({ length: 1500 }, () => {
      const [a, b] = [random.next(), random.integer(4)]
      return { a, b, score: 0.3, y: Number(random.next() < (a > 0.5 ? 0.6 : 0.2)), w: 1 + random.integer(2) }
    })
    const copies = rows.flatMap(row => new Array<Row>(row.w).fill(row))
    const options: FitOptions = { label: 'y', prediction: 'score', sampleRows: 1000, parts: 2, roundLimit: 3 }
    const one = await outcomeOf(tableFromRows(rows), { ...options, weight: 'w' })
    const other = await outcomeOf(tableFromRows(shuffle(random, copies)), { ...options, except: ['w'] })
    expect(essenceOf(one)).toBe(essenceOf(other))
    expect((one as ModelData).updates.length).toBeGreaterThan(0)
  })

  it('verifies, with copies as one and as independent rows, in another order', async () => {
    for (const copies of COPIES) {
      const random = makeRandom(5)
      const rows = makeRows(random)
      const options: FitOptions = {
        ...{ label: 'y', prediction: 'score', except: ['side', 'id'], holdout: 0.3, copies },
        method: 'platt',
      }
      const model = await fit(tableFromRows(rows), options)
      expect(model.data.roles.copies).toBe(copies)
      const { differences } = await verify(model, tableFromRows(shuffle(random, rows)))
      expect(differences).toEqual([])
    }
  })
})
