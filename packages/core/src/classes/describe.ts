// Splits, leaves and updates in words a person understands:
// "age < 25 and sex = F, at scores 0.3 to 0.4: +0.021".

import { nextUp } from '../common/doubles.ts'
import { formatCount, formatMove, formatNumber, formatPlain, joinWords } from '../common/text.ts'
import { fromUnits } from '../common/units.ts'
import type { TimeKind } from '../data/times.ts'
import type { Encoding } from '../quantize/encoding.ts'
import {
  type BooleanSchema,
  binCount,
  type CategoricalSchema,
  type FeatureSchema,
  type NumericSchema,
} from '../quantize/schema.ts'
import {
  binTakesYes,
  type Condition,
  type CurveUpdate,
  type FeatureSplit,
  type ForestUpdate,
  isLeaf,
  leafPaths,
  type PolynomialUpdate,
  type Split,
  type TableUpdate,
  type Tree,
  type Update,
} from '../update/update.ts'
import { timeBound, type WholeBounds, wholeBounds } from './bounds.ts'

interface FeatureCondition {
  readonly split: FeatureSplit
  readonly yes: boolean
}

/**
 * How conditions on numbers are written. "exact": as they are tested, in whatever digits that takes. "plain": as people write them, where
 * the rows leave no doubt which are meant; where and sql say what is tested.
 */
type Writing = 'exact' | 'plain'

/** A conjunction of conditions; the empty one is "everyone". */
export function describePath(
  path: readonly Condition[],
  features: readonly FeatureSchema[],
  writing: Writing = 'exact',
): string {
  const tested = new Map<number, FeatureCondition[]>()
  const onScore: Condition[] = []
  for (const condition of path) {
    const { split, yes } = condition
    if (split.kind === 'below') onScore.push(condition)
    else tested.set(split.feature, [...(tested.get(split.feature) ?? []), { split, yes }])
  }
  const words = [...tested].map(([feature, conditions]) =>
    describeFeature(features[feature], conditions, writing),
  )
  if (onScore.length > 0) words.push(describeScores(onScore))
  return words.length === 0 ? 'everyone' : joinWords(words)
}

/** All conditions on one feature at once: the bins that pass every one of them, said as briefly as possible. */
function describeFeature(
  feature: FeatureSchema,
  conditions: readonly FeatureCondition[],
  writing: Writing,
): string {
  const missing = binCount(feature) - 1
  const passing: number[] = []
  for (let bin = 0; bin <= missing; bin++) {
    if (conditions.every(({ split, yes }) => binTakesYes(split, bin, missing) === yes)) passing.push(bin)
  }
  const values = passing.filter(bin => bin !== missing)
  const withMissing = values.length < passing.length
  if (values.length === 0) return withMissing ? `${feature.name} is missing` : `no ${feature.name}`
  if (values.length === missing) return withMissing ? `any ${feature.name}` : `${feature.name} is known`
  const words =
    feature.kind === 'numeric' ? describeRange(feature, values, writing) : describeValues(feature, values)
  return withMissing && feature.missing ? `(${words} or missing)` : words
}

/** Conditions on a number leave a run of neighbouring bins. */
function describeRange(
  feature: FeatureSchema & { kind: 'numeric' },
  bins: readonly number[],
  writing: Writing,
): string {
  const { cuts, name, time } = feature
  const first = bins[0]
  const last = bins[bins.length - 1]
  const bounds = wholeBounds(feature, bins)
  if (bounds !== undefined)
    return describeWhole(name, writing === 'plain' ? snap(bounds, feature) : bounds, writing)
  const wordsOf = (cut: number) => (time === undefined ? cutWords(cut, writing) : timeWords(cut, time))
  const low = first === 0 ? undefined : wordsOf(cuts[first - 1])
  const high = last === cuts.length ? undefined : wordsOf(cuts[last])
  if (low === undefined) return `${name} ${high!.below}`
  return high === undefined ? `${name} ${low.above}` : `${low.from} ${name} ${high.below}`
}

const describeWhole = (name: string, { low, high }: WholeBounds, writing: Writing): string => {
  const number = (value: number) => writeNumber(value, writing)
  if (low === undefined) return `${name} <= ${number(high!)}`
  if (high === undefined) return `${name} >= ${number(low)}`
  return low === high ? `${name} = ${number(low)}` : `${number(low)} <= ${name} <= ${number(high)}`
}

/** An open end of which the rows hold one value only is that value: of 1 and 2, those up to 1 are 1. */
function snap(bounds: WholeBounds, { range }: NumericSchema): WholeBounds {
  const { high, low } = bounds
  const [first, last] = range ?? []
  if (low === undefined && high !== undefined && high === first) return { low: high, high }
  return high === undefined && low !== undefined && low === last ? { low, high: low } : bounds
}

/** Years and codes stay as they are; longer numbers get their commas. */
const writeNumber = (value: number, writing: Writing): string =>
  writing === 'plain' && Math.abs(value) >= 10_000 ? formatPlain(value, 15) : String(value)

