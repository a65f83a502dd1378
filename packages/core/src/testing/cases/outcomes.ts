// What may stand in the place of the label: a label that was drawn, its variance, or the label against its chance.

import { ONE } from '../../common/units.ts'
import { ROOT } from '../../update/update.ts'
import { checkHistogram, checkJoint, checkLevelSums } from '../answers.ts'
import { between, generateFold, generateLevels, generateRows, pick, withKeys } from '../generate.ts'
import { generateRun, moveRun, startOf } from '../generateRun.ts'
import { failureOf, type Property } from '../property.ts'

const NOISES = ['labels', { errors: 2 ** 21 }] as const

/** Squared weights are to stay exact. */
const HEAVIEST = 3

const inPlaceOfTheLabel: Property = {
  title: 'puts a drawn label, its variance or the label less its chance in the place of the label',
  async check({ open, random, rowLimit }) {
    const generated = generateRun(random, { rowLimit, leastFeatures: 2, heaviest: HEAVIEST })
    const run = { ...generated, rows: withKeys(generated.rows) }
    const noise = pick(random, NOISES)
    const drawn = { kind: 'drawn', noise, draw: random.integer(6) } as const
    const shift = random.integer(4)
    const variance = { kind: 'variance', noise: pick(random, [noise, 'squares'] as const), shift } as const
    const centred = { kind: 'centred', noise } as const
    const asked = { fold: generateFold(random, run.rows), levels: generateLevels(random) }
    const single = { ...asked, tree: ROOT, features: [0], resolution: 'fine' } as const
    const engine = await open(run.rows, run.updates)
    await checkHistogram(engine, run, { ...single, outcome: drawn })
    await checkLevelSums(engine, run, { ...asked, trees: [ROOT], outcome: variance })
    await checkJoint(engine, run, { ...asked, pairs: [[0, 1]], outcome: pick(random, [drawn, variance]) })
    await checkLevelSums(engine, run, { ...asked, trees: [ROOT], outcome: centred })
    await checkLevelSums(engine, run, { ...asked, trees: [ROOT] })
  },
}

const followsPredictions: Property = {
  title: 'follows the predictions when they move: a variance is of where they stand',
  rounds: 5,
  async check({ open, random, rowLimit }) {
    const run = startOf(withKeys(generateRows(random, { rowLimit, heaviest: HEAVIEST })))
    const outcome = { kind: 'variance', noise: 'labels', shift: 0 } as const
    const asked = { fold: 0, levels: between(random, 1, 2), trees: [ROOT], outcome }
    const toOne = { kind: 'table', tree: ROOT, levels: 1, values: [ONE] } as const
    const engine = await open(run.rows)
    await checkLevelSums(engine, run, asked)
    await engine.apply(toOne)
    await checkLevelSums(engine, moveRun(run, toOne), asked)
    await engine.reset()
    await checkLevelSums(engine, run, asked)
  },
}

const needsKeys: Property = {
  title: 'draws nothing for rows without keys',
  rounds: 5,
  async check({ open, random, rowLimit }) {
    const engine = await open(generateRows(random, { rowLimit }))
    const outcome = { kind: 'drawn', noise: 'labels', draw: 0 } as const
    const failure = await failureOf(() => engine.levelSums({ fold: 0, levels: 1, trees: [ROOT], outcome }))
    if (failure instanceof Error && failure.message.includes('no keys')) return
    throw new Error(`a drawn label: expected an error that says "no keys", found ${failure}`)
  },
}

export const OUTCOMES = [inPlaceOfTheLabel, followsPredictions, needsKeys]
