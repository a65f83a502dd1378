// Trees as one TreeEnsemble. Every split becomes "this column is at most that", of columns that the graph makes from bins: missing values
// before all others or after them, and 0 or 1 for sets of bins.

import { ONE } from '../../common/units.ts'
import type { Split, Tree } from '../../update/update.ts'
import type { Graph, Value } from './graph.ts'

/** Whatever trees look at: the bins of each feature and how many there are, and the prediction in units. */
export interface TreeRows {
  readonly bins: readonly Value[]
  readonly binCounts: readonly number[]
  readonly prediction: Value
}

export interface WeighedTree {
  readonly tree: Tree
  readonly weights: readonly number[]
  /** The column of the answer. Default: 0. */
  readonly target?: number
}

interface Comparison {
  readonly column: Value
  readonly atMost: number
}

/** The sum of the weights of each row's leaves, one value per row. */
export function sumOfTrees(graph: Graph, trees: readonly WeighedTree[], rows: TreeRows): Value {
  const sums = ensemble(graph, trees, split => comparisonOf(graph, split, rows), rows.prediction)
  return graph.op('Squeeze', [sums, graph.integers([1])])
}

function comparisonOf(graph: Graph, split: Split, { binCounts, bins, prediction }: TreeRows): Comparison {
  if (split.kind === 'below') return { column: prediction, atMost: split.units - 0.5 }
  const bin = bins[split.feature]
  const missing = binCounts[split.feature] - 1
  if (split.kind === 'atMost') {
    const atMost = Math.min(split.bin, missing - 1) + 0.5
    if (!split.missing) return { column: bin, atMost }
    const isMissing = graph.op('Equal', [bin, graph.double(missing)])
    return { column: graph.op('Where', [isMissing, graph.double(-1), bin]), atMost }
  }
  const taken = new Set(split.kind === 'in' ? split.bins : [missing])
  const table = graph.doubles(Array.from({ length: missing + 1 }, (_, each) => (taken.has(each) ? 0 : 1)))
  return { column: graph.op('Gather', [table, indexOf(graph, bin)]), atMost: 0.5 }
}

/** A whole number as an index. */
export const indexOf = (graph: Graph, double: Value): Value =>
  graph.op('Cast', [double], { to: { kind: 'integer', value: 7 } })

export const asDouble = (graph: Graph, value: Value): Value =>
  graph.op('Cast', [value], { to: { kind: 'integer', value: 11 } })

/** `ask` says what a split compares; a tree without splits compares `anything`. */
export function ensemble<T>(
  graph: Graph,
  trees: readonly { tree: AnyTree<T>; weights: readonly number[]; target?: number }[],
  ask: (split: T) => Comparison,
  anything: Value,
): Value {
  const columns = new Map<Value, number>()
  const columnOf = (column: Value): number => {
    if (!columns.has(column)) columns.set(column, columns.size)
    return columns.get(column)!
  }
  const nodes: { feature: number; atMost: number; yes: Side; no: Side }[] = []
  const leaves: { target: number; weight: number }[] = []
  const roots: number[] = []
  for (const { target = 0, tree, weights } of trees) {
    const visit = (node: AnyTree<T>): Side => {
      if ('leaf' in node) {
        leaves.push({ target, weight: weights[node.leaf] })
        return { isLeaf: 1, at: leaves.length - 1 }
      }
      const at = nodes.length
      const { atMost, column } = ask(node.split)
      const own = { feature: columnOf(column), atMost, yes: NOWHERE, no: NOWHERE }
      nodes.push(own)
      own.yes = visit(node.yes)
      own.no = visit(node.no)
      return { isLeaf: 0, at }
    }
    const root = visit(tree)
    roots.push(root.isLeaf === 1 ? nodes.length : root.at)
    if (root.isLeaf === 1) nodes.push({ feature: columnOf(anything), atMost: ONE, yes: root, no: root })
  }
  const matrix = [...columns.keys()].map(column => graph.op('Unsqueeze', [column, graph.integers([1])]))
  const input = graph.op('Concat', matrix, { axis: { kind: 'integer', value: 1 } })
  const integers = (value: readonly number[]) => ({ kind: 'integers', value }) as const
  return graph.op('TreeEnsemble', [input], {
    n_targets: {
      kind: 'integer',
      value: 1 + trees.reduce((most, { target = 0 }) => Math.max(most, target), 0),
    },
    aggregate_function: { kind: 'integer', value: 1 },
    post_transform: { kind: 'integer', value: 0 },
    tree_roots: integers(roots),
    nodes_featureids: integers(nodes.map(({ feature }) => feature)),
    nodes_modes: { kind: 'bytes', value: nodes.map(() => 0) },
    nodes_splits: { kind: 'doubles', value: nodes.map(({ atMost }) => atMost) },
    nodes_missing_value_tracks_true: integers(nodes.map(() => 0)),
    nodes_truenodeids: integers(nodes.map(({ yes }) => yes.at)),
    nodes_trueleafs: integers(nodes.map(({ yes }) => yes.isLeaf)),
    nodes_falsenodeids: integers(nodes.map(({ no }) => no.at)),
    nodes_falseleafs: integers(nodes.map(({ no }) => no.isLeaf)),
    leaf_targetids: integers(leaves.map(({ target }) => target)),
    leaf_weights: { kind: 'doubles', value: leaves.map(({ weight }) => weight) },
  })
}

/** A tree with splits of any kind. */
export type AnyTree<T> =
  | { readonly leaf: number }
  | { readonly split: T; readonly yes: AnyTree<T>; readonly no: AnyTree<T> }

interface Side {
  readonly isLeaf: 0 | 1
  readonly at: number
}

const NOWHERE: Side = { isLeaf: 1, at: 0 }

/** How many of the cuts, which ascend, are below a value: a search among them as a tree of cuts. */
export function searchTree(cuts: readonly number[]): AnyTree<number> {
  const between = (low: number, high: number): AnyTree<number> => {
    if (low === high) return { leaf: low }
    const middle = (low + high) >> 1
    return { split: cuts[middle], yes: between(low, middle), no: between(middle + 1, high) }
  }
  return between(0, cuts.length)
}
