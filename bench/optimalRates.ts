// What the predictor with the optimal rate (bench/optimalRates/onlineLearner.ts) does at sizes that people have: its worst K1 over groups
// and its Brier score on new rows, beside those of the given score and of the default of `fit`, on the made-up loans.
//
//   npx tsx bench/optimalRates.ts [--rows 2000,10000,50000] [--bins 20] [--states 100] [--new 40000]
//
// K1 of the randomized predictor is that of its draws, in expectation; of the others that of their scores rounded to the same values.
// Groups are everyone, every employment, region and kind of loan, four ages, and ten ranges of the given score, which is all that it
// sees of the score.

import { parseArgs } from 'node:util'
import { fit, makeTable } from '@featureboost/core'
import { type LendingPopulation, makeLendingPopulation } from '../packages/cli/src/demo/population.ts'
import { layoutTable } from '../packages/cli/src/terminal/layout.ts'
import { chancesFor, learnStates } from './optimalRates/onlineLearner.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '2000,10000,50000' },
    bins: { type: 'string', default: '20' },
    states: { type: 'string', default: '100' },
    new: { type: 'string', default: '40000' },
  },
})
const [bins, states] = [Number(values.bins), Number(values.states)]
const fresh = makeLendingPopulation({ rows: Number(values.new), seed: 99 })

/** Names of the groups that a row is in. */
function namesOf({ columns }: LendingPopulation, row: number): string[] {
  const { age, employment, first_loan, region, score } = columns
  return [
    'everyone',
    `employment ${employment[row]}`,
    `region ${region[row]}`,
    `first loan ${first_loan[row]}`,
    `age ${[30, 42, 54].filter(cut => age[row] > cut).length}`,
    `score ${Math.min(9, Math.floor(10 * score[row]))}`,
  ]
}

const numbers = new Map<string, number>()
const groupsOf = (population: LendingPopulation): number[][] =>
  population.truth.map((_, row) =>
    namesOf(population, row).map(name => {
      if (!numbers.has(name)) numbers.set(name, numbers.size)
      return numbers.get(name)!
    }),
  )

/** Worst K1 and Brier score of predictions that are drawn from chances of the values 0, 1/K, ..., 1. */
function judge(
  groups: readonly number[][],
  labels: readonly number[],
  chancesOf: (row: number) => Float64Array,
) {
  const cells = new Float64Array(numbers.size * (bins + 1))
  let brier = 0
  for (const [row, label] of labels.entries()) {
    chancesOf(row).forEach((chance, value) => {
      if (chance === 0) return
      const residual = label - value / bins
      brier += chance * residual ** 2
      for (const group of groups[row]) cells[group * (bins + 1) + value] += chance * residual
    })
  }
  const errors = [...numbers.values()].map(group =>
    cells
      .subarray(group * (bins + 1), (group + 1) * (bins + 1))
      .reduce((sum, cell) => sum + Math.abs(cell), 0),
  )
  return { worst: Math.max(...errors) / labels.length, brier: brier / labels.length }
}

const point = (score: number): Float64Array => {
  const chances = new Float64Array(bins + 1)
  chances[Math.round(score * bins)] = 1
  return chances
}

const freshGroups = groupsOf(fresh)
const labels = fresh.columns.defaulted
const lines: string[][] = []
const add = (name: string, rows: string, { brier, worst }: ReturnType<typeof judge>) => {
  lines.push([name, rows, worst.toFixed(4), brier.toFixed(4)])
  console.error(lines.at(-1)!.join('  '))
}
add(
  'the given score',
  '',
  judge(freshGroups, labels, row => point(fresh.columns.score[row])),
)
for (const rows of values.rows.split(',').map(Number)) {
  const population = makeLendingPopulation({ rows, seed: 7 })
  const learned = groupsOf(population)
  const given = { rowCount: rows, groupsOf: learned, groupCount: numbers.size }
  const kept = learnStates(given, population.columns.defaulted, bins, states)
  // Rows of the same groups have the same chances.
  const known = new Map<string, Float64Array>()
  const chancesOf = (row: number) => {
    const key = freshGroups[row].join()
    const chances = known.get(key) ?? chancesFor(kept, freshGroups[row], bins)
    known.set(key, chances)
    return chances
  }
  add('online-to-batch, its draws', rows.toLocaleString('en-US'), judge(freshGroups, labels, chancesOf))
  const mean = (row: number) =>
    chancesOf(row).reduce((sum, chance, value) => sum + (chance * value) / bins, 0)
  add(
    'the mean of its draws',
    rows.toLocaleString('en-US'),
    judge(freshGroups, labels, row => point(mean(row))),
  )
  const model = await fit(makeTable(population.columns), { label: 'defaulted', prediction: 'score' })
  const corrected = model.predict(makeTable(fresh.columns))
  add(
    'fit, the default',
    rows.toLocaleString('en-US'),
    judge(freshGroups, labels, row => point(corrected[row])),
  )
}
console.log(layoutTable(['predictor', 'rows', 'worst K1 on new rows', 'Brier'], lines))
