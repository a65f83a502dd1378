// One walk over updates for whoever makes something else of them: movers, SQL, tensors.

import { type FeatureSplit, isLeaf, type Tree, type Update } from './update.ts'

/** What is made of an update of each kind. */
export type UpdateVisitor<Made> = {
  readonly [Kind in Update['kind']]: (update: Extract<Update, { kind: Kind }>) => Made
}

export const visitUpdate = <Made>(update: Update, visitor: UpdateVisitor<Made>): Made =>
  // The kind of the update is the key of its visitor, which the compiler cannot see.
  (visitor[update.kind] as (update: Update) => Made)(update)

/** The trees of an update, in order. */
export const treesOf = (update: Update): readonly Tree[] =>
  visitUpdate<readonly Tree[]>(update, {
    table: ({ tree }) => [tree],
    linear: () => [],
    forest: ({ trees }) => trees.map(({ tree }) => tree),
    curve: () => [],
    polynomial: ({ tree }) => [tree],
  })

/** The same update with other trees, as many as it has, in their order. */
export const withTrees = (update: Update, trees: readonly Tree[]): Update =>
  visitUpdate<Update>(update, {
    table: table => ({ ...table, tree: trees[0] }),
    linear: linear => linear,
    forest: forest => ({
      ...forest,
      trees: forest.trees.map(({ steps }, index) => ({ tree: trees[index], steps })),
    }),
    curve: curve => curve,
    polynomial: polynomial => ({ ...polynomial, tree: trees[0] }),
  })

/** Every split on a feature, from the root down, yes before no. */
export function featureSplits(tree: Tree): FeatureSplit[] {
  if (isLeaf(tree)) return []
  const own = tree.split.kind === 'below' ? [] : [tree.split]
  return [...own, ...featureSplits(tree.yes), ...featureSplits(tree.no)]
}

/** The same tree with other splits on features. */
export function mapSplits(tree: Tree, map: (split: FeatureSplit) => FeatureSplit): Tree {
  if (isLeaf(tree)) return tree
  const { no, split, yes } = tree
  return {
    split: split.kind === 'below' ? split : map(split),
    yes: mapSplits(yes, map),
    no: mapSplits(no, map),
  }
}
