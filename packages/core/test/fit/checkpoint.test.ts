// Checkpoints: a fit that is cut off after any round ends with the same bytes when it goes on.

import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type CheckpointStore,
  type FitOptions,
  fitWithTrace,
  functions,
  groups,
  linear,
  makeTable,
  referenceEngine,
  trees,
  VERSION,
} from '../../src/index.ts'
import type { Round } from '../../src/internal.ts'
import { canonicalJson } from '../../src/model/json.ts'
import { failureOf } from './failure.ts'
import { makePopulation } from './population.ts'

/** Entries as a file would hold them: text. */
class Kept implements CheckpointStore {
  readonly lines: string[]

  constructor(lines: readonly string[] = []) {
    this.lines = [...lines]
  }

  async load() {
    return this.lines.map(line => JSON.parse(line) as unknown)
  }

  async save(entry: unknown) {
    this.lines.push(JSON.stringify(entry))
  }

  /** With one entry changed. */
  // biome-ignore lint/suspicious/noExplicitAny: entries are deliberately of any shape.
  edit(index: number, change: (entry: any) => void): Kept {
    const entry = JSON.parse(this.lines[index])
    change(entry)
    return new Kept(this.lines.with(index, JSON.stringify(entry)))
  }
}

const table = makePopulation()
const base: FitOptions = {
  label: 'y',
  prediction: 'score',
  except: ['fold'],
  epsilon: 0.1,
  method: 'rounds',
  roundLimit: 12,
}

const young = (row: Readonly<Record<string, unknown>>) => (Number(row.age ?? 99) < 22 ? 1 : 0)
const CASES: readonly (readonly [string, Partial<FitOptions>])[] = [
  ['trees, stopped by held-out rows', { patience: 2, roundLimit: 60 }],
  ['trees, stopped by the paper', { stop: 'certificate' }],
  ['deep trees', { auditors: trees({ depth: 3 }) }],
  ['groups with signed factors', { auditors: groups(['region']), factors: 'signed', stop: 'certificate' }],
  ['linear functions', { auditors: linear() }],
  ['functions', { auditors: functions({ young }) }],
  ['no rounds at all', { roundLimit: 0 }],
]

describe.each(CASES)('a fit of %s', (_, options) => {
  it('ends alike from every round on which it is cut off, and computes only the rest', async () => {
    const whole = new Kept()
    const first = await fitWithTrace(table, { ...base, ...options, checkpoint: whole })
    const plain = await fitWithTrace(table, { ...base, ...options })
    expect(first.model.toText()).toBe(plain.model.toText())
    expect(whole.lines).toHaveLength(1 + first.trace.rounds.length)
    for (let kept = 0; kept <= whole.lines.length; kept++) {
      const checkpoint = new Kept(whole.lines.slice(0, kept))
      const told: Round[] = []
      const again = await fitWithTrace(table, {
        ...base,
        ...options,
        checkpoint,
        engine: referenceEngine,
        onRound: round => told.push(round),
      })
      expect(again.model.toText()).toBe(first.model.toText())
      expect(canonicalJson(again.trace)).toBe(canonicalJson(first.trace))
      expect(told).toEqual(again.trace.rounds)
      expect(checkpoint.lines).toEqual(whole.lines)
    }
  })
})

describe('a checkpoint of another fit', () => {
  const start = async (options: Partial<FitOptions> = {}, rows = table) => {
    const checkpoint = new Kept()
    await fitWithTrace(rows, { ...base, ...options, checkpoint })
    return checkpoint
  }
  const refused = async (
    checkpoint: Kept,
    said: string,
    options: Partial<FitOptions> = {},
    rows = table,
  ): Promise<void> => {
    const before = [...checkpoint.lines]
    const { code, message } = await failureOf(fitWithTrace(rows, { ...base, ...options, checkpoint }))
    expect(message).toContain(said)
    expect(code).toBe('FB_CHECKPOINT_OTHER')
    expect(checkpoint.lines).toEqual(before)
  }

  it('is refused, and every option that differs is named', async () => {
    await refused(await start(), 'epsilon was 0.1 and is 0.2; bins was not set and is 7.', {
      epsilon: 0.2,
      bins: 7,
    })
    await refused(await start({ seed: 3 }), 'holdout.seed was 3 and is 1; the rows hold other values')
    await refused(await start({ patience: 4 }), 'patience was 4 and is 10')
    await refused(await start({ features: ['age'] }), 'features was ["age"] and is not set')
    await refused(await start(), 'auditors.depth was 2 and is 1', { auditors: trees({ depth: 1 }) })
  })

  it('is refused where rows or columns are others', async () => {
    await refused(await start(), 'there were 300 rows and are 299', {}, makePopulation({ rows: 299 }))
    await refused(
      await start(),
      'of another fit: the rows hold other values',
      {},
      makePopulation({ seed: 2 }),
    )
    const doubled = makeTable(
      Object.fromEntries(
        table.columns.map(column => [
          column.name,
          column.kind === 'numeric' && column.name === 'age'
            ? column.values.map(age => 2 * age)
            : column.kind === 'categorical'
              ? Array.from(column.codes, code => column.categories[code])
              : column.values,
        ]),
      ),
    )
    const unsplit: Partial<FitOptions> = { stop: 'certificate' } // whom a split holds out depends on the values
    await refused(
      await start(unsplit),
      'of another fit: the columns have other names or values',
      unsplit,
      doubled,
    )
  })

  it('is refused where another version wrote it', async () => {
    const other = (await start()).edit(0, entry => {
      entry.identity.version = '0.0.9'
    })
    await refused(other, `version was "0.0.9" and is "${VERSION}"`)
  })

  it('may be of another engine with any number of threads', async () => {
    const checkpoint = await start({ threads: 2 })
    await fitWithTrace(table, { ...base, checkpoint, engine: referenceEngine })
  })
})

