// Protected groups: every value of some columns, and every overlap of such values.

import { FeatureBoostError } from '../common/errors.ts'
import { didYouMean } from '../common/nearest.ts'
import { formatCount } from '../common/text.ts'
import { type FeatureSchema, missingBin } from '../quantize/schema.ts'
import { type Group, nameGroup, rangeGroups, valueGroups } from './groups.ts'

/** A number becomes so many ranges of about as many rows each, at most. */
const RANGES = 5

/** More would be nobody's to read, and each takes a pass over the rows. */
const MAX_PROTECTED = 1024

/** Values of one column come first, then overlaps of two columns, of three, and so on. */
export function protectedGroups(columns: readonly string[], features: readonly FeatureSchema[]): Group[] {
  const names = features.map(({ name }) => name)
  const unknown = columns.find(column => !names.includes(column))
  if (unknown !== undefined) throw notThere(unknown, names)
  const values = [...new Set(columns)].map(name => valuesOf(names.indexOf(name), features))
  const count = values.reduce((product, { length }) => product * (length + 1), 1) - 1
  if (count > MAX_PROTECTED) throw tooMany(columns, count)
  const overlaps: (readonly Group[])[] = [[]]
  for (const column of values)
    overlaps.push(...overlaps.flatMap(groups => column.map(value => [...groups, value])))
  return overlaps
    .filter(groups => groups.length > 0)
    .toSorted((a, b) => a.length - b.length)
    .map(groups => (groups.length === 1 ? groups[0] : nameGroup(pathOf(groups), features)))
}

/** Every category has a group of its own, but for rare ones, which share one. */
function valuesOf(feature: number, features: readonly FeatureSchema[]): Group[] {
  const schema = features[feature]
  if (schema.kind === 'numeric') return rangeGroups(feature, fewCuts(schema.coarse, RANGES - 1), features)
  const bins = Array.from({ length: missingBin(schema) }, (_, bin) => [bin])
  return valueGroups(feature, bins, features)
}

/** Evenly spaced among them: cuts are quantiles. */
const fewCuts = (cuts: readonly number[], most: number): readonly number[] =>
  cuts.length <= most
    ? cuts
    : Array.from({ length: most }, (_, at) => cuts[Math.floor(((at + 1) * cuts.length) / (most + 1))])

const pathOf = (groups: readonly Group[]) => groups.flatMap(({ path }) => path)

const notThere = (column: string, names: readonly string[]) =>
  new FeatureBoostError(
    'FB_COLUMN_UNKNOWN',
    'it is to be protected, and is not among the columns that are looked at.',
    {
      column,
      hint: `${didYouMean(column, names)} A column that is left out of a fit can be protected in an audit of its model.`,
    },
  )

const tooMany = (columns: readonly string[], count: number) =>
  new FeatureBoostError(
    'FB_OPTION_VALUE',
    `the protected columns have ${formatCount(count)} groups, overlaps included.`,
    {
      found: columns,
      expected: `at most ${formatCount(MAX_PROTECTED)}`,
      hint: 'Protect fewer columns, or columns with fewer values.',
    },
  )
