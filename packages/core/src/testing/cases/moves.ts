// Predictions that move, and engines that are done with.

import { FeatureBoostError } from '../../common/errors.ts'
import type { Engine } from '../../engine/engine.ts'
import { ROOT } from '../../update/update.ts'
import { checkApply, checkEvaluate, checkLosses, checkPredictions } from '../answers.ts'
import { expectSame } from '../compare.ts'
import { generateRows } from '../generate.ts'
import { generateRun, generateUpdate, moveRun, startOf } from '../generateRun.ts'
import { failureOf, type Property } from '../property.ts'

const moves: Property = {
  title: 'moves every prediction by the update and clips it; evaluating moves nothing',
  async check({ open, random, rowLimit }) {
    const run = generateRun(random, { rowLimit })
    const update = generateUpdate(random, run.rows)
    const moved = moveRun(run, update)
    const engine = await open(run.rows, run.updates)
    await checkLosses(engine, run)
    await checkEvaluate(engine, moved, update)
    await checkPredictions(engine, run)
    await checkApply(engine, moved, update)
    await checkPredictions(engine, moved)
    await engine.reset()
    await checkPredictions(engine, startOf(run.rows))
  },
}

type Question = [name: string, ask: () => Promise<unknown>]

const COUNTED = { fold: 0, levels: 1 }
const MOVE = { kind: 'table', tree: ROOT, levels: 1, values: [0] } as const

/** All that can be asked of an engine with two features and a signal. */
const questionsOf = (engine: Engine): Question[] => [
  ['histogram', () => engine.histogram({ ...COUNTED, tree: ROOT, features: [0], resolution: 'fine' })],
  ['jointHistogram', () => engine.jointHistogram({ ...COUNTED, pairs: [[0, 1]] })],
  ['levelSums', () => engine.levelSums({ ...COUNTED, trees: [ROOT] })],
  ['moments', () => engine.moments({ ...COUNTED, signals: [0] })],
  ['losses', () => engine.losses()],
  ['evaluate', () => engine.evaluate(MOVE)],
  ['apply', () => engine.apply(MOVE)],
  ['reset', () => engine.reset()],
  ['fingerprint', () => engine.fingerprint()],
  ...rowQuestionsOf(engine),
]

/** Not every engine shows rows. */
function rowQuestionsOf(engine: Engine): Question[] {
  const questions: Question[] = []
  if (engine.snapshot !== undefined) questions.push(['snapshot', () => engine.snapshot!()])
  if (engine.sample !== undefined) questions.push(['sample', () => engine.sample!({ rowLimit: 9, parts: 2 })])
  return questions
}

const closed: Property = {
  title: 'refuses questions after it was closed',
  rounds: 5,
  async check({ open, random, rowLimit }) {
    const engine = await open(generateRows(random, { rowLimit, leastFeatures: 2 }))
    await engine.close()
    await engine.close()
    for (const [name, ask] of questionsOf(engine)) {
      const failure = await failureOf(ask)
      const code = failure instanceof FeatureBoostError ? failure.code : String(failure)
      expectSame(`${name} of a closed engine, the code of the error`, code, 'FB_ENGINE_CLOSED')
    }
  },
}

export const MOVES = [moves, closed]
