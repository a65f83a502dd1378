// LightGBM's text of a booster: its trees, as arrays, each number checked against the others.

import { notImportable, notReadable } from './refuse.ts'

/** The root is node 0; a negative child c is leaf ~c. A tree without nodes is one leaf. */
export interface BoosterTree {
  readonly nodes: readonly BoosterNode[]
  readonly leafValues: readonly number[]
}

export interface BoosterNode {
  readonly feature: number
  readonly test: NodeTest
  readonly yes: number
  readonly no: number
}

export type NodeTest =
  /** x <= threshold; a missing value takes the yes side or the no side. */
  | {
      readonly kind: 'atMost'
      readonly threshold: number
      readonly missing: boolean
      readonly minds: boolean
    }
  /** The code is one of these, in ascending order; a missing value, or another code, takes the no side. */
  | { readonly kind: 'in'; readonly codes: readonly number[] }

export interface Booster {
  /** The smallest and the largest value of each feature among the rows of the fit, where the text says so. */
  readonly ranges: readonly (readonly [number, number] | undefined)[]
  readonly trees: readonly BoosterTree[]
}

/** Bits of a node's `decision_type`. */
const CATEGORICAL = 1
const DEFAULT_LEFT = 2
const MISSING = { none: 0, zero: 4, nan: 8 }
const MISSING_BITS = 12

const MOST_LEAVES = 1025
const MOST_DEPTH = 256

type Fields = ReadonlyMap<string, string>

export function readBooster(text: string, path: string, featureCount: number): Booster {
  const [head, ...rest] = text.split(/^Tree=/m)
  const fields = readFields(head)
  if (!/^tree\r?$/m.test(head.slice(0, 20))) throw notReadable(path, 'this is no text of a LightGBM booster')
  const stated = fields.get('max_feature_idx')
  if (stated !== String(featureCount - 1))
    throw notReadable(
      path,
      `max_feature_idx is ${stated?.slice(0, 20)}, and there are ${featureCount} features`,
    )
  if (fields.get('num_tree_per_iteration') !== '1')
    throw notImportable(path, 'the booster has more than one tree per iteration, as for several classes')
  const objective = fields.get('objective') ?? ''
  if (!/^binary\b/.test(objective))
    throw notImportable(path, `the objective is "${objective.slice(0, 40)}": only MCGrad's "binary" is read`)
  if (/^average_output/m.test(head))
    throw notImportable(path, 'the booster averages its trees instead of adding them up')
  const trees = rest.map((block, index) =>
    readTree(readFields(block), `${path}, tree ${index}`, featureCount),
  )
  const sizes = fields.get('tree_sizes')?.split(' ').filter(Boolean).length
  if (sizes !== undefined && sizes !== trees.length)
    throw notReadable(
      path,
      `there are ${trees.length} trees, and the text speaks of ${sizes}: it was cut off`,
    )
  return { ranges: readRanges(fields.get('feature_infos') ?? ''), trees }
}

function readFields(block: string): Fields {
  const lines = block.split(/\r?\n/).flatMap(line => {
    const at = line.indexOf('=')
    return at < 0 ? [] : [[line.slice(0, at), line.slice(at + 1)] as const]
  })
  return new Map(lines)
}

const readRanges = (infos: string): Booster['ranges'] =>
  infos.split(' ').map(info => {
    const [, low, high] = /^\[([^:]+):([^\]]+)\]$/.exec(info) ?? []
    const range = [Number(low), Number(high)] as const
    return low !== undefined && range.every(Number.isFinite) && range[0] <= range[1] ? range : undefined
  })

/** So many numbers, whole ones where asked for. */
function numbers(fields: Fields, name: string, count: number, path: string, whole = true): number[] {
  const text = fields.get(name) ?? ''
  const values = text === '' ? [] : text.split(' ').map(Number)
  if (values.length !== count)
    throw notReadable(path, `"${name}" has ${values.length} numbers and not ${count}`)
  const isRight = whole ? Number.isSafeInteger : Number.isFinite
  const wrong = values.findIndex(value => !isRight(value))
  if (wrong >= 0)
    throw notReadable(
      path,
      `"${name}": ${text.split(' ')[wrong].slice(0, 30)} is no ${whole ? 'whole ' : ''}number`,
    )
  return values
}

