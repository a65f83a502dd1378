// featureboost decide: the best action for every row, by losses that are chosen after the fit; what decisions cost before and after the
// correction, and what a rule that also sees the groups would save.

import { type Decisions, decide, groups, type LossSpec, type Model } from '@featureboost/core'
import { type DecisionLoss, formatCount, readLosses } from '@featureboost/core/internal'
import { checkScores } from '../data/probabilities.ts'
import { checkWrite, type WriteOptions, writeScored } from '../data/write.ts'
import { CommandError } from '../errors.ts'
import { readModelFile } from '../files.ts'
import { given } from '../flags.ts'
import { checkOutputs, inputsOf, outputsOf } from '../outputs.ts'
import { layoutDecisions } from '../terminal/decisions.ts'
import { wrap } from '../terminal/layout.ts'
import { stdoutView } from '../terminal/view.ts'
import { interruptibleEngine, requireMemory } from './engine.ts'
import { columnsToPredict } from './modelColumns.ts'
import { printJson, printPage } from './print.ts'
import { readGroups } from './readGroups.ts'
import { readList } from './readList.ts'
import {
  type DataOptions,
  type ReadData,
  type Reading,
  runSession,
  type Session,
  withRows,
} from './session.ts'

interface DecideCommandOptions extends DataOptions {
  readonly model: string
  readonly costFp?: number
  readonly costFn?: number
  readonly threshold?: number
  readonly losses?: string
  readonly groups?: string
  readonly protect?: readonly string[]
  readonly bins?: number
  readonly confidence?: number
  readonly draws?: number
  readonly seed?: number
  readonly threads?: number
  readonly out?: string
  readonly as: string
  readonly neutralise: boolean
  readonly force: boolean
  readonly json: boolean
  readonly ascii?: boolean
  readonly quiet: boolean
}

export async function runDecide(paths: readonly string[], options: DecideCommandOptions): Promise<void> {
  checkOutputs(outputsOf(options), inputsOf(paths, options))
  const specs = await readSpecs(options)
  const losses = readLosses(specs)
  const target = options.out === undefined ? undefined : targetOf(options.out, losses, options)
  if (target !== undefined) checkWrite({ names: [] }, target)
  const model = await readModelFile(options.model)
  const declared = options.groups === undefined ? undefined : groups(await readGroups(options.groups))
  const { confidence, protect, threads } = options
  await runSession(options, async session => {
    const { progress, signal } = session
    const reading = {
      ...columnsToDecide(model, protect),
      ...(target !== undefined && { out: target.out }),
    }
    await withRows(session, paths, options, reading, async data => {
      if (target !== undefined) checkWrite(data, target)
      requireMemory(data, options)
      const { start } = model.data
      if (start.kind === 'column') await checkScores(data, start.column, start.scale)
      const found = await decide(model, data.rows, {
        losses: specs,
        ...given(['bins', 'confidence', 'draws', 'seed', 'protect'] as const, options),
        ...(declared !== undefined && { auditors: declared }),
        signal,
        onPhase: progress.phase,
        engine: interruptibleEngine({ threads, signal, onWarning: progress.tell }),
      })
      if (target !== undefined) await writeActions(data, model, target, session)
      const seconds = progress.seconds()
      if (options.json) {
        printJson({ ...decisionsJson(found), modelHash: model.hash, file: options.out ?? null, seconds })
      } else {
        const view = stdoutView(options)
        const written = target === undefined ? [] : [wrap(writtenWords(data, target), view.width)]
        printPage([...layoutDecisions(found, confidence, view), ...written])
      }
    })
  })
}

/** Keys are part of the interface: they may be added to, not renamed. */
function decisionsJson({ auditors, label, losses, rowCount, rows, scores }: Decisions) {
  return {
    rows: rowCount,
    rowsAre: rows,
    label: label ?? null,
    scores,
    auditors: auditors ?? null,
    losses: losses.map(({ after, before, change, groups, loss }) => {
      return { ...loss, before, after, change: change ?? null, groups }
    }),
  }
}

/** Features and score; outcomes, and what says which rows were held out, where they are there. */
function columnsToDecide(model: Model, protect: readonly string[] = []): Reading {
  const { fold, holdout, label, protect: own = [], weight } = model.data.roles
  const ifThere = [label, weight, fold, holdout?.groupBy].filter(name => name !== undefined)
  return { ...columnsToPredict(model, [...protect, ...own]), ifThere }
}

async function readSpecs({ costFn, costFp, losses, threshold }: DecideCommandOptions): Promise<LossSpec[]> {
  if ((costFp === undefined) !== (costFn === undefined))
    throw new CommandError(2, '--cost-fp and --cost-fn go together: what one error costs says nothing alone.')
  const specs: LossSpec[] = [
    ...(costFp === undefined ? [] : [{ falsePositive: costFp, falseNegative: costFn! }]),
    ...(threshold === undefined ? [] : [{ threshold }]),
    ...(losses === undefined ? [] : await readLossFile(losses)),
  ]
  if (specs.length > 0) return specs
  throw new CommandError(
    2,
    'What do decisions cost? Pass --cost-fp and --cost-fn, --threshold, or --losses @file.json.',
  )
}

async function readLossFile(text: string): Promise<LossSpec[]> {
  if (!text.startsWith('@'))
    throw new CommandError(
      2,
      `--losses ${text}: expected @ and the name of a JSON file, such as @losses.json.`,
    )
  return (await readList(text.slice(1), 'losses', '[{"falsePositive": 1, "falseNegative": 5}]')) as LossSpec[]
}

/** One loss has its actions in "action", several each in a column of its name. */
function targetOf(
  out: string,
  losses: readonly DecisionLoss[],
  { as: column, force: overwrite, neutralise }: DecideCommandOptions,
): WriteOptions {
  if (out === '-')
    throw new CommandError(2, '--out - is taken by what decide prints: name a file, such as actions.csv.')
  const more = losses.map(({ actions, name, thresholds }) => ({
    column: losses.length === 1 ? 'action' : name,
    names: actions.map(action => action.name),
    from: thresholds,
  }))
  return { out, column, more, neutralise, overwrite }
}

async function writeActions(
  data: ReadData,
  model: Model,
  target: WriteOptions,
  { progress, signal }: Session,
): Promise<void> {
  progress.phase('writing')
  const corrected = async function* () {
    for await (const chunk of data.source.chunks()) {
      signal.throwIfAborted()
      yield model.predict(chunk)
    }
  }
  await writeScored(data, corrected(), { ...target, signal })
}

function writtenWords({ rowCount }: ReadData, { column, more = [], out }: WriteOptions): string {
  const names = more.map(each => `"${each.column}"`).join(', ')
  return `${formatCount(rowCount)} rows written to ${out}: corrected scores in "${column}", actions in ${names}.`
}
