// The updates of a model file, each checked against the encoding: bins against cuts, leaves against values, signals against
// coefficients.

import { MAX_SCALE, MAX_STEP } from '../common/logistic.ts'
import { ONE } from '../common/units.ts'
import type { Encoding } from '../quantize/encoding.ts'
import { binCount } from '../quantize/schema.ts'
import {
  type CurveUpdate,
  type ForestTree,
  type ForestUpdate,
  isLeaf,
  type LinearUpdate,
  type PolynomialUpdate,
  type RoundUpdate,
  type Split,
  type TableUpdate,
  type Tree,
  type Update,
} from '../update/update.ts'
import { MAX_BINS, MAX_LEVELS } from './data.ts'
import {
  byKind,
  entriesOf,
  flag,
  listOf,
  malformed,
  oneOf,
  record,
  type Shape,
  strictlyAscending,
  whole,
  within,
} from './shape.ts'

const MAX_DEPTH = 256
const MAX_DEGREE = 4
/** Far beyond any fit, and so small that no sum of terms overflows. */
const MAX_COEFFICIENT = 1e100
/** 65,536 either way: beyond that the move would be rounding. */
const MAX_POLYNOMIAL = 2 ** 40

export function readUpdate(value: unknown, path: string, encoding: Encoding): Update {
  return byKind<Update>({
    ...roundShapes(encoding),
    forest: (entry, place) => readForestUpdate(entry, place, encoding),
    curve: readCurveUpdate,
    polynomial: (entry, place) => readPolynomialUpdate(entry, place, encoding),
  })(value, path)
}

export const readRoundUpdate = (value: unknown, path: string, encoding: Encoding): RoundUpdate =>
  byKind<RoundUpdate>(roundShapes(encoding))(value, path)

const roundShapes = (encoding: Encoding) => ({
  table: (entry: unknown, place: string) => readTableUpdate(entry, place, encoding),
  linear: (entry: unknown, place: string) => readLinearUpdate(entry, place, encoding),
})

function readForestUpdate(value: unknown, path: string, encoding: Encoding): ForestUpdate {
  const update = record(
    {
      kind: oneOf('forest'),
      clip: whole(0, ONE / 2),
      trees: listOf((tree, place) => readForestTree(tree, place, encoding)),
    },
    { link: oneOf('identity'), scale: whole(-MAX_SCALE, MAX_SCALE) },
  )(value, path)
  const { clip, link, scale, trees } = update
  if (link === undefined && clip === 0) throw malformed(`${path}.clip`, '0 and 1 have no logit')
  if (link !== undefined && scale !== undefined) throw malformed(`${path}.scale`, 'a scale without the logit')
  const farthest = trees.reduce((sum, { steps }) => sum + Math.max(...steps.map(Math.abs)), 0)
  if (farthest >= 2 ** 31) throw malformed(`${path}.trees`, 'their steps add up to too much')
  return update
}

const readCurveUpdate: Shape<CurveUpdate> = (value, path) => {
  const units = whole(0, ONE)
  const update = record({
    kind: oneOf('curve'),
    from: strictlyAscending(units, ONE + 1),
    to: listOf(units, ONE + 1),
  })(value, path)
  const { from, to } = update
  if (from[0] !== 0 || from.at(-1) !== ONE) throw malformed(`${path}.from`, `not from 0 to ${ONE}`)
  if (to.length !== from.length) throw malformed(`${path}.to`, `${to.length} places for ${from.length}`)
  return update
}

function readPolynomialUpdate(value: unknown, path: string, encoding: Encoding): PolynomialUpdate {
  const update = record({
    kind: oneOf('polynomial'),
    tree: (tree, place) => readTree(tree, place, encoding, 0),
    degree: whole(1, MAX_DEGREE),
    values: listOf(whole(-MAX_POLYNOMIAL, MAX_POLYNOMIAL)),
  })(value, path)
  const leaves = readLeaves(update.tree, `${path}.tree`)
  if (update.values.length !== leaves * (update.degree + 1)) {
    throw malformed(
      `${path}.values`,
      `${update.values.length} values for ${leaves} leaves of degree ${update.degree}`,
    )
  }
  return update
}