function readTree(fields: Fields, path: string, featureCount: number): BoosterTree {
  const leafCount = Number(fields.get('num_leaves'))
  if (!Number.isInteger(leafCount) || leafCount < 1) throw notReadable(path, 'no number of leaves')
  if (leafCount > MOST_LEAVES)
    throw notImportable(path, `${leafCount} leaves, and a tree of a model file has at most ${MOST_LEAVES}`)
  if ((fields.get('is_linear') ?? '0') !== '0') throw notImportable(path, 'a linear tree')
  const leafValues = numbers(fields, 'leaf_value', leafCount, path, false)
  if (leafCount === 1) return { nodes: [], leafValues }
  const each = (name: string, whole = true) => numbers(fields, name, leafCount - 1, path, whole)
  const [features, types, yes, no] = ['split_feature', 'decision_type', 'left_child', 'right_child'].map(
    name => each(name),
  )
  const thresholds = each('threshold', false)
  checkChildren(yes, no, path)
  const sets = readSets(fields, path)
  const nodes = features.map((feature, node): BoosterNode => {
    if (feature < 0 || feature >= featureCount) throw notReadable(path, `there is no feature ${feature}`)
    const test = readTest(types[node], thresholds[node], sets, `${path}, node ${node}`)
    return { feature, test, yes: yes[node], no: no[node] }
  })
  return { nodes, leafValues }
}

/** Every node and every leaf is somebody's child, once, and comes after its parent: so it is a tree, and no deeper than is read. */
function checkChildren(yes: readonly number[], no: readonly number[], path: string): void {
  const count = yes.length
  const depths = new Map<number, number>([[0, 0]])
  for (let node = 0; node < count; node++) {
    const depth = (depths.get(node) ?? Number.POSITIVE_INFINITY) + 1
    if (depth > MOST_DEPTH)
      throw notReadable(path, `node ${node} hangs nowhere, or is deeper than ${MOST_DEPTH}`)
    for (const child of [yes[node], no[node]]) {
      const exists = child >= 0 ? child > node && child < count : ~child <= count
      if (!exists || depths.has(child)) throw notReadable(path, `${child} cannot be a child of node ${node}`)
      depths.set(child, depth)
    }
  }
}

/** Sets of codes, kept as bits. */
function readSets(fields: Fields, path: string): number[][] {
  const count = Number(fields.get('num_cat') ?? '0')
  if (!Number.isInteger(count) || count < 0 || count > MOST_LEAVES)
    throw notReadable(path, 'no number of category sets')
  if (count === 0) return []
  const bounds = numbers(fields, 'cat_boundaries', count + 1, path)
  if (bounds[0] !== 0 || bounds.some((bound, index) => index > 0 && bound < bounds[index - 1]))
    throw notReadable(path, '"cat_boundaries" do not ascend from 0')
  const words = numbers(fields, 'cat_threshold', bounds[count], path)
  return Array.from({ length: count }, (_, set) =>
    words.slice(bounds[set], bounds[set + 1]).flatMap((word, place) => codesIn(word, 32 * place)),
  )
}

const codesIn = (word: number, first: number): number[] =>
  Array.from({ length: 32 }, (_, bit) => bit).flatMap(bit => ((word >>> bit) & 1 ? [first + bit] : []))

function readTest(type: number, threshold: number, sets: readonly number[][], path: string): NodeTest {
  if (type & CATEGORICAL) {
    const codes = sets[threshold]
    if (codes === undefined) throw notReadable(path, `there is no set ${threshold}`)
    return { kind: 'in', codes }
  }
  const missing = type & MISSING_BITS
  if (missing === MISSING.zero)
    throw notImportable(
      path,
      '0 stands for a missing value (zero_as_missing)',
      'Fit without zero_as_missing.',
    )
  if (missing === MISSING.nan)
    return { kind: 'atMost', threshold, missing: (type & DEFAULT_LEFT) !== 0, minds: true }
  // Where no value was missing in the fit, LightGBM takes one for 0.
  return { kind: 'atMost', threshold, missing: threshold >= 0, minds: false }
}
