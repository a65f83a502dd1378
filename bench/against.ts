// Default fits of this build and of another one, on the same rows: what a change of the defaults does.
//
//   npx tsx bench/against.ts --other FOLDER [--data adult,bank,diabetes,tiny,rare] [--seeds 31,32,33] [--rows 2000,5000]
//     [--bases poor,strong] [--threads 2]
//
// FOLDER is another clone, built; so is this one. For every case: log loss and Brier score of the test rows, this less the other, with
// the standard error of the paired difference, log loss less that of the score as it was given, and how many times as much
// processor time the fit took, all threads together; then means, of times the geometric one. Rows "all" takes all calibration
// rows.

import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { type FitOptions, fit, type Model, type Table } from '@featureboost/core'
import { drawCases, ROLES } from './defaults/cases.ts'

const { values } = parseArgs({
  options: {
    other: { type: 'string' },
    data: { type: 'string', default: 'adult,bank,diabetes,tiny,rare' },
    seeds: { type: 'string', default: '31,32,33' },
    rows: { type: 'string', default: '2000,5000' },
    bases: { type: 'string', default: 'poor,strong' },
    threads: { type: 'string', default: '2' },
  },
})

type Fit = (table: Table, options: FitOptions) => Promise<Model>

if (values.other === undefined) throw new Error('Name the other build: --other FOLDER.')
const other: { fit: Fit } = await import(pathToFileURL(`${values.other}/packages/core/dist/index.js`).href)
const options = { ...ROLES, threads: Number(values.threads) }

for (const rows of values.rows.split(',')) {
  const means: number[][] = []
  for (const data of values.data.split(',')) {
    for (const seed of values.seeds.split(',').map(Number)) {
      const asked = { bases: values.bases.split(','), ...(rows !== 'all' && { rows: Number(rows) }) }
      for (const { calibration, given, label, name, test } of await drawCases(data, seed, asked)) {
        const runFit = async (each: Fit) => {
          const before = process.cpuUsage()
          const model = await each(calibration, options)
          const { system, user } = process.cpuUsage(before)
          return { predictions: model.predict(test), seconds: (system + user) / 1e6 }
        }
        const [{ predictions: ours, seconds }, { predictions: others, seconds: theirs }] = [
          await runFit(fit),
          await runFit(other.fit),
        ]
        const loss = compare(label, ours, others, logLoss)
        const square = compare(label, ours, others, squaredLoss)
        const start = compare(label, ours, given, logLoss)
        means.push([loss.mean, square.mean, start.mean, Math.log(seconds / theirs)])
        console.log(
          `${name}, ${rows} rows: log loss ${show(loss, 4)}, Brier ${show(square, 5)}; less the score's log loss ${show(start, 4)}; CPU ${seconds.toFixed(2)} s, ${(seconds / theirs).toFixed(2)} times`,
        )
      }
    }
  }
  const [loss, square, start, time] = [0, 1, 2, 3].map(index => mean(means.map(each => each[index])))
  console.log(
    `${rows} rows, mean of ${means.length} cases: log loss ${loss.toFixed(5)}, Brier ${square.toFixed(6)}; less the score's log loss ${start.toFixed(5)}; CPU ${Math.exp(time).toFixed(2)} times`,
  )
}

function mean(each: readonly number[]): number {
  return each.reduce((sum, value) => sum + value, 0) / each.length
}

interface Difference {
  readonly mean: number
  readonly error: number
}

type Loss = (label: number, chance: number) => number

function logLoss(label: number, chance: number): number {
  const inside = Math.max(2 ** -52, Math.min(1 - 2 ** -52, chance))
  return -Math.log(label === 1 ? inside : 1 - inside)
}

function squaredLoss(label: number, chance: number): number {
  return (label - chance) ** 2
}

function compare(label: Float64Array, one: Float64Array, two: Float64Array, loss: Loss): Difference {
  const each = Array.from(label, (y, row) => loss(y, one[row]) - loss(y, two[row]))
  const average = mean(each)
  const variance = mean(each.map(difference => (difference - average) ** 2))
  return { mean: average, error: Math.sqrt(variance / each.length) }
}

function show({ error, mean }: Difference, digits: number): string {
  return `${mean > 0 ? '+' : ''}${mean.toFixed(digits)} (${error.toFixed(digits)})`
}
