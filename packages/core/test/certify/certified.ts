// What tests of certificates fit: a small population, some auditors, and the certificate of a fit.

import { valueAt } from '../../src/data/column.ts'
import { type Certificate, type FitOptions, fit, functions, groups, type Table } from '../../src/index.ts'
import { makePopulation } from '../fit/population.ts'

export const table = makePopulation()
export const base: FitOptions = {
  label: 'y',
  prediction: 'score',
  except: ['fold'],
  // Its columns have few values: equal rows are different ones.
  copies: 'independent',
  method: 'rounds',
  stop: 'certificate',
  epsilon: 0.2,
}

/** The values of a column, as they were given. */
export const columnOf = (from: Table, name: string) =>
  Array.from({ length: from.rowCount }, (_, row) =>
    valueAt(from.columns.find(each => each.name === name)!, row),
  )

export const certificateOf = async (options: Partial<FitOptions>): Promise<Certificate> =>
  (await fit(table, { ...base, ...options })).certificate

export const declared = groups(['region', { column: 'age', below: 22 }])
export const young = functions({ young: row => (row.age !== null && Number(row.age) < 22 ? 1 : -1) })
export const youngInBins = functions(
  { young: row => (row.age !== null && Number(row.age) < 22 ? 1 : -1) },
  { valueBins: 2 },
)
