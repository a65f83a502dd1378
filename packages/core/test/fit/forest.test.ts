// Fits with forests: columns of every kind, the file read back, verified and scored; groups kept together; work that is kept.

import { describe, expect, it } from 'vitest'
import {
  audit,
  type FitOptions,
  fit,
  fitWithTrace,
  memoryEngine,
  readModel,
  referenceEngine,
  tableFromRows,
  verify,
} from '../../src/index.ts'
import { type CheckpointEntry, makeRandom } from '../../src/internal.ts'

function makeRows(count: number, seed = 1) {
  const random = makeRandom(seed)
  return Array.from({ length: count }, (_, id) => {
    const score = 0.05 + 0.9 * random.next()
    const flag = random.next() < 0.4
    const region = 'pqrst'[random.integer(5)]
    const age = random.next() < 0.1 ? null : 20 + random.integer(50)
    const shift = (region === 'q' ? 0.25 : 0) - (flag && (age ?? 0) > 45 ? 0.2 : 0)
    const truth = Math.max(0.02, Math.min(0.98, score + shift))
    return {
      person: `id${id % Math.ceil(count / 3)}`,
      age,
      flag: random.next() < 0.05 ? null : flag,
      region: random.next() < 0.05 ? null : region,
      score,
      weight: 1 + random.integer(3),
      y: random.next() < truth ? 1 : 0,
    }
  })
}

const OPTIONS: FitOptions = { label: 'y', prediction: 'score', except: ['person', 'weight'], epsilon: 0.2 }

describe('a fit with forests', () => {
  it('is the default; its file is read back, scores the same and can be verified', async () => {
    const table = tableFromRows(makeRows(3000))
    const { model, trace } = await fitWithTrace(table, OPTIONS)
    expect(trace.stopReason).toBe('cross-fit')
    expect(trace.crossFit![trace.keptCount]).toBeLessThan(trace.crossFit![0] - 0.01)
    const [update] = model.data.updates
    expect(update.kind).toBe('forest')
    const kinds = JSON.stringify(update)
    for (const kind of ['atMost', 'in', 'below']) expect(kinds).toContain(`"kind":"${kind}"`)
    const read = readModel(model.toText())
    expect(read.hash).toBe(model.hash)
    expect(read.predict(table)).toEqual(model.predict(table))
    expect((await verify(read, table)).differences).toEqual([])
  })

  it('has the bytes of the reference engine, in any order of rows, with weights', async () => {
    const rows = makeRows(1200, 2)
    const options = { ...OPTIONS, except: ['person'], weight: 'weight' }
    const text = (
      await fit(tableFromRows(rows), { ...options, engine: memoryEngine({ threads: 2 }) })
    ).toText()
    expect(
      (await fit(tableFromRows([...rows].reverse()), { ...options, engine: referenceEngine })).toText(),
    ).toBe(text)
  })

  it('makes held-out rows better, for the groups that were off', async () => {
    const model = await fit(tableFromRows(makeRows(6000, 3)), { ...OPTIONS, holdout: 0 })
    const fresh = tableFromRows(makeRows(6000, 4))
    const after = {
      ...fresh,
      columns: [...fresh.columns, { name: 'after', kind: 'numeric', values: model.predict(fresh) } as const],
    }
    const roles = { label: 'y', features: ['age', 'flag', 'region'], draws: 0 }
    const [was, is] = [
      await audit(after, { ...roles, prediction: 'score' }),
      await audit(after, { ...roles, prediction: 'after' }),
    ]
    expect(is.measures.brier.value).toBeLessThan(was.measures.brier.value - 0.005)
    expect(is.multicalibration.value).toBeLessThan(was.multicalibration.value / 2)
    expect(was.significance.beyondNoise).toBe(true)
  })

  it('keeps the rows of one id in one part', async () => {
    // Three rows of each person are one row three times over: a forest that saw one of them would know the others.
    const people = makeRows(400, 5)
    const rows = people.flatMap((row, person) =>
      [0, 1, 2].map(() => ({ ...row, person: `id${person}`, y: person % 2 })),
    )
    const spread = await fitWithTrace(tableFromRows(rows), {
      ...OPTIONS,
      holdout: 0.2,
      copies: 'independent',
    })
    const together = await fitWithTrace(tableFromRows(rows), {
      ...OPTIONS,
      holdout: 0.2,
      groupBy: 'person',
      except: ['weight'],
    })
    const gain = ({ trace }: typeof spread) => trace.crossFit![0] - trace.crossFit![trace.keptCount]
    expect(gain(together)).toBeLessThan(gain(spread))
  })

  it('goes on from any forest that was kept, and ends with the same bytes', async () => {
    const table = tableFromRows(makeRows(1500, 6))
    const entries: CheckpointEntry[] = []
    const save = async (entry: CheckpointEntry) => void entries.push(JSON.parse(JSON.stringify(entry)))
    const whole = await fit(table, { ...OPTIONS, checkpoint: { load: async () => [], save } })
    expect(entries.map(({ kind }) => kind)).toEqual(['run', ...Array(24).fill('forest')])
    expect((await fit(table, OPTIONS)).hash).toBe(whole.hash)
    for (const cut of [1, 3, 14, 25]) {
      const more: CheckpointEntry[] = []
      const checkpoint = {
        load: async () => entries.slice(0, cut),
        save: async (entry: CheckpointEntry) => void more.push(entry),
      }
      expect((await fit(table, { ...OPTIONS, checkpoint })).hash).toBe(whole.hash)
      expect(JSON.parse(JSON.stringify(more))).toEqual(entries.slice(cut))
    }
    const damaged = { ...entries[1], trees: [{ tree: { leaf: 0 }, steps: [1, 2] }] }
    const twice = [entries[0], entries[1], entries[1]]
    for (const kept of [[entries[0], damaged], twice]) {
      const checkpoint = { load: async () => kept, save: async () => {} }
      await expect(fit(table, { ...OPTIONS, checkpoint })).rejects.toMatchObject({
        code: 'FB_CHECKPOINT_DAMAGED',
      })
    }
  })
})
