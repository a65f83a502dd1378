// The steps of a forest for Spark. It looks at every part of a plan a hundred times before it runs it, so that thousands of conditions take
// minutes: here the trees are tables of nodes, and each split is asked once, however many trees ask it.

import { type ForestTree, isLeaf, type Tree } from '../../update/update.ts'
import { type Columns, conditionSql } from './select.ts'

/** From bins and the prediction to `mo_sum0`, the sum of all steps. */
export function sparkForest(trees: readonly ForestTree[], binCounts: readonly number[]): Columns[] {
  const { conditions, depth, no, roots, split, steps, yes } = flatten(trees, binCounts)
  const table = (values: readonly number[], type = 'int') =>
    `from_json('[${values.join(',')}]', 'array<${type}>')`
  // A negative node n is the leaf -n - 1. The answers are a variable of a function, so that they are found once for a row.
  const next = `if(node < 0, node, if(answers[${table(split)}[node]], ${table(yes)}[node], ${table(no)}[node]))`
  const leaf = `aggregate(sequence(1, ${Math.max(1, depth)}), root, (node, level) -> ${next})`
  const step = `${table(steps, 'bigint')}[-1 - ${leaf}]`
  const sum = `aggregate(${table(roots)}, 0L, (sum, root) -> sum + ${step})`
  return [{ mo_sum0: `transform(array(array(${conditions.join(', ') || 'true'})), answers -> ${sum})[0]` }]
}

function flatten(trees: readonly ForestTree[], binCounts: readonly number[]) {
  const places = new Map<string, number>()
  const flat = { split: [] as number[], yes: [] as number[], no: [] as number[], steps: [] as number[] }
  let depth = 0
  const visit = (node: Tree, own: readonly number[], level: number): number => {
    depth = Math.max(depth, level)
    if (isLeaf(node)) return -flat.steps.push(own[node.leaf])
    const condition = conditionSql(node.split, binCounts)
    if (!places.has(condition)) places.set(condition, places.size)
    const at = flat.split.push(places.get(condition)!) - 1
    flat.yes[at] = visit(node.yes, own, level + 1)
    flat.no[at] = visit(node.no, own, level + 1)
    return at
  }
  const roots = trees.map(({ steps, tree }) => visit(tree, steps, 0))
  return { ...flat, roots, depth, conditions: [...places.keys()] }
}
