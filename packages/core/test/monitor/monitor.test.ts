// A monitor over tables: what it watches and what it remembers.

import { beforeAll, describe, expect, it } from 'vitest'
import { matchRows } from '../../src/classes/matches.ts'
import {
  fit,
  groups,
  type Model,
  type Monitor,
  makeTable,
  readMonitor,
  startMonitor,
  type Table,
  trees,
} from '../../src/index.ts'
import { failureOf } from '../support/failure.ts'
import { addAll, draw, inChunks, PLAIN, reordered, reversed, without } from './batches.ts'

let model: Model
let started: Monitor

beforeAll(async () => {
  model = await fit(draw({ seed: 1, rows: 2000 }), PLAIN)
  started = await startMonitor(model, draw({ seed: 1, rows: 2000 }), { protect: ['sex'] })
})

describe('what is watched', () => {
  it('are everyone, values of protected columns, and all groups of one or two conditions', () => {
    const { groups: watched, searched } = started.report()
    expect(watched.map(({ group, kind }) => `${kind}: ${group}`)).toEqual([
      'everyone: everyone',
      'protected: sex = f',
      'protected: sex = m',
    ])
    expect(searched.columns).toEqual(['region', 'age', 'member'])
    // Regions 3, ages 3 cuts on either side and missing, members 2; and pairs.
    expect(searched.groups).toBe(3 + 7 + 2 + 3 * 7 + 3 * 2 + 7 * 2)
  })

  it('are declared groups, by any threshold, and groups that corrections name', async () => {
    const corrected = await fit(draw({ seed: 5, rows: 3000, shift: 0.25 }), {
      ...{ label: 'y', prediction: 'score', features: ['region', 'age'], threads: 1, holdout: 0 },
      ...{ method: 'rounds', roundLimit: 1, stop: 'certificate', auditors: groups(['region']) },
    })
    const monitor = await startMonitor(corrected, draw({ seed: 1 }), {
      auditors: groups([
        { column: 'age', atLeast: 37.5 },
        { name: 'young', where: [{ column: 'age', below: 25 }] },
      ]),
    })
    const { named } = monitor.data
    expect(named.map(({ kind, words }) => `${kind}: ${words}`)).toEqual([
      'everyone: everyone',
      expect.stringMatching(/^declared: age >= 3[78]/),
      'declared: young',
      'correction: region = a',
      'correction: region is not a',
    ])
    const table = draw({ seed: 9 })
    expect(matchRows(table, named[3].where)).toEqual(matchRows(table, [{ column: 'region', in: ['a'] }]))
  })

  it('are columns of your choice, and as many as there is room for', async () => {
    const chosen = await startMonitor(model, draw({ seed: 1 }), { columns: ['sex'] })
    expect(chosen.report().searched).toEqual({ groups: 2, columns: ['sex'] })
    const numbers = Array.from({ length: 60 }, (_, index) => ({
      ...draw({ seed: index, rows: 60 }).columns[5],
      name: `x${index}`,
    }))
    const table = makeTable([...numbers, draw({ seed: 3, rows: 60 }).columns[6]])
    const features = numbers.slice(1).map(({ name }) => name)
    const wide = { ...PLAIN, prediction: 'x0', features, auditors: trees({ depth: 1 }) }
    const many = await fit(table, wide)
    const told: string[] = []
    const { searched } = (await startMonitor(many, table, { onWarning: line => told.push(line) })).report()
    expect(searched.groups).toBeLessThanOrEqual(4096)
    expect(searched.columns.length).toBe(45)
    expect(told).toEqual([
      expect.stringMatching(/^Groups of two conditions are watched on 45 columns; these are left out: "x46"/),
    ])
  })
})

