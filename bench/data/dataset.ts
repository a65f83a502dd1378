// The data sets of the benches: finds the file, reads it, and tells numbers from categories.

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCsv } from './csv.ts'

/** A column is all numbers or all text, with null where a value is missing. */
export type Column = (number | string | null)[]

export interface Dataset {
  readonly name: string
  readonly rowCount: number
  /** Every column of the file, in its order, with the label. */
  readonly columns: Record<string, Column>
  /** The name of the label's column, which holds 0 and 1. */
  readonly label: 'label'
}

export interface DatasetOptions {
  /** Columns to keep as text although every value is a number, such as codes. */
  readonly categorical?: readonly string[]
}

export function loadDataset(name: string, options: DatasetOptions = {}): Dataset {
  const text = readCsv(findDataset(name))
  if (text.label === undefined) throw new Error(`Data set "${name}" has no column "label".`)
  const columns: Record<string, Column> = {}
  for (const [column, values] of Object.entries(text)) {
    columns[column] = options.categorical?.includes(column) ? values : inferColumn(values)
  }
  return { name, rowCount: text.label.length, columns, label: 'label' }
}

/** Numbers if every present value is a finite number, text otherwise. */
export function inferColumn(values: readonly (string | null)[]): Column {
  const numbers: (number | null)[] = []
  for (const value of values) {
    const number = value === null ? null : Number(value)
    if (number !== null && (!Number.isFinite(number) || value!.trim() === '')) return [...values]
    numbers.push(number)
  }
  return numbers
}

const FILE_END = '.csv.gz'

/** The path of its file. */
export function findDataset(name: string): string {
  const folder = dataFolder()
  const path = join(folder, name + FILE_END)
  if (existsSync(path)) return path
  const names = existsSync(folder) ? readdirSync(folder).filter(file => file.endsWith(FILE_END)) : []
  const found = names.length > 0 ? `It holds ${names.sort().join(', ')}.` : 'It holds no data set.'
  throw new Error(
    `Data set "${name}": there is no file ${name}${FILE_END} in ${folder}. ${found} ` +
      'Set FEATUREBOOST_DATA to the folder that holds the gzipped CSV files.',
  )
}

const dataFolder = (): string =>
  process.env.FEATUREBOOST_DATA || fileURLToPath(new URL('../../../shared/data', import.meta.url))
