// A column, or one value, brought into the form that a schema has: a date that came as text, a truth value that came as a word. What says
// the same in another form is converted; what says something else is refused, by column and row, and never re-read as another kind.

import { FeatureBoostError } from '../common/errors.ts'
import { type Column, columnLength, isWhollyMissing, showValue, type Value, valueAt } from '../data/column.ts'
import { timesOf } from '../data/infer.ts'
import { joinPlainNumbers, numbersAsCategories, plainNumberText } from '../data/numberNames.ts'
import { daysOf, formatTime, isSameTime, parseTime } from '../data/times.ts'
import type { BooleanSchema, CategoricalSchema, FeatureSchema, NumericSchema } from './schema.ts'

/** Where it is of another kind for good, as it is: the bins of that kind are refused elsewhere. */
export function convertColumn(schema: FeatureSchema, column: Column): Column {
  switch (schema.kind) {
    case 'numeric':
      return schema.time === undefined ? plainNumbers(schema, column) : asTimes(schema, column)
    case 'boolean':
      return asFlags(column)
    case 'categorical':
      return asWords(schema, column)
  }
}

/** Dates are no numbers: whether they were days or seconds, nobody could tell. */
function plainNumbers(schema: NumericSchema, column: Column): Column {
  if (column.kind !== 'numeric' || column.time === undefined || isWhollyMissing(column)) return column
  const row = firstPresent(column)
  throw otherForm(schema, formatTime(column.values[row], column.time), 'numbers', row)
}

function asTimes(schema: NumericSchema, column: Column): Column {
  const time = schema.time!
  if (isWhollyMissing(column)) return column
  if (column.kind === 'numeric') {
    if (column.time !== undefined && isSameTime(column.time, time)) return column
    const row = firstPresent(column)
    const found = column.time === undefined ? column.values[row] : formatTime(column.values[row], column.time)
    throw otherForm(schema, found, wordsFor(schema), row)
  }
  if (column.kind !== 'categorical') return column
  const values = timesOf(column, time, schema.format)
  if (values !== undefined) return { name: column.name, kind: 'numeric', values, time }
  const { categories, codes } = column
  const isTime = categories.map(category => parseTime(category, time, schema.format) !== undefined)
  const row = codes.findIndex(code => code >= 0 && !isTime[code])
  throw otherForm(schema, categories[codes[row]], wordsFor(schema), row)
}

const wordsFor = ({ format, time }: NumericSchema): string =>
  `${TIME_WORDS[time!]}${format === undefined ? '' : `, or as ${format} says`}`

const TIME_WORDS = {
  date: 'dates such as 2024-06-14',
  timestamp: 'moments such as 2024-06-14 12:30:00',
  time: 'times of day such as 12:30:00',
}

/** Words that people and files have for true and false. */
const TRUTH_WORDS: readonly (readonly [no: string, yes: string])[] = [
  ['false', 'true'],
  ['no', 'yes'],
  ['n', 'y'],
  ['f', 't'],
  ['0', '1'],
]

const truthOf = (word: string): number | undefined => {
  const lower = word.trim().toLowerCase()
  for (const [no, yes] of TRUTH_WORDS) if (lower === no || lower === yes) return Number(lower === yes)
  return undefined
}

function asFlags(column: Column): Column {
  const { name } = column
  if (column.kind === 'categorical') {
    const flags = column.categories.map(truthOf)
    if (flags.some(flag => flag === undefined)) return column
    const values = Int8Array.from(column.codes, code => (code < 0 ? -1 : flags[code]!))
    return { name, kind: 'boolean', values }
  }
  if (column.kind !== 'numeric' || column.time !== undefined) return column
  if (!column.values.every(value => value === 0 || value === 1 || Number.isNaN(value))) return column
  const values = Int8Array.from(column.values, value => (Number.isNaN(value) ? -1 : value))
  return { name, kind: 'boolean', values }
}

/** Truth values where the model knows two words for them, "No" and "Yes"; numbers where its categories were numbers. */
function asWords(schema: CategoricalSchema, column: Column): Column {
  if (schema.numbers && column.kind === 'numeric' && column.time === undefined)
    return numbersAsCategories(column)
  if (schema.numbers && column.kind === 'categorical') return joinPlainNumbers(column)
  if (column.kind !== 'boolean') return column
  const words = wordsOf(schema)
  if (words === undefined) return column
  return { name: column.name, kind: 'categorical', codes: Int32Array.from(column.values), categories: words }
}

function wordsOf({ categories, pooled }: CategoricalSchema): [no: string, yes: string] | undefined {
  const known = [...categories, ...pooled]
  const [no, yes] = [0, 1].map(flag => known.filter(word => truthOf(word) === flag))
  return known.length === 2 && no.length === 1 && yes.length === 1 ? [no[0], yes[0]] : undefined
}

/** The same for one value of a row. */
export function convertValue(schema: FeatureSchema, value: Value | Date | undefined): Value | undefined {
  if (value === null || value === undefined || value === '' || Number.isNaN(value)) return null
  switch (schema.kind) {
    case 'numeric':
      return schema.time === undefined ? plainNumber(schema, value) : asTime(schema, value)
    case 'boolean':
      return asFlag(schema, value)
    case 'categorical':
      return asWord(schema, value)
  }
}

function asWord(schema: CategoricalSchema, value: Exclude<Value, null> | Date): Value {
  if (schema.numbers && typeof value === 'number') return String(value)
  if (schema.numbers && typeof value === 'string') return plainNumberText(value)
  const words = typeof value === 'boolean' ? wordsOf(schema) : undefined
  return words === undefined ? (value as Value) : words[Number(value)]
}

function plainNumber(schema: NumericSchema, value: Exclude<Value, null> | Date): Value {
  if (value instanceof Date) throw otherForm(schema, value, 'numbers')
  return value
}

function asTime(schema: NumericSchema, value: Exclude<Value, null> | Date): number {
  const time = schema.time!
  if (value instanceof Date && time !== 'time' && !Number.isNaN(value.getTime()))
    return daysOf(0, value.getTime() * 1000)
  const parsed = typeof value === 'string' ? parseTime(value, time, schema.format) : undefined
  if (parsed === undefined) throw otherForm(schema, value, wordsFor(schema))
  return parsed
}

function asFlag(_schema: BooleanSchema, value: Exclude<Value, null> | Date): Value {
  if (typeof value === 'number' && (value === 0 || value === 1)) return value === 1
  const flag = typeof value === 'string' ? truthOf(value) : undefined
  return flag === undefined ? (value as Value) : flag === 1
}

function firstPresent(column: Column): number {
  for (let row = 0; row < columnLength(column); row++) if (valueAt(column, row) !== null) return row
  return 0
}

function otherForm(
  { name }: FeatureSchema,
  found: unknown,
  expected: string,
  row?: number,
): FeatureBoostError {
  return new FeatureBoostError('FB_COLUMN_KIND', `found ${showValue(found)}.`, {
    column: name,
    ...(row !== undefined && { row: row + 1 }),
    found,
    expected: `${expected}, as when the model was fitted`,
    hint: 'Bring the column into that form first; with the command line, --sql can.',
  })
}
