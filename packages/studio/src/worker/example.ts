// The built-in example: the made-up lending population of `featureboost demo`.

import { makeTable, type Table } from '@featureboost/core'
import {
  makeLendingPopulation,
  PLANTED_ERRORS,
  type ScoredApplicant,
} from '../../../cli/src/demo/population.ts'

export const EXAMPLE_NAME = 'featureboost-example.csv'

/** As in the demo. */
const POPULATION = { rows: 100_000, seed: 7 }

/** Of each error that was planted: what it is, whether the score is too low or too high there, and 1 for every row of it. */
export interface PlantedRows extends Pick<(typeof PLANTED_ERRORS)[number], 'words' | 'where' | 'scores'> {
  readonly side: 'too low' | 'too high'
  readonly rows: Uint8Array
}

export function plantedRows(): PlantedRows[] {
  const { columns } = makeLendingPopulation(POPULATION)
  const names = Object.keys(columns) as (keyof typeof columns)[]
  const applicants = columns.score.map(
    (_, row) =>
      Object.fromEntries(names.map(name => [name, columns[name][row]])) as unknown as ScoredApplicant,
  )
  return PLANTED_ERRORS.map(({ bias, contains, scores, where, words }) => ({
    ...{ words, where, ...(scores !== undefined && { scores }) },
    side: bias < 0 ? 'too low' : 'too high',
    rows: Uint8Array.from(applicants, applicant => Number(contains(applicant))),
  }))
}

export const exampleTable = (): Table => makeTable(makeLendingPopulation(POPULATION).columns)
