// The columns of an imported forest: what its trees ask of each becomes cuts and categories, and a test of a node becomes a split.

import { MAX_BINS } from '../model/data.ts'
import {
  type CategoricalSchema,
  type FeatureSchema,
  missingBin,
  type NumericSchema,
} from '../quantize/schema.ts'
import { lowerBound } from '../quantize/search.ts'
import type { Split } from '../update/update.ts'
import type { BoosterTree, NodeTest } from './lightgbm.ts'
import type { Category } from './pythonLiteral.ts'
import { notImportable } from './refuse.ts'

export interface ImportedColumn {
  readonly schema: FeatureSchema
  readonly split: (test: NodeTest, feature: number, path: string) => Split
  /** Does MCGrad tell a missing value from a category it never saw? A model file does not. */
  readonly tellsMissingApart: boolean
}

/** The tests of each feature, of all trees of all rounds. */
export function testsByFeature(trees: readonly BoosterTree[], featureCount: number): NodeTest[][] {
  const tests = Array.from({ length: featureCount }, (): NodeTest[] => [])
  for (const { nodes } of trees) for (const { feature, test } of nodes) tests[feature].push(test)
  return tests
}

const MOST_CUTS = MAX_BINS - 1

export function numericColumn(
  name: string,
  tests: readonly NodeTest[],
  range: readonly [number, number] | undefined,
): ImportedColumn {
  const thresholds = tests.map(test => {
    if (test.kind === 'atMost') return test.threshold
    throw notImportable(`column "${name}"`, 'a numerical column is asked for categories')
  })
  // Adding 0 makes -0 the cut 0.
  const cuts = [...new Set(thresholds.map(threshold => threshold + 0))].sort((a, b) => a - b)
  if (cuts.length > MOST_CUTS)
    throw notImportable(
      `column "${name}"`,
      `its trees cut it at ${cuts.length} places, and a column of a model file has at most ${MOST_CUTS} cuts`,
      'Fit with max_bin 255 or less and all rounds on the same rows, which cut alike; or leave the column out.',
    )
  const schema: NumericSchema = {
    name,
    kind: 'numeric',
    // A column that no tree asks for does not tell.
    missing: tests.length === 0 || tests.some(test => test.kind === 'atMost' && test.minds),
    cuts,
    coarse: [],
    ...(range !== undefined && { range }),
  }
  const split = (test: NodeTest, feature: number): Split => {
    const { missing, threshold } = test as Extract<NodeTest, { kind: 'atMost' }>
    return { kind: 'atMost', feature, bin: lowerBound(cuts, threshold), missing }
  }
  return { schema, split, tellsMissingApart: false }
}

/** As many bins as a column may have values. */
const MOST_CATEGORIES = MAX_BINS

/** `codes`: of each category. Without them the column holds the codes themselves, as whole numbers. */
export function categoricalColumn(
  name: string,
  tests: readonly NodeTest[],
  codes: ReadonlyMap<Category, number> | undefined,
): ImportedColumn {
  const place = `column "${name}"`
  const asked = new Set(
    tests.flatMap(test => {
      if (test.kind === 'in') return test.codes
      throw notImportable(place, 'a categorical column is asked for an order')
    }),
  )
  const given = codes ?? new Map([...asked].map(code => [code as Category, code]))
  const missingCode = given.get(null)
  const takesMissing = (test: NodeTest): boolean =>
    test.kind === 'in' && missingCode !== undefined && test.codes.includes(missingCode)
  const values = [...given].flatMap(([category, code]) =>
    category === null ? [] : [[category, code] as const],
  )
  const schema = schemaOf({ name, missing: codes === undefined || missingCode !== undefined }, values, asked)
  const bins = binsByCode(schema, values)
  const split = (test: NodeTest, feature: number): Split => {
    const wanted = (test as Extract<NodeTest, { kind: 'in' }>).codes.flatMap(code => bins.get(code) ?? [])
    if (takesMissing(test)) wanted.push(missingBin(schema))
    return { kind: 'in', feature, bins: [...new Set(wanted)].sort((a, b) => a - b) }
  }
  return { schema, split, tellsMissingApart: tests.some(takesMissing) }
}

type Coded = readonly (readonly [category: Exclude<Category, null>, code: number])[]

/** Where there are too many categories, those that no tree asks for share the bin of the pooled ones. */
function schemaOf(
  head: { readonly name: string; readonly missing: boolean },
  values: Coded,
  asked: ReadonlySet<number>,
): FeatureSchema {
  const place = `column "${head.name}"`
  const kinds = new Set(values.map(([category]) => typeof category))
  if (kinds.size > 1)
    throw notImportable(place, `its categories are of several kinds: ${[...kinds].join(', ')}`)
  if (kinds.has('boolean')) return { ...head, kind: 'boolean' }
  const isCrowded = values.length > MOST_CATEGORIES
  const texts = (own: boolean) =>
    values
      .flatMap(([category, code]) => ((!isCrowded || asked.has(code)) === own ? [String(category)] : []))
      .sort(byCodeUnits)
  const categories = texts(true)
  const pooled = texts(false)
  if (categories.length + (isCrowded ? 1 : 0) > MOST_CATEGORIES)
    throw notImportable(
      place,
      `its trees tell ${categories.length} categories apart, and a column of a model file has room for ${MOST_CATEGORIES - 1}`,
      'Join rare categories before you fit, or leave the column out.',
    )
  const schema: CategoricalSchema = { ...head, kind: 'categorical', categories, pooled, coarse: [] }
  return kinds.has('number') ? { ...schema, numbers: true } : schema
}

function binsByCode(schema: FeatureSchema, values: Coded): Map<number, number> {
  const bins = values.flatMap(([category, code]): [number, number][] => {
    if (schema.kind === 'boolean') return [[code, category === true ? 1 : 0]]
    if (schema.kind !== 'categorical') return []
    const bin = schema.categories.indexOf(String(category))
    return bin < 0 ? [] : [[code, bin]]
  })
  return new Map(bins)
}

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
