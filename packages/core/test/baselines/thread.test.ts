// Baselines in a thread of their own: the same updates, the same errors, and an end when they are cancelled.

import { describe, expect, it } from 'vitest'
import { BASELINE_NAMES, BASELINES } from '../../src/baselines/baselines.ts'
import type { BaselineQuestion } from '../../src/baselines/thread/answer.ts'
import { runBaseline } from '../../src/baselines/thread/run.ts'
import { ONE } from '../../src/common/units.ts'
import { handClass, handRows, type PlainRows } from './rows.ts'

const PLAIN: PlainRows = {
  start: Array.from({ length: 90 }, (_, row) => 1 + ((row * 7919) % 97) * 170_000),
  label: Array.from({ length: 90 }, (_, row) => ((row * 31) % 90 < 40 ? ONE : 0)),
  bins: [Array.from({ length: 90 }, (_, row) => row % 3)],
  binCounts: [3],
}

function ask(method: BaselineQuestion['method'], plain: PlainRows = PLAIN): BaselineQuestion {
  const { groups: _, ...rows } = handRows(plain)
  return { method, rows, ...handClass(rows), settings: { seed: 1 } }
}

/** However few rows. */
const ALWAYS = 0

describe('a baseline in a thread of its own', () => {
  it.each(BASELINE_NAMES)('answers as it does in this one: %s', async method => {
    const here = await BASELINES[method].run(handRows(PLAIN), { seed: 1 })
    expect(await runBaseline(ask(method), {}, ALWAYS)).toEqual(here)
    expect(await runBaseline(ask(method), {})).toEqual(here)
  })

  it('tells its rounds', async () => {
    const [there, here]: [number[], number[]] = [[], []]
    await runBaseline(ask('platt-features'), { onRound: round => there.push(round) }, ALWAYS)
    await runBaseline(ask('platt-features'), { onRound: round => here.push(round) })
    expect(there.length).toBeGreaterThan(1)
    expect(there).toEqual(here)
  })

  it('fails with the error that it had', async () => {
    const columns = Array.from({ length: 17 }, () => Array.from({ length: 256 }, (_, row) => row))
    const many = {
      start: columns[0].map(() => 5),
      label: columns[0].map(row => (row % 2) * ONE),
      bins: columns,
      binCounts: columns.map(() => 256),
    }
    await expect(runBaseline(ask('platt-features', many), {}, ALWAYS)).rejects.toMatchObject({
      code: 'FB_OPTION_VALUE',
    })
  })

  it('ends when it is cancelled', async () => {
    for (const shortWork of [ALWAYS, undefined]) {
      const running = runBaseline(ask('platt-features'), { signal: { aborted: true } }, shortWork)
      await expect(running).rejects.toMatchObject({ code: 'FB_ABORTED' })
    }
  })
})

describe('threads within a thread', () => {
  it('are started where a method wants them', async () => {
    const count = 5000
    const plain: PlainRows = {
      start: Array.from({ length: count }, (_, row) => 1 + ((row * 7919) % 97) * 170_000),
      label: Array.from({ length: count }, (_, row) => ((row * 31) % 90 < 40 ? ONE : 0)),
      bins: [Array.from({ length: count }, (_, row) => row % 3)],
      binCounts: [3],
    }
    const question = { ...ask('mcgrad', plain), settings: { seed: 1, threads: 2, roundLimit: 1 } }
    const alone = { ...question, settings: { ...question.settings, threads: 1 } }
    expect(await runBaseline(question, {}, ALWAYS)).toEqual(await runBaseline(alone, {}))
  })
})
