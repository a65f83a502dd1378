// What the TypeScript of README and docs takes for granted: a table with the columns that snippets name, a model of it, rows to read. Small:
// a snippet has to run, not to impress.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fit, makeTable, type Row } from '@featureboost/core'
import { makeLendingPopulation } from '../../packages/cli/src/demo/population.ts'

const ROWS = 1500

const { columns } = makeLendingPopulation({ rows: ROWS, seed: 7 })
export const { age, employment, first_loan, income, region, score, defaulted } = columns
export const sex = age.map((_, row) => (row % 3 === 0 ? 'F' : 'M'))
const person = age.map((_, row) => `p${row % 900}`)
const before = score
const after = score.map(each => 0.9 * each + 0.02)

export const table = makeTable({
  age,
  sex,
  income,
  employment,
  region,
  first_loan,
  person,
  before,
  after,
  score,
  defaulted,
})

/** Knows the columns of the README's table alone. */
export const model = await fit(makeTable({ age, sex, income, score, defaulted }), {
  label: 'defaulted',
  prediction: 'score',
})

export async function* readRows(): AsyncGenerator<Row[]> {
  for (let from = 0; from < ROWS; from += 500)
    yield Array.from({ length: 500 }, (_, place) => {
      const row = from + place
      return {
        age: age[row],
        sex: sex[row],
        income: income[row],
        person: person[row],
        score: score[row],
        defaulted: defaulted[row],
      }
    })
}

/** The page of a report, as it is built. */
export const template = readFileSync(
  fileURLToPath(new URL('../../packages/cli/dist/studio/report.html', import.meta.url)),
  'utf8',
)
