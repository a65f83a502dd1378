// Words that people have for outcomes, scores and categories, brought into the form that everything else works on: a label of "good" and
// "bad" becomes 1 and 0, a score in percent a probability, a column of numbers that are names becomes categories. Done once, before
// anything else looks at the rows, so that the same rows give the same model whatever they were written in.

import { FeatureBoostError } from '../common/errors.ts'
import { didYouMean } from '../common/nearest.ts'
import { formatCount } from '../common/text.ts'
import {
  type BooleanColumn,
  type Column,
  gatherColumn,
  type NumericColumn,
  showValue,
  valueAt,
} from './column.ts'
import { checkRows } from './given.ts'
import { asCategories } from './numberNames.ts'
import { asProbabilities, type ScoreScale } from './scoreScale.ts'
import { isSource, type TableSource } from './source.ts'
import { findColumn, type Table } from './table.ts'

export interface Wording {
  readonly label?: string
  /** The columns that hold scores. */
  readonly scores?: readonly string[]
  /** The value of the label that counts as 1; all others count as 0. */
  readonly positive?: string | undefined
  readonly scoreScale?: ScoreScale | undefined
  /** Columns whose numbers are names. */
  readonly categorical?: readonly string[] | undefined
  readonly dropMissingLabels?: boolean | undefined
  /** Rows none of which counts as 1 are no mistake, as in a small batch. */
  readonly mayLackPositive?: boolean
}

/** Options that say how label, score and features are written. */
export const WORD_OPTIONS = ['positive', 'scoreScale', 'categorical', 'dropMissingLabels'] as const
export type WordOption = (typeof WORD_OPTIONS)[number]

/** The four options of everything that reads rows, and who hears what was made of them. */
export interface WordingOptions extends Omit<Wording, 'label' | 'scores'> {
  readonly label?: string | undefined
  readonly prediction?: string | undefined
  readonly onWarning?: ((sentence: string) => void) | undefined
}

/** Rows with their words read as the options say. */
export function readWords<T extends object>(
  rows: T | Table | TableSource,
  { label, prediction, onWarning, ...words }: WordingOptions,
): T | Table | TableSource {
  const scores = prediction === undefined ? [] : [prediction]
  return readWording(rows, { ...words, scores, ...(label !== undefined && { label }) }, onWarning)
}

/** The same rows, read. What was left out, and what counts as 0, is told once. */
export function readWording<T extends object>(
  given: T | Table | TableSource,
  wording: Wording,
  tell: (sentence: string) => void = () => {},
): T | Table | TableSource {
  const rows = checkRows(given)
  if (isPlain(wording)) return rows
  if ('columns' in rows) {
    const reader = new WordReader(wording)
    const read = reader.read(rows as Table)
    reader.end(tell)
    return read
  }
  if (!('chunks' in rows && isSource(rows as Table | TableSource))) throw ownReading(wording)
  const source = rows as TableSource
  let isTold = false
  return {
    async *chunks() {
      const reader = new WordReader(wording)
      for await (const chunk of source.chunks()) yield reader.read(chunk)
      reader.end(isTold ? () => {} : tell)
      isTold = true
    },
  }
}

const isPlain = ({ categorical = [], dropMissingLabels, positive, scoreScale }: Wording): boolean =>
  categorical.length === 0 &&
  dropMissingLabels !== true &&
  positive === undefined &&
  (scoreScale ?? 'probability') === 'probability'

/** One reading of all tables, one after the other. */
class WordReader {
  readonly #wording: Wording
  #rowCount = 0
  #dropped = 0
  #labelled = 0
  #positives = 0
  readonly #others = new Set<string>()

  constructor(wording: Wording) {
    this.#wording = wording
  }

