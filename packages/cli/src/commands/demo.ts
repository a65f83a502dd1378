// featureboost demo: the whole story on a made-up population whose true probabilities are known.

import {
  type Fitted,
  fitWithTrace,
  formatCount,
  formatNumber,
  type Model,
  makeTable,
  trees,
} from '@featureboost/core'
import {
  isUntouched,
  type LendingPopulation,
  makeLendingPopulation,
  PLANTED_ERRORS,
  type ScoredApplicant,
} from '../demo/population.ts'
import { refuseOverwriting, writeModelFile } from '../files.ts'
import { layoutAudit, layoutCertificate, verdictOf } from '../terminal/certificate.ts'
import { layoutTable, terminalWidth, wrap } from '../terminal/layout.ts'
import { bold, dim } from '../terminal/style.ts'

export interface DemoOptions {
  readonly rows: number
  readonly seed: number
  readonly epsilon: number
  readonly out: string
  readonly overwrite: boolean
  readonly json: boolean
  readonly quiet: boolean
}

export async function runDemo(options: DemoOptions): Promise<void> {
  refuseOverwriting(options.out, options)
  const population = makeLendingPopulation(options)
  const table = makeTable(population.columns)
  const tell = (text: string) => {
    if (!options.quiet) process.stderr.write(`${text}\n`)
  }
  tell(
    wrap(
      `${formatCount(options.rows)} made-up loan applications. Their score is right on average and wrong for some groups. The true probabilities are known here, so the correction can be judged.`,
      terminalWidth(),
    ),
  )
  const fitted = await fitWithTrace(table, {
    label: 'defaulted',
    prediction: 'score',
    auditors: trees({ depth: 2 }),
    epsilon: options.epsilon,
    stop: 'certificate',
    holdout: 0.25,
    onRound: ({ accepted, drop, round, words }) => {
      const fate = accepted ? `-${formatNumber(drop)}` : dim(`-${formatNumber(drop)} is too little: rejected`)
      tell(wrap(`  round ${round}  ${fate}  ${words}`, terminalWidth(), 10))
    },
    onWarning: tell,
  })
  await writeModelFile(options.out, fitted.model, { overwrite: options.overwrite })
  const groups = judgeGroups(population, fitted.model.predict(table))
  if (options.json) process.stdout.write(`${JSON.stringify(demoJson(options, fitted, groups), null, 2)}\n`)
  else process.stdout.write(layoutDemo(options, fitted, groups))
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

function layoutDemo(options: DemoOptions, { model, trace }: Fitted, groups: readonly JudgedGroup[]): string {
  const { certificate } = model
  const planted = layoutTable(
    ['planted errors (mean of group)', 'applicants', 'truth', 'score', 'corrected'],
    groups.map(group => [
      group.name,
      formatCount(group.applicants),
      ...[group.truth, group.score, group.corrected].map(value => value.toFixed(3)),
    ]),
  )
  return `${[
    `${trace.keptCount} rounds kept; stopped by ${trace.stopReason}.`,
    planted,
    layoutAudit(certificate),
    `${bold('Certificate')}\n${layoutCertificate(certificate)}`,
    verdictOf(certificate),
    writtenLine(options, model),
  ].join('\n\n')}\n`
}

const writtenLine = ({ out }: DemoOptions, model: Model): string =>
  `Model written to ${out} (SHA-256 ${model.hash.slice(0, 16)}...). Look inside: featureboost show ${out}`

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
