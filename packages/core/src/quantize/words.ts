// A column of a model in words: what its values are, and which of them the rows of the fit had.

import { formatCount, joinWords } from '../common/text.ts'
import { formatTime, type TimeKind } from '../data/times.ts'
import type { CategoricalSchema, FeatureSchema, NumericSchema } from './schema.ts'

/** "whole numbers 17 to 90, some missing". */
export const describeColumn = (schema: FeatureSchema): string =>
  `${describeValues(schema)}, ${schema.missing ? 'some' : 'none'} missing`

function describeValues(schema: FeatureSchema): string {
  switch (schema.kind) {
    case 'numeric':
      return describeNumbers(schema)
    case 'categorical':
      return describeCategories(schema)
    case 'boolean':
      return 'true or false'
  }
}

const TIMES: Readonly<Record<TimeKind, string>> = {
  date: 'dates',
  timestamp: 'moments',
  time: 'times of day',
}

function describeNumbers(schema: NumericSchema): string {
  const { format, range, time, whole } = schema
  const kind = time === undefined ? (whole ? 'whole numbers' : 'numbers') : TIMES[time]
  const always = range !== undefined && range[0] === range[1] ? ', always' : ''
  const values = range === undefined ? '' : `${always} ${rangeWords(schema, range)}`
  return `${kind}${values}${format === undefined ? '' : `, written as ${format}`}`
}

/** "17 to 90"; dates as dates. */
export function rangeWords({ time }: NumericSchema, [low, high]: readonly [number, number]): string {
  const words = (value: number) => (time === undefined ? String(value) : formatTime(value, time))
  return low === high ? words(low) : `${words(low)} to ${words(high)}`
}

const NAMED = 6

function describeCategories({ categories, pooled }: CategoricalSchema): string {
  const count = categories.length + pooled.length
  if (count === 0) return 'text'
  const shown = count > NAMED ? categories.slice(0, NAMED - 1) : [...categories, ...pooled]
  const rest = count - shown.length
  const list = joinWords(rest === 0 ? shown : [...shown, `${formatCount(rest)} more`])
  const rare = pooled.length === 0 ? '' : `, ${formatCount(pooled.length)} of them rare and taken together`
  return `${formatCount(count)} ${count === 1 ? 'category' : 'categories'}${rare}: ${list}`
}