/** A cut just below a shorter number stands for "less than" that number. */
function cutWords(cut: number, writing: Writing): { below: string; above: string; from: string } {
  const next = nextUp(cut)
  const number = (value: number) => writeNumber(value, writing)
  return String(next).length < String(cut).length
    ? { below: `< ${number(next)}`, above: `>= ${number(next)}`, from: `${number(next)} <=` }
    : { below: `<= ${number(cut)}`, above: `> ${number(cut)}`, from: `${number(cut)} <` }
}

function timeWords(cut: number, time: TimeKind): { below: string; above: string; from: string } {
  const words = timeBound(cut, time)
  return { below: `<= ${words}`, above: `> ${words}`, from: `${words} <` }
}

function describeValues(feature: CategoricalSchema | BooleanSchema, bins: readonly number[]): string {
  const all = binCount(feature) - 1
  const others = Array.from({ length: all }, (_, bin) => bin).filter(bin => !bins.includes(bin))
  const negated = others.length < bins.length
  const named = (negated ? others : bins).map(bin => binName(feature, bin))
  const list = joinWords(named.length > 6 ? [...named.slice(0, 5), `${named.length - 5} more`] : named, 'or')
  if (named.length === 1) return `${feature.name} ${negated ? 'is not' : '='} ${list}`
  return `${feature.name} is ${negated ? 'not ' : ''}${list}`
}

function binName(feature: CategoricalSchema | BooleanSchema, bin: number): string {
  if (feature.kind === 'boolean') return bin === 1 ? 'true' : 'false'
  return feature.categories[bin] ?? 'a rare value'
}

/** All conditions on the score at once: the narrowest bound on either side. */
function describeScores(conditions: readonly Condition[]): string {
  const bounds = (side: boolean) =>
    conditions.flatMap(({ split, yes }) => (split.kind === 'below' && yes === side ? [split.units] : []))
  const [above, below] = [bounds(false), bounds(true)]
  const low = above.length === 0 ? undefined : formatNumber(fromUnits(Math.max(...above)))
  const high = below.length === 0 ? undefined : formatNumber(fromUnits(Math.min(...below)))
  if (low === undefined) return `score < ${high}`
  return high === undefined ? `score >= ${low}` : `${low} <= score < ${high}`
}

/** The scores of level S among K: "at scores 0.3 to 0.4"; nothing to say when there is one level. */
export function describeLevel(level: number, levels: number): string {
  if (levels === 1) return ''
  return `, at scores ${formatNumber(level / levels)} to ${formatNumber((level + 1) / levels)}`
}

/** The same as people write it: a name that was made of conditions is made anew, one that was given stays. */
export function plainWords(
  { path, words }: { readonly path: readonly Condition[]; readonly words?: string },
  features: readonly FeatureSchema[],
): string {
  const isGiven = words !== undefined && words !== describePath(path, features)
  return isGiven ? words : describePath(path, features, 'plain')
}

/** The scores of level S among K in percent: "at scores of 30 to 40 %". */
export function plainLevel(level: number, levels: number): string {
  if (levels === 1) return ''
  const percent = (at: number) => formatNumber((100 * at) / levels)
  return `, at scores of ${percent(level)} to ${percent(level + 1)} %`
}

/** Every leaf in words; a leaf that is reached in several ways is what the others leave over. */
export function describeLeaves(
  update: Pick<TableUpdate, 'tree'>,
  features: readonly FeatureSchema[],
): string[] {
  const words: string[] = []
  for (const { leaf, path } of leafPaths(update.tree)) {
    words[leaf] = words[leaf] === undefined ? describePath(path, features) : 'everyone else'
  }
  return words
}

/** The cell that moves most, in words, and how many more cells move. */
export function describeUpdate(update: Update, encoding: Encoding, importance?: ArrayLike<number>): string {
  if (update.kind === 'linear') return describeLinear(update, encoding)
  if (update.kind === 'forest') return describeForest(update, encoding)
  if (update.kind === 'curve') return describeCurve(update)
  if (update.kind === 'polynomial') return describePolynomial(update, encoding)
  const { levels, values } = update
  const rank = (cell: number) => (importance === undefined ? Math.abs(values[cell]) : importance[cell])
  let best = 0
  let moving = 0
  values.forEach((value, cell) => {
    if (value !== 0) moving++
    if (rank(cell) > rank(best)) best = cell
  })
  const leaves = describeLeaves(update, encoding.features)
  const words = `${leaves[Math.floor(best / levels)]}${describeLevel(best % levels, levels)}`
  const more = moving > 1 ? ` (and ${moving - 1} more cell${moving > 2 ? 's' : ''})` : ''
  return `${words}: ${formatMove(fromUnits(values[best]))}${more}`
}

