// featureboost demo: the whole story on a made-up population whose true probabilities are known.

import {
  type BeforeAfter,
  compareBeforeAfter,
  type Fitted,
  fitWithTrace,
  makeTable,
} from '@featureboost/core'
import { formatCount } from '@featureboost/core/internal'
import {
  isUntouched,
  type LendingPopulation,
  makeLendingPopulation,
  PLANTED_ERRORS,
  populationCsv,
  type ScoredApplicant,
} from '../demo/population.ts'
import { keepText, writeTextFile } from '../files.ts'
import { checkOutputs, outputsOf } from '../outputs.ts'
import { layoutAnswer } from '../terminal/beforeAfter.ts'
import { fitTable, wrap } from '../terminal/layout.ts'
import { layoutVerdict } from '../terminal/verdict.ts'
import { stdoutView, type View, viewOf } from '../terminal/view.ts'
import { correctionWords, layoutDetails, writtenLine } from './fitReport.ts'
import { printJson, printPage } from './print.ts'

interface DemoOptions {
  readonly rows: number
  readonly seed: number
  readonly epsilon: number
  readonly out: string
  readonly overwrite: boolean
  readonly details: boolean
  /** Where to write the applicants, too. */
  readonly csv?: string
  readonly force: boolean
  readonly json: boolean
  readonly ascii?: boolean
  readonly quiet: boolean
}

export async function runDemo(options: DemoOptions): Promise<void> {
  const { csv, force } = options
  checkOutputs(outputsOf(options, options.overwrite))
  const population = makeLendingPopulation(options)
  if (csv !== undefined) await writeTextFile(csv, populationCsv(population), { overwrite: force })
  const table = makeTable(population.columns)
  const { width } = viewOf(process.stderr, options)
  const tell = (text: string) => {
    if (!options.quiet) process.stderr.write(`${text}\n`)
  }
  tell(
    wrap(
      `${formatCount(options.rows)} made-up loan applications. Their score is right on average and wrong for some groups. The true probabilities are known here, so the correction can be judged.`,
      width,
    ),
  )
  const fitted = await fitWithTrace(table, {
    label: 'defaulted',
    prediction: 'score',
    epsilon: options.epsilon,
    holdout: 0.25,
    onWarning: tell,
  })
  const groups = judgeGroups(population, fitted.model.predict(table))
  const compared = options.json ? undefined : await compareBeforeAfter(fitted.model, table)
  await keepText(options.out, fitted.model.toText(), options)
  if (compared === undefined) printJson(demoJson(options, fitted, groups))
  else printPage(layoutDemo(options, fitted, groups, compared, stdoutView(options)))
}

interface JudgedGroup {
  readonly name: string
  readonly applicants: number
  readonly truth: number
  readonly score: number
  readonly corrected: number
}

/** Mean truth, score and corrected score of every planted group, and of all others together. */
function judgeGroups({ columns, truth }: LendingPopulation, corrected: Float64Array): JudgedGroup[] {
  const names = Object.keys(columns) as (keyof typeof columns)[]
  const applicants = truth.map(
    (_, row) =>
      Object.fromEntries(names.map(name => [name, columns[name][row]])) as unknown as ScoredApplicant,
  )
  const groups = [...PLANTED_ERRORS, { name: 'nothing planted', contains: isUntouched }]
  return groups.map(({ contains, name }) => {
    const rows = applicants.flatMap((applicant, row) => (contains(applicant) ? [row] : []))
    const mean = (values: ArrayLike<number>) => rows.reduce((sum, row) => sum + values[row], 0) / rows.length
    return {
      name,
      applicants: rows.length,
      truth: mean(truth),
      score: mean(columns.score),
      corrected: mean(corrected),
    }
  })
}

function layoutDemo(
  { details, out }: DemoOptions,
  fitted: Fitted,
  groups: readonly JudgedGroup[],
  compared: BeforeAfter,
  view: View,
): string[] {
  const { model } = fitted
  const { certificate } = model
  const column = (title: string, read: (group: JudgedGroup) => string, spare = 0) => ({
    title,
    cells: groups.map(read),
    spare,
  })
  const planted = fitTable(
    [
      column('planted errors, all rows', ({ name }) => name),
      column('applicants', ({ applicants }) => formatCount(applicants), 1),
      column('truth', ({ truth }) => truth.toFixed(3)),
      column('score', ({ score }) => score.toFixed(3)),
      column('corrected', ({ corrected }) => corrected.toFixed(3)),
    ],
    view,
  )
  return [
    layoutVerdict(certificate, compared, view),
    ...layoutAnswer(compared, view),
    planted,
    ...(details ? layoutDetails(fitted, compared, view) : [wrap(correctionWords(fitted), view.width)]),
    writtenLine(out, model, view, details),
  ]
}

function demoJson(options: DemoOptions, { model, trace, used }: Fitted, groups: readonly JudgedGroup[]) {
  const { certificate } = model
  return {
    rows: options.rows,
    rounds: trace.keptCount,
    stopReason: trace.stopReason,
    tolerance: used.tolerance,
    before: certificate.before,
    after: certificate.after,
    groups,
    certificate,
    modelFile: options.out,
    modelHash: model.hash,
  }
}