describe('a damaged checkpoint', () => {
  it('is refused, or changes nothing in the model', async () => {
    const whole = new Kept()
    const { model } = await fitWithTrace(table, { ...base, checkpoint: whole })
    const replacements = [null, 0, -1, 1e9, 'x', [], {}, true]
    const places = (value: unknown, path: string[] = []): string[][] =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).flatMap(([key, entry]) => [[...path, key], ...places(entry, [...path, key])])
        : []
    const damage = fc.record({
      index: fc.nat(),
      place: fc.nat(),
      value: fc.constantFrom(...replacements),
    })
    await fc.assert(
      fc.asyncProperty(damage, async ({ index, place, value }) => {
        const line = 1 + (index % (whole.lines.length - 1))
        const damaged = whole.edit(line, entry => {
          const all = places(entry)
          const path = all[place % all.length]
          const parent = path.slice(0, -1).reduce((node, key) => node[key], entry)
          parent[path[path.length - 1]] = value
        })
        const outcome = await fitWithTrace(table, { ...base, checkpoint: damaged }).then(
          fitted => fitted.model.toText(),
          (error: { code?: string }) => error.code ?? error,
        )
        expect(['FB_CHECKPOINT_DAMAGED', model.toText()]).toContain(outcome)
      }),
      { numRuns: 150 },
    )
  })

  it.each(['rounds', 'forest-rounds'] as const)(
    'by %s is refused where any value was nudged',
    async method => {
      const options: FitOptions = { label: 'y', prediction: 'score', except: ['fold'], epsilon: 0.1, method }
      const whole = new Kept()
      await fitWithTrace(table, {
        ...options,
        ...(method === 'rounds' && { roundLimit: 5 }),
        checkpoint: whole,
      })
      const numbers = (value: unknown, path: string[] = []): string[][] =>
        typeof value === 'number'
          ? [path]
          : typeof value === 'object' && value !== null
            ? Object.entries(value).flatMap(([key, entry]) => numbers(entry, [...path, key]))
            : []
      // The first update, and the first tree, with every number of theirs in turn.
      const places = numbers(JSON.parse(whole.lines[1])).filter(path => !path.includes('losses'))
      const tried = places.filter((_, index) => index % Math.ceil(places.length / 25) === 0)
      for (const path of tried) {
        const forged = whole.edit(1, entry => {
          const parent = path.slice(0, -1).reduce((node, key) => node[key], entry)
          parent[path[path.length - 1]] += 1
        })
        const { code } = await failureOf(
          fitWithTrace(table, {
            ...options,
            ...(method === 'rounds' && { roundLimit: 5 }),
            checkpoint: forged,
          }),
        )
        expect(code, path.join('.')).toBe('FB_CHECKPOINT_DAMAGED')
      }
    },
  )

  it('is refused with entries of another fit of the same rows, or without proofs', async () => {
    const [one, other] = [new Kept(), new Kept()]
    await fitWithTrace(table, { ...base, checkpoint: one })
    await fitWithTrace(table, { ...base, patience: 3, checkpoint: other })
    const bare = one.edit(1, entry => {
      delete entry.proof
    })
    for (const lines of [one.lines.with(1, other.lines[1]), bare.lines]) {
      const { message } = await failureOf(fitWithTrace(table, { ...base, checkpoint: new Kept(lines) }))
      expect(message).toContain('FB_CHECKPOINT_DAMAGED: entry 2 was not written by this fit.')
    }
  })

  it('is refused where rounds are lacking, out of order, or too many', async () => {
    const whole = new Kept()
    const long = { ...base, search: 'greedy' } as const
    await fitWithTrace(table, { ...long, checkpoint: whole })
    const codeOf = async (lines: readonly string[], options: Partial<FitOptions> = {}) =>
      (await failureOf(fitWithTrace(table, { ...long, ...options, checkpoint: new Kept(lines) }))).code
    const { lines } = whole
    expect(await codeOf(lines.toSpliced(2, 1))).toBe('FB_CHECKPOINT_DAMAGED')
    expect(await codeOf(lines.slice(1))).toBe('FB_CHECKPOINT_DAMAGED')
    const more = JSON.parse(lines[lines.length - 1])
    more.round.round++
    expect(await codeOf([...lines, JSON.stringify(more)])).toBe('FB_CHECKPOINT_DAMAGED')
  })
})

describe('the version', () => {
  it('is that of the packages', () => {
    for (const name of ['core', 'cli']) {
      const json = readFileSync(new URL(`../../../${name}/package.json`, import.meta.url), 'utf8')
      expect(JSON.parse(json).version).toBe(VERSION)
    }
  })
})
