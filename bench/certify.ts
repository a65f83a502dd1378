// Certifies a real table: a logistic base score fitted on 40 % of the rows, Algorithm 1 with stop "certificate" on the
// other 60 %, then the realized tolerance and the worst errors over all declared depth-2 trees against their bounds.
//
//   npx tsx bench/certify.ts [dataset=adult] [epsilon=0.05] [seed=1] [--json]

import { parseArgs } from 'node:util'
import { type Certificate, fitWithTrace, makeTable, trees, verify } from '@featureboost/core'
import { layoutTable } from '../packages/cli/src/terminal/layout.ts'
import { type Column, loadDataset } from './data/dataset.ts'
import { logisticScore } from './data/logistic.ts'
import { splitRows } from './data/split.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false } },
})
const [name = 'adult', epsilonText = '0.05', seedText = '1'] = positionals
const epsilon = Number(epsilonText)

const { columns, label } = loadDataset(name)
const [baseRows, fitRows] = splitRows(columns[label].length, [0.4, 0.6], Number(seedText))
const score = logisticScore({ columns, label, rows: baseRows })
const take = (column: ArrayLike<Column[number]>): Column => fitRows.map(row => column[row])
const table = makeTable({
  ...Object.fromEntries(Object.entries(columns).map(([key, column]) => [key, take(column)])),
  base_score: take(Array.from(score)),
})

const started = performance.now()
const { model, trace, used } = await fitWithTrace(table, {
  label,
  prediction: 'base_score',
  guarantee: 'multicalibration',
  method: 'rounds',
  auditors: trees({ depth: 2 }),
  epsilon,
  stop: 'certificate',
  onWarning: sentence => console.error(sentence),
})
const fitted = performance.now()
const { matches } = await verify(model, table)
const verified = performance.now()

const { certificate } = model
const table2 = certificate.tolerances[certificate.tolerances.length - 1]
const figures = {
  dataset: name,
  rows: table.rowCount,
  epsilon,
  bins: used.bins,
  tolerance: used.tolerance,
  realizedTolerance: table2.tolerance,
  rounds: certificate.rounds,
  stopReason: trace.stopReason,
  rungs: certificate.rungs.map(({ measured, ...rung }) => ({
    ...rung,
    error: measured.error,
    atMost: measured.atMost,
  })),
  before: lossesOf(certificate.before),
  after: lossesOf(certificate.after),
  verified: matches,
  seconds: { fit: (fitted - started) / 1000, verify: (verified - fitted) / 1000 },
}
const failures = findFailures()
if (values.json) console.log(JSON.stringify({ ...figures, failures }, null, 2))
else print()
process.exitCode = failures.length === 0 ? 0 : 1

function lossesOf({ calibration, levelSet, loss, multiaccuracy, multicalibration }: Certificate['before']) {
  return {
    loss,
    calibration,
    multiaccuracy: multiaccuracy.error,
    multicalibration: multicalibration.error,
    levelSet: levelSet?.error,
  }
}

function findFailures(): string[] {
  const checks: [string, boolean][] = [
    ['alpha-hat <= alpha', figures.realizedTolerance <= figures.tolerance],
    ['the certificate holds', certificate.holds],
    ['verification gives the same certificate', matches],
    ...figures.rungs.map((rung): [string, boolean] => [
      `measured ${rung.guarantee} error <= its bound`,
      rung.atMost <= rung.bound,
    ]),
  ]
  return checks.filter(([, passed]) => !passed).map(([check]) => check)
}

function print(): void {
  const number = (value: number | undefined) => (value === undefined ? '' : value.toFixed(6))
  console.log(
    `${name}: ${table.rowCount} rows, epsilon ${epsilon}, K = ${used.bins}, ${certificate.rounds} rounds (stopped by ${trace.stopReason})`,
  )
  console.log(
    `alpha ${number(used.tolerance)}   alpha-hat ${number(figures.realizedTolerance)}   (${table2.worst})\n`,
  )
  const rungs = layoutTable(
    ['guarantee', 'bound', 'worst found', 'no auditor above'],
    figures.rungs.map(rung => [rung.guarantee, number(rung.bound), number(rung.error), number(rung.atMost)]),
  )
  const { after, before } = figures
  const measures = layoutTable(
    ['measure', 'before', 'after'],
    (Object.keys(before) as (keyof typeof before)[]).map(key => [
      key,
      number(before[key]),
      number(after[key]),
    ]),
  )
  console.log(
    `${rungs}\n\n${measures}\n\nfit ${figures.seconds.fit.toFixed(1)} s, verify ${figures.seconds.verify.toFixed(1)} s`,
  )
  console.log(failures.length === 0 ? 'all checks hold' : `FAILED: ${failures.join('; ')}`)
}