export function readForestTree(value: unknown, path: string, encoding: Encoding): ForestTree {
  const entry = record({
    tree: (tree, place) => readTree(tree, place, encoding, 0),
    steps: listOf(whole(-MAX_STEP, MAX_STEP)),
  })(value, path)
  const leaves = readLeaves(entry.tree, `${path}.tree`)
  if (entry.steps.length !== leaves)
    throw malformed(`${path}.steps`, `${entry.steps.length} steps for ${leaves} leaves`)
  return entry
}

/** How many there are. */
function readLeaves(tree: Tree, path: string): number {
  const leaves = new Set(leafNumbers(tree))
  if (Math.max(...leaves) !== leaves.size - 1) throw malformed(path, 'leaf numbers leave gaps')
  return leaves.size
}

function readTableUpdate(value: unknown, path: string, encoding: Encoding): TableUpdate {
  const update = record({
    kind: oneOf('table'),
    tree: (tree, place) => readTree(tree, place, encoding, 0),
    levels: whole(1, MAX_LEVELS),
    values: listOf(whole(-ONE, ONE)),
  })(value, path)
  const leaves = readLeaves(update.tree, `${path}.tree`)
  if (update.values.length !== leaves * update.levels) {
    throw malformed(
      `${path}.values`,
      `${update.values.length} values for ${leaves} leaves of ${update.levels} levels`,
    )
  }
  return update
}

const leafNumbers = (tree: Tree): number[] =>
  isLeaf(tree) ? [tree.leaf] : [...leafNumbers(tree.yes), ...leafNumbers(tree.no)]

function readLinearUpdate(value: unknown, path: string, encoding: Encoding): LinearUpdate {
  const update = record({
    kind: oneOf('linear'),
    signals: listOf(whole(0, encoding.signals.length - 1)),
    levels: whole(1, MAX_LEVELS),
    coefficients: listOf(within(-MAX_COEFFICIENT, MAX_COEFFICIENT)),
  })(value, path)
  if (update.coefficients.length !== update.signals.length * update.levels) {
    throw malformed(`${path}.coefficients`, 'their number does not fit signals and levels')
  }
  return update
}

function readTree(value: unknown, path: string, encoding: Encoding, depth: number): Tree {
  if (depth > MAX_DEPTH) throw malformed(path, `a tree deeper than ${MAX_DEPTH}`)
  const entries = entriesOf(value, path)
  if (Object.hasOwn(entries, 'leaf')) return record({ leaf: whole(0, MAX_DEPTH * 4) })(value, path)
  const child: Shape<Tree> = (tree, place) => readTree(tree, place, encoding, depth + 1)
  return record({ split: splitShape(encoding), yes: child, no: child })(value, path)
}

function splitShape(encoding: Encoding): Shape<Split> {
  const feature = whole(0, encoding.features.length - 1)
  const bin = whole(0, MAX_BINS)
  return (value, path) => {
    const split = byKind<Split>({
      atMost: record({ kind: oneOf('atMost'), feature, bin, missing: flag }),
      in: record({ kind: oneOf('in'), feature, bins: listOf(bin, MAX_BINS + 1) }),
      missing: record({ kind: oneOf('missing'), feature }),
      below: record({ kind: oneOf('below'), units: whole(0, ONE) }),
    })(value, path)
    const tested = split.kind === 'atMost' ? [split.bin] : split.kind === 'in' ? split.bins : []
    if (split.kind === 'below') return split
    const schema = encoding.features[split.feature]
    if (split.kind === 'atMost' && schema.kind !== 'numeric')
      throw malformed(path, 'a cut on a column without order')
    if (tested.some(found => found >= binCount(schema))) throw malformed(path, 'a bin is out of range')
    return split
  }
}