describe('batches', () => {
  it('give the same bytes whatever the order of their rows and however they come in chunks', async () => {
    const batch = draw({ seed: 2, shift: 0.2 })
    const one = (await started.add(batch)).toText()
    expect((await started.add(reversed(batch))).toText()).toBe(one)
    expect((await started.add(inChunks(batch, 37))).toText()).toBe(one)
    const [straight, turned] = [batch, reversed(batch)].map(table =>
      startMonitor(model, table, { protect: ['sex'] }),
    )
    expect((await straight).toText()).toBe((await turned).toText())
  })

  it('are remembered in a text that is read again', async () => {
    const monitor = await addAll(started, [draw({ seed: 2 }), draw({ seed: 3, shift: 0.3 })])
    const read = readMonitor(monitor.toText(), model)
    expect(read.toText()).toBe(monitor.toText())
    expect(read.report()).toEqual(monitor.report())
    expect((await read.add(draw({ seed: 4 }))).toText()).toBe((await monitor.add(draw({ seed: 4 }))).toText())
  })

  it('that were recorded before are refused, in any order, unless asked for', async () => {
    const monitor = await started.add(draw({ seed: 2 }), { name: 'monday' })
    const failure = await failureOf(monitor.add(reversed(draw({ seed: 2 }))))
    expect(failure).toMatchObject({ code: 'FB_MONITOR_BATCH', details: { found: 'monday' } })
    expect((await monitor.add(draw({ seed: 2 }), { again: true })).data.batches.length).toBe(2)
    expect(monitor.data.batches.length).toBe(1)
  })

  it('that hold exact copies of rows are told of', async () => {
    const told: string[] = []
    const table = draw({ seed: 2, rows: 100 })
    const twice = reordered(
      table,
      Int32Array.from({ length: 110 }, (_, row) => row % 100),
    )
    await started.add(inChunks({ ...twice, rowCount: 110 }, 30), { onWarning: line => told.push(line) })
    await started.add(table, { onWarning: line => told.push(line) })
    expect(told).toEqual([
      expect.stringMatching(/^10 of 110 rows of the batch are exact copies of another one\./),
    ])
  })

  it('may have their outcomes later: columns are counted once, outcomes once', async () => {
    const batch = draw({ seed: 2, shift: 0.2 })
    const early = await started.add(without(batch, 'y'), { name: 'monday' })
    expect(early.report()).toMatchObject({ batches: 1, labelledBatches: 0, alarm: false })
    expect(early.report().advice).toMatchObject({
      refit: false,
      sentence: expect.stringMatching(/^No outcome has come in/),
    })
    expect((await failureOf(early.add(without(batch, 'y')))).code).toBe('FB_MONITOR_BATCH')
    expect((await failureOf(early.add(batch, { unlabelled: true }))).code).toBe('FB_MONITOR_BATCH')
    const late = await early.add(batch)
    expect(late.toText()).toBe((await started.add(batch, { name: 'monday' })).toText())
    const failure = await failureOf(late.add(batch))
    expect(failure.message).toContain('recorded before, as batch monday.')
    const other = makeTable([
      ...without(batch, 'y').columns,
      { name: 'y', kind: 'numeric', values: new Float64Array(400) },
    ])
    expect((await failureOf(late.add(other))).message).toContain('as batch monday, with other outcomes.')
  })

  it('of words, of weights and of truth between 0 and 1 are read as the model reads its own', async () => {
    const worded = await fit(draw({ seed: 1, words: true }), { ...PLAIN, positive: 'bad' })
    const start = (by: Model) => startMonitor(by, draw({ seed: 1 }), {})
    const batch = { seed: 6, rows: 50 }
    const plain = await (await start(model)).add(draw(batch))
    const words = await (await start(worded)).add(draw({ ...batch, words: true }))
    expect(words.report().groups).toEqual(plain.report().groups)
    // A small batch may have no row that counts as 1.
    const zeros = makeTable([
      ...without(draw(batch), 'y').columns,
      { name: 'y', kind: 'categorical', codes: new Int32Array(50), categories: ['good'] },
    ])
    expect((await (await start(worded)).add(zeros)).report().labelledRows).toBe(50)
    const half = makeTable([
      ...without(draw(batch), 'y').columns,
      { name: 'y', kind: 'numeric', values: new Float64Array(50).fill(0.5) },
    ])
    expect((await (await start(model)).add(half)).report().alarm).toBe(false)
  })

  it('of weighted rows count by their weights', async () => {
    const weighted = await fit(draw({ seed: 1 }), { ...PLAIN, weight: 'w' })
    const monitor = await (await startMonitor(weighted, draw({ seed: 1 }))).add(draw({ seed: 2, shift: 0.2 }))
    const table = draw({ seed: 2, shift: 0.2 })
    const [w, score, y] = ['w', 'score', 'y'].map(
      name => table.columns.find(column => column.name === name) as { values: Float64Array },
    )
    const total = w.values.reduce((sum, weight) => sum + weight, 0)
    const gap =
      w.values.reduce((sum, weight, row) => sum + weight * (y.values[row] - score.values[row]), 0) / total
    const [{ overall }] = monitor.report().groups
    expect(overall.gap).toBeCloseTo(gap, 2)
    expect(overall.low).toBeLessThan(gap)
    expect(overall.high).toBeGreaterThan(gap)
    // A row that weighs nothing is not there.
    const zero = {
      ...table,
      columns: table.columns.map(column =>
        column.name === 'w' ? { ...column, values: new Float64Array(400) } : column,
      ),
    }
    const idle = await (await startMonitor(weighted, draw({ seed: 1 }))).add(zero as Table)
    expect(idle.report().groups[0].overall).toMatchObject({ rows: 0, gap: 0, low: -1, high: 1 })
  })
})

