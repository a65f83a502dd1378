// How much of a forest is kept: forests of one tree that go too far, or the wrong way, against labels whose truth is known.

import { describe, expect, it } from 'vitest'
import { keepForest } from '../../../src/boost/groups/keepForest.ts'
import { openSample } from '../../../src/boost/groups/sampleEngine.ts'
import { expOfStep } from '../../../src/common/logistic.ts'
import { ONE } from '../../../src/common/units.ts'
import type { Grown, Trees } from '../../../src/forest/growForest.ts'
import { rowWeightOf } from '../../../src/forest/lossGain.ts'
import type { ForestUpdate } from '../../../src/update/update.ts'
import { drawForestRows, FEATURES, PARTS, type Person, SCHEMAS } from '../../support/groupRows.ts'

const OPTIONS = { schemas: SCHEMAS, features: FEATURES, cellBudget: 2 ** 26, threads: 1 }
const TRUE_STEP = 0.25

const moved = (score: number, step: number): number => {
  const odds = (score / (1 - score)) * expOfStep(step * ONE)
  return odds / (1 + odds)
}

/** Half of the rows are off, by one step of the logit. */
const isOff = ({ bins }: Person) => bins[0] <= 9
const truth = (person: Person) => (isOff(person) ? moved(person.score, TRUE_STEP) : person.score)

/** Moves these rows by so much. */
const forestOf = (step: number): ForestUpdate => ({
  kind: 'forest',
  clip: 1,
  trees: [
    {
      tree: {
        split: { kind: 'atMost', feature: 0, bin: 9, missing: false },
        yes: { leaf: 0 },
        no: { leaf: 1 },
      },
      steps: [Math.round(step * ONE), 0],
    },
  ],
})

function treesOf(step: number): Trees {
  const forest = forestOf(step)
  return {
    updates: [forest],
    rounds: 1,
    apart: new Map(Array.from({ length: PARTS }, (_, part) => [part, forest])),
  }
}

async function keep(
  step: number,
  { doubtful = false, of = truth, seed = 1 }: { doubtful?: boolean; of?: typeof truth; seed?: number } = {},
) {
  const rows = drawForestRows(20_000, seed, of)
  const none: Trees = { updates: [], rounds: 0, apart: new Map() }
  const grown: Grown = {
    ...(doubtful ? { ...none, doubtful: treesOf(step) } : treesOf(step)),
    ...{ losses: [], start: rows.start, clip: 1, proven: false },
  }
  const engine = await openSample(rows, rows.start, OPTIONS)
  const held = { rows: { ...rows, rowWeight: rowWeightOf(rows) }, score: rows.start }
  const kept = await keepForest(engine, held, grown, SCHEMAS.length)
  const predictions = await engine.snapshot()
  await engine.close()
  return { kept, predictions, rows }
}

const stepOf = ({ updates }: { updates: readonly ForestUpdate[] }): number =>
  updates[updates.length - 1].trees[0].steps[0] / ONE

describe('of a forest', () => {
  it('all is kept where it surely gains', async () => {
    const { kept, predictions } = await keep(TRUE_STEP)
    expect(kept).toMatchObject({ share: 1, rounds: 1, updates: [forestOf(TRUE_STEP)] })
    expect(predictions).toEqual(kept?.predictions)
  })

  it('a part is kept where it goes too far the right way, about as far as is right', async () => {
    for (const step of [0.5, 0.6, 0.8, 1.2]) {
      const { kept, predictions } = await keep(step)
      expect(kept!.share).toBeLessThan(1)
      expect(Math.abs(stepOf(kept!) - TRUE_STEP)).toBeLessThan(0.3 * TRUE_STEP)
      expect(kept!.gain).toBeGreaterThan(0)
      expect(predictions).toEqual(kept!.predictions)
    }
  })

  it('a part is kept where its parts disagree, whatever all rows say', async () => {
    const { kept } = await keep(TRUE_STEP, { doubtful: true })
    expect(kept!.share).toBeLessThan(1)
    expect(kept!.share).toBeGreaterThan(0.5)
  })

  it('nothing is kept that goes the wrong way, or anywhere from the truth', async () => {
    expect((await keep(-TRUE_STEP)).kept).toBeUndefined()
    for (let seed = 1; seed <= 20; seed++) {
      const { kept, predictions, rows } = await keep(0.15, { of: ({ score }) => score, seed, doubtful: true })
      expect(kept).toBeUndefined()
      expect(predictions).toEqual(rows.start)
    }
  })
})