  read(given: Table): Table {
    const before = this.#rowCount
    this.#rowCount += given.rowCount
    this.#checkNames(given)
    const table = this.#wording.dropMissingLabels === true ? this.#withLabels(given) : given
    return { ...table, columns: table.columns.map(column => this.#readColumn(column, before)) }
  }

  end(tell: (sentence: string) => void): void {
    const { label, mayLackPositive = false, positive } = this.#wording
    if (positive !== undefined && this.#labelled > 0 && this.#positives === 0 && !mayLackPositive)
      throw noPositive(label!, positive, [...this.#others].sort())
    if (this.#dropped > 0) tell(droppedSentence(label!, this.#dropped, this.#rowCount))
    if (positive !== undefined && this.#others.size > 1)
      tell(
        `Column "${label}": ${showValue(positive)} counts as 1, every other value as 0: ${someOf([...this.#others].sort())}.`,
      )
  }

  #checkNames(table: Table): void {
    const { categorical = [], label, scores = [] } = this.#wording
    for (const name of categorical) {
      findColumn(table, name, 'categorical')
      const role = name === label ? 'label' : scores.includes(name) ? 'prediction' : undefined
      if (role === undefined) continue
      throw new FeatureBoostError('FB_COLUMN_TWICE', `is named as ${role} and as categorical.`, {
        column: name,
        expected: 'categories among the features',
      })
    }
  }

  #withLabels(table: Table): Table {
    const column = table.columns.find(({ name }) => name === this.#wording.label)
    if (column === undefined) return table
    const rows = Int32Array.from({ length: table.rowCount }, (_, row) => row).filter(
      row => valueAt(column, row) !== null,
    )
    if (rows.length === table.rowCount) return table
    this.#dropped += table.rowCount - rows.length
    return { rowCount: rows.length, columns: table.columns.map(each => gatherColumn(each, rows)) }
  }

  #readColumn(column: Column, before: number): Column {
    const { categorical = [], label, positive, scoreScale = 'probability', scores = [] } = this.#wording
    const { name } = column
    if (name === label && positive !== undefined) return this.#readLabel(column, positive)
    if (scores.includes(name)) return asProbabilities(column, scoreScale, before)
    return categorical.includes(name) ? asCategories(column) : column
  }

  #readLabel(column: Column, positive: string): NumericColumn {
    const { others, values } = matchWord(column, positive)
    for (const value of values) {
      if (Number.isNaN(value)) continue
      this.#labelled++
      this.#positives += value
    }
    for (const other of others) if (this.#others.size < MOST_OTHERS) this.#others.add(other)
    return { name: column.name, kind: 'numeric', values }
  }
}

/** Values that are remembered to be named. */
const MOST_OTHERS = 1000

export const droppedSentence = (label: string, dropped: number, rowCount: number): string =>
  `${formatCount(dropped)} of ${formatCount(rowCount)} rows have no label in "${label}" and are left out; rows are counted without them.`

/** 1 where the column holds the word, as text, as a number or as a truth value, else 0; and what else it holds. */
function matchWord(column: Column, positive: string): { values: Float64Array; others: Iterable<string> } {
  if (column.kind === 'categorical') {
    const { categories, codes } = column
    const isWord = categories.map(category => Number(category === positive))
    const values = Float64Array.from(codes, code => (code < 0 ? Number.NaN : isWord[code]))
    return { values, others: categories.filter(category => category !== positive) }
  }
  const wanted = wantedNumber(column, positive)
  const others = new Set<string>()
  const values = Float64Array.from(column.values, (_, row) => {
    const value = valueAt(column, row)
    if (value === null) return Number.NaN
    if (Number(value) === wanted) return 1
    if (others.size < MOST_OTHERS) others.add(String(value))
    return 0
  })
  return { values, others }
}

function wantedNumber(column: NumericColumn | BooleanColumn, positive: string): number {
  const truths = ['false', 'true']
  const wanted =
    column.kind === 'boolean'
      ? truths.indexOf(positive.toLowerCase())
      : positive.trim() === ''
        ? Number.NaN
        : Number(positive)
  if (wanted >= 0 || (column.kind === 'numeric' && !Number.isNaN(wanted))) return wanted
  const holds = column.kind === 'boolean' ? 'truth values' : 'numbers'
  throw new FeatureBoostError(
    'FB_OPTION_VALUE',
    `the label holds ${holds}, and ${showValue(positive)} is none.`,
    {
      column: column.name,
      found: positive,
      expected:
        column.kind === 'boolean' ? 'true or false as the positive value' : 'a number as the positive value',
    },
  )
}

function noPositive(column: string, positive: string, others: readonly string[]): FeatureBoostError {
  return new FeatureBoostError(
    'FB_LABEL_CONSTANT',
    `no label is ${showValue(positive)}, so every label would be 0.`,
    {
      column,
      found: positive,
      expected: `one of the labels, ${someOf(others)}`,
      hint: didYouMean(positive, others),
    },
  )
}

const someOf = (texts: readonly string[], most = 5): string =>
  `${texts.slice(0, most).map(showValue).join(', ')}${texts.length > most ? ', ...' : ''}`

function ownReading({
  categorical = [],
  dropMissingLabels,
  positive,
  scoreScale,
}: Wording): FeatureBoostError {
  const given = {
    positive: positive !== undefined,
    scoreScale: scoreScale !== undefined,
    categorical: categorical.length > 0,
    dropMissingLabels,
  }
  const [name] = Object.entries(given).find(([, isGiven]) => isGiven)!
  return new FeatureBoostError(
    'FB_OPTION_VALUE',
    `rows that stay where they are cannot be read with "${name}".`,
    {
      expected: 'a table, or rows in chunks',
      hint: 'Convert the column where the rows are.',
    },
  )
}