describe('a group that goes wrong', () => {
  it('is named, with when it began, by how much, and what to do', async () => {
    const calm = Array.from({ length: 6 }, (_, index) => draw({ seed: 20 + index }))
    const wrong = Array.from({ length: 8 }, (_, index) => draw({ seed: 40 + index, shift: 0.3 }))
    const monitor = await startMonitor(model, draw({ seed: 1, rows: 2000 }), { protect: ['region'] })
    const report = (await addAll(monitor, [...calm, ...wrong])).report()
    expect(report.alarm).toBe(true)
    const [first] = report.groups
    expect(first.group).toBe('region = a')
    expect(Number(first.alarm)).toBeGreaterThan(6)
    expect(Number(first.alarm)).toBeLessThan(12)
    expect(first.side).toBe('low')
    expect(first.since).toMatchObject({ from: '7' })
    expect(first.since!.low).toBeGreaterThan(0)
    expect(first.since!.low).toBeLessThan(0.3)
    expect(first.since!.high).toBeGreaterThan(0.3)
    expect(report.advice.refit).toBe(true)
    expect(report.advice.sentence).toMatch(/^Refit on recent rows: scores are surely too low for region = a/)
    expect(report.timeline.map(({ alarms }) => alarms > 0)).toEqual(
      report.timeline.map((_, index) => index + 1 >= Number(report.raised)),
    )
  })

  it('is found among all groups of two conditions where nobody named it', async () => {
    const wrong = Array.from({ length: 12 }, (_, index) => draw({ seed: 60 + index, shift: 0.3 }))
    const { groups: watched } = (await addAll(started, wrong)).report()
    const found = watched.filter(({ alarm, kind }) => alarm !== undefined && kind === 'found')
    expect(found.map(({ group }) => group)).toContain('region = a')
  })

  it('raises no alarm while the gap is one that is allowed', async () => {
    const monitor = await startMonitor(model, draw({ seed: 1, rows: 2000 }), {
      protect: ['region'],
      maxGap: 0.4,
    })
    const wrong = Array.from({ length: 8 }, (_, index) => draw({ seed: 40 + index, shift: 0.3 }))
    expect((await addAll(monitor, wrong)).report().alarm).toBe(false)
  })
})

describe('columns that change', () => {
  it('are named without any outcome, unknown categories and missing values among them', async () => {
    const older = Array.from({ length: 8 }, (_, index) => without(draw({ seed: 80 + index, older: 15 }), 'y'))
    const report = (await addAll(started, older)).report()
    const drifted = report.columns.filter(({ alarm }) => alarm !== undefined).map(({ column }) => column)
    expect(drifted).toEqual(['age'])
    const age = report.columns.find(({ column }) => column === 'age')!
    expect(age.psi).toBeGreaterThan(5 * age.psiByChance)
    expect(report.alarm).toBe(false)
    expect(report.advice.sentence).toContain('"age" is surely not as in the reference')
    const renamed = Array.from({ length: 4 }, (_, index) => {
      const table = without(draw({ seed: 90 + index }), 'y')
      const columns = table.columns.map(column =>
        column.name === 'region' ? { ...column, categories: ['x', 'b', 'c'] } : column,
      )
      return { ...table, columns } as Table
    })
    const { columns } = (await addAll(started, renamed)).report()
    expect(columns.filter(({ alarm }) => alarm !== undefined).map(({ column }) => column)).toEqual(['region'])
  })
})
