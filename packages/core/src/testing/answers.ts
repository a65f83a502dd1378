// Puts a question to an engine and compares the answer with its definition. What questions mean is said in
// engine/questions.ts.

import type { SplitSum } from '../common/units.ts'
import type {
  CellSums,
  Engine,
  FoldLoss,
  Histogram,
  HistogramRequest,
  JointHistogramRequest,
  LevelMoments,
  LevelSumsRequest,
  MomentsRequest,
} from '../engine/engine.ts'
import type { Update } from '../update/update.ts'
import {
  type Axis,
  cellCount,
  expectList,
  expectSame,
  expectSums,
  type Found,
  questionText,
} from './compare.ts'
import type { Run } from './generateRun.ts'
import { naiveExactSum, naiveFold, naiveWeight } from './naive.ts'
import { binAxis, type Counted, countedRows, leafAxis, levelAxis, residualAt } from './rowView.ts'

/** The cells of one feature or pair. */
interface Block {
  readonly name: string
  readonly axes: readonly Axis[]
}

export async function checkHistogram(engine: Engine, run: Run, request: HistogramRequest): Promise<void> {
  const leaves = leafAxis(run, request.tree, request.leaves)
  const blocks = request.features.map(feature => ({
    name: `feature ${feature}`,
    axes: [leaves, binAxis(run.rows, feature, request.resolution), levelAxis(run, request)],
  }))
  const answer = await engine.histogram(request)
  expectBlocks(questionText('histogram', request), answer, blocks, run, request)
}

export async function checkJoint(engine: Engine, run: Run, request: JointHistogramRequest): Promise<void> {
  const blocks = request.pairs.map(([a, b]) => ({
    name: `pair ${a}, ${b}`,
    axes: [binAxis(run.rows, a, 'coarse'), binAxis(run.rows, b, 'coarse'), levelAxis(run, request)],
  }))
  const answer = await engine.jointHistogram(request)
  expectBlocks(questionText('jointHistogram', request), answer, blocks, run, request)
}

/** Block after block, nothing between them and nothing after the last. */
function expectBlocks(
  question: string,
  { counts, offsets, residuals }: Histogram,
  blocks: readonly Block[],
  run: Run,
  request: Counted,
): void {
  let from = 0
  blocks.forEach((block, index) => {
    expectSame(`${question}, offset of ${block.name}`, offsets[index], from)
    const to = from + cellCount(block.axes)
    const sums = { counts: counts.subarray(from, to), residuals: residuals.subarray(from, to) }
    expectCells(question, sums, block, run, request)
    from = to
  })
  expectSame(`${question}, the number of counts`, counts.length, from)
  expectSame(`${question}, the number of residuals`, residuals.length, from)
}

function expectCells(
  question: string,
  { counts, residuals }: CellSums,
  { axes, name }: Block,
  run: Run,
  request: Counted,
): void {
  const counted = { rows: countedRows(run.rows, request.outcome), fold: request.fold }
  expectSums(`${question}, counts of ${name}`, counts, axes, { ...counted, valueAt: () => 1 })
  const valueAt = residualAt(run, request)
  expectSums(`${question}, residuals of ${name}`, residuals, axes, { ...counted, valueAt })
}

export async function checkLevelSums(engine: Engine, run: Run, request: LevelSumsRequest): Promise<void> {
  const question = questionText('levelSums', request)
  const answers = await engine.levelSums(request)
  expectSame(`${question}, the number of trees`, answers.length, request.trees.length)
  const counted = { rows: countedRows(run.rows, request.outcome), fold: request.fold }
  const valueAt = (row: number) => run.predictions[row]
  answers.forEach((sums, index) => {
    const name = `tree ${index}`
    const axes = [leafAxis(run, request.trees[index]), levelAxis(run, request)]
    expectCells(question, sums, { name, axes }, run, request)
    expectSums(`${question}, predictions of ${name}`, sums.predictions, axes, { ...counted, valueAt })
  })
}

export async function checkMoments(engine: Engine, run: Run, request: MomentsRequest): Promise<void> {
  const question = questionText('moments', request)
  const answers = await engine.moments(request)
  expectSame(`${question}, the number of levels`, answers.length, request.levels)
  answers.forEach((moments, level) => {
    expectMoments(`${question}, level ${level}`, moments, run, request, level)
  })
}

function expectMoments(
  what: string,
  { count, cross, gram }: LevelMoments,
  run: Run,
  request: MomentsRequest,
  level: number,
): void {
  const { placeOf } = levelAxis(run, request)
  const isMeant = (row: number) => naiveFold(run.rows, row) === request.fold && placeOf(row) === level
  const sum = (valueAt: (row: number) => bigint) => naiveExactSum(run.rows, isMeant, valueAt)
  const residual = residualAt(run, request)
  const signals = request.signals.map(signal => (row: number) => BigInt(run.rows.signals[signal][row]))
  const products = signals.flatMap(a => signals.map(b => sum(row => a(row) * b(row))))
  const crosses = signals.map(signal => sum(row => signal(row) * BigInt(residual(row))))
  const nameOf = (index: number) => `[${index}]`
  expectSame(`${what}, count`, count, Number(sum(() => 1n)))
  expectList(`${what}, gram`, gram.map(joinParts), products, nameOf)
  expectList(`${what}, cross`, cross.map(joinParts), crosses, nameOf)
}

export async function checkLosses(engine: Engine, run: Run): Promise<void> {
  expectLosses(questionText('losses'), await engine.losses(), run)
}

/** `moved` is where the update leads. */
export async function checkEvaluate(engine: Engine, moved: Run, update: Update): Promise<void> {
  expectLosses(questionText('evaluate', update), await engine.evaluate(update), moved)
}

export async function checkApply(engine: Engine, moved: Run, update: Update): Promise<void> {
  expectLosses(questionText('apply', update), await engine.apply(update), moved)
}

/** Where rows cannot be shown, losses alone say where predictions stand. */
export async function checkPredictions(engine: Engine, run: Run): Promise<void> {
  await checkLosses(engine, run)
  if (engine.snapshot === undefined) return
  expectList(questionText('snapshot'), await engine.snapshot(), run.predictions, row => `row ${row}`)
}

function expectLosses(question: string, losses: readonly FoldLoss[], { predictions, rows }: Run): void {
  expectSame(`${question}, the number of folds`, losses.length, rows.fold === undefined ? 1 : 2)
  losses.forEach(({ squaredWeight, squares, weight }, fold) => {
    const what = (sum: string) => `${question}, ${sum} of fold ${fold}`
    const isMeant = (row: number) => naiveFold(rows, row) === fold
    const sum = (valueAt: (row: number) => bigint) => naiveExactSum(rows, isMeant, valueAt)
    const weightOf = (row: number) => BigInt(naiveWeight(rows, row))
    const squareOf = (row: number) => BigInt(rows.label[row] - predictions[row]) ** 2n
    expectSame(what('weight'), weight, Number(sum(() => 1n)))
    expectSame(what('squared weight'), squaredWeight, Number(sum(weightOf)))
    expectSame(what('squares'), joinParts(squares), sum(squareOf))
  })
}

/** Parts that are no whole numbers stay as they are, to be shown. */
function joinParts({ high, low }: Readonly<SplitSum>): Found {
  if (!Number.isInteger(high) || !Number.isInteger(low)) return `${high} * 2^24 + ${low}`
  return BigInt(high) * 2n ** 24n + BigInt(low)
}
