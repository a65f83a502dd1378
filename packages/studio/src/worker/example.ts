// The built-in example: the made-up lending population of `featureboost demo`.

import { makeTable, type Table } from '@featureboost/core'
import { makeLendingPopulation } from '../../../cli/src/demo/population.ts'

export const EXAMPLE_NAME = 'featureboost-example.csv'

/** As in the demo. */
const POPULATION = { rows: 100_000, seed: 7 }

export const exampleTable = (): Table => makeTable(makeLendingPopulation(POPULATION).columns)