/** How large it is, and what its splits ask about most often; without splits, what it does to everyone. */
function describeForest({ link, scale, trees }: ForestUpdate, encoding: Encoding): string {
  const [moved, place] =
    link === 'identity' ? ['score', 'on the scale of the score'] : ['logit', 'on the logit scale']
  const factor = scale === undefined ? undefined : `times ${formatNumber(fromUnits(scale), 4)}`
  if (trees.every(({ tree }) => isLeaf(tree))) {
    const step = trees.reduce((sum, { steps }) => sum + steps[0], 0)
    const shift = step === 0 && factor !== undefined ? [] : [formatMove(fromUnits(step))]
    return `everyone: the ${moved} ${[...shift, ...(factor === undefined ? [] : [factor])].join(', then ')}`
  }
  const moving = movingLeaves(trees)
  if (moving.length > 0 && factor === undefined) {
    const leaves = describeLeaves(trees[0], encoding.features)
    return moving
      .map(({ leaf, step }) => `${leaves[leaf]}: the ${moved} ${formatMove(fromUnits(step))}`)
      .join('; ')
  }
  const asked = new Map<string, number>()
  for (const split of trees.flatMap(({ tree }) => splitsOf(tree))) {
    const name = split.kind === 'below' ? 'the score' : encoding.features[split.feature].name
    asked.set(name, (asked.get(name) ?? 0) + 1)
  }
  const leaves = trees.reduce((sum, { steps }) => sum + steps.length, 0)
  const most = [...asked].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, 3)
  const about = `asking mostly about ${most.map(([name]) => name).join(', ')}`
  const counted = `${formatCount(trees.length)} tree${trees.length === 1 ? '' : 's'} with ${formatCount(leaves)} leaves`
  return `everyone: ${counted} ${place}, ${about}${factor === undefined ? '' : `; then the ${moved} ${factor}`}`
}

/** Of one tree in which a few leaves move; none where there are more, or more trees. */
function movingLeaves(trees: ForestUpdate['trees']): { leaf: number; step: number }[] {
  if (trees.length !== 1) return []
  const moving = trees[0].steps.flatMap((step, leaf) => (step === 0 ? [] : [{ leaf, step }]))
  return moving.length <= MAX_NAMED ? moving : []
}

const MAX_NAMED = 4

/** The place where it moves a score the farthest. */
function describeCurve({ from, to }: CurveUpdate): string {
  const distance = (place: number) => Math.abs(to[place] - from[place])
  const farthest = from.reduce((best, _, place) => (distance(place) > distance(best) ? place : best), 0)
  const [before, after] = [from[farthest], to[farthest]].map(units => formatNumber(fromUnits(units)))
  return `everyone: a curve of the score through ${formatCount(from.length)} points; ${before} becomes ${after}`
}

/** The leaf with the largest coefficient, and its move as a polynomial of the score u. */
function describePolynomial({ degree, tree, values }: PolynomialUpdate, encoding: Encoding): string {
  const largest = values.reduce(
    (best, value, at) => (Math.abs(value) > Math.abs(values[best]) ? at : best),
    0,
  )
  const leaf = Math.floor(largest / (degree + 1))
  const terms = values
    .slice(leaf * (degree + 1), (leaf + 1) * (degree + 1))
    .map((value, power) => formatMove(fromUnits(value)) + ['', ' u', ' u^2', ' u^3', ' u^4'][power])
  const more = values.length > degree + 1 ? `, and more elsewhere` : ''
  return `${describeLeaves({ tree }, encoding.features)[leaf]}, at a score u: ${terms.join(' ')}${more}`
}

const splitsOf = (tree: Tree): Split[] =>
  isLeaf(tree) ? [] : [tree.split, ...splitsOf(tree.yes), ...splitsOf(tree.no)]

function describeLinear(update: Update & { kind: 'linear' }, encoding: Encoding): string {
  const width = update.signals.length
  const moving = Array.from({ length: update.levels }, (_, level) => level).filter(level =>
    update.coefficients.slice(level * width, (level + 1) * width).some(value => value !== 0),
  )
  const level = moving[0] ?? 0
  const terms = update.signals
    .map((signal, k) => ({ signal, value: update.coefficients[level * width + k] }))
    .filter(term => term.value !== 0)
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value))
  const shown = terms
    .slice(0, 3)
    .map(term => `${formatMove(term.value)} ${signalName(encoding, term.signal)}`)
  const rest = terms.length > 3 ? ` and ${terms.length - 3} more term${terms.length > 4 ? 's' : ''}` : ''
  const more =
    moving.length > 1 ? ` (and ${moving.length - 1} more level${moving.length > 2 ? 's' : ''})` : ''
  const move = shown.length > 0 ? shown.join(' ') : formatMove(0)
  return `everyone${describeLevel(level, update.levels)}: ${move}${rest}${more}`
}

function signalName(encoding: Encoding, index: number): string {
  const signal = encoding.signals[index]
  switch (signal.kind) {
    case 'one':
      return '(constant)'
    case 'scaled':
      return `* ${signal.column}`
    case 'indicator':
      return `* [${signal.column} = ${String(signal.value)}]`
    case 'function':
      return `* ${signal.name}(row)`
  }
}
