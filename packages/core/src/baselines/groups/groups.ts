// The groups that baselines look at: those that were declared, or else every category and every quarter of a number that
// holds at least a two-hundredth of the rows (the rule of Hansen et al.).

import type { AuditorSpace } from '../../classes/compile.ts'
import { describePath } from '../../classes/describe.ts'
import { groupTree } from '../../classes/groups.ts'
import type { ForestRows } from '../../forest/forestRows.ts'
import type { FeatureSchema } from '../../quantize/schema.ts'
import { type Condition, isLeaf, type Tree } from '../../update/update.ts'
import { findLeaf, flattenTree } from '../../update/walk.ts'
import type { BaselineGroup } from '../baseline.ts'
import { binAt, weighBins } from '../rows/bins.ts'

const LEAST_SHARE = 0.005
const QUARTERS = 4

export function baselineGroups(
  space: AuditorSpace,
  features: readonly FeatureSchema[],
  rows: ForestRows,
): BaselineGroup[] {
  if (space.kind === 'partitions' && space.partitions.every(({ indicator }) => indicator)) {
    // "Everyone" comes first among declared groups, and is none here.
    return space.partitions
      .filter(({ tree }) => !isLeaf(tree))
      .map(({ tree, words }) => makeGroup(words, tree, rows))
  }
  return features.flatMap((schema, feature) => groupsOfFeature(schema, feature, features, rows))
}

function makeGroup(name: string, tree: Tree, rows: ForestRows): BaselineGroup {
  let member: Uint8Array | undefined
  return {
    name,
    tree,
    get member() {
      member ??= membersOf(tree, rows)
      return member
    },
  }
}

function membersOf(tree: Tree, { bins, features, rowCount }: ForestRows): Uint8Array {
  const flat = flattenTree(
    tree,
    features.map(feature => feature.bins),
  )
  return Uint8Array.from({ length: rowCount }, (_, row) => Number(findLeaf(flat, bins, row, 0) === 0))
}

function groupsOfFeature(
  schema: FeatureSchema,
  feature: number,
  schemas: readonly FeatureSchema[],
  rows: ForestRows,
): BaselineGroup[] {
  const weights = weighBins(rows, feature)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  // Rows without a value, in the last bin, are a group of no kind.
  const known = weights.slice(0, -1)
  const sets = schema.kind === 'numeric' ? quartersOf(known) : known.map((_, bin) => [bin, bin] as const)
  return sets
    .filter(([first, last]) => sumOf(known, first, last) >= LEAST_SHARE * total)
    .map(([first, last]) => {
      const path =
        schema.kind === 'numeric'
          ? rangePath(feature, first, last, known.length - 1)
          : [{ split: { kind: 'in', feature, bins: [first] }, yes: true } as const]
      return makeGroup(describePath(path, schemas), groupTree(path), rows)
    })
}

const sumOf = (weights: readonly number[], first: number, last: number): number =>
  weights.slice(first, last + 1).reduce((sum, weight) => sum + weight, 0)

/** Numbers with few values, such as codes, have one group for each value. Bins are cut where a quarter of the rows is full. */
function quartersOf(weights: readonly number[]): (readonly [first: number, last: number])[] {
  const occupied = weights.flatMap((weight, bin) => (weight > 0 ? [bin] : []))
  if (occupied.length <= 2 * QUARTERS) return occupied.map(bin => [bin, bin])
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const starts = [1, 2, 3].map(quarter => binAt(weights, Math.floor((quarter * total) / QUARTERS)))
  const edges = [...new Set([0, ...starts]), weights.length]
  return edges.slice(1).map((next, index) => [edges[index], next - 1])
}

function rangePath(feature: number, first: number, last: number, highest: number): Condition[] {
  const cut = (bin: number, yes: boolean): Condition => ({
    split: { kind: 'atMost', feature, bin, missing: !yes },
    yes,
  })
  if (first === 0 && last === highest) return [{ split: { kind: 'missing', feature }, yes: false }]
  return [...(first > 0 ? [cut(first - 1, false)] : []), ...(last < highest ? [cut(last, true)] : [])]
}

/** A group's tree with `inside` at its leaf 0 and `outside` at all others. */
export function graft(group: Tree, inside: Tree, outside: Tree): Tree {
  if (isLeaf(group)) return group.leaf === 0 ? inside : outside
  const { no, split, yes } = group
  return { split, yes: graft(yes, inside, outside), no: graft(no, inside, outside) }
}
