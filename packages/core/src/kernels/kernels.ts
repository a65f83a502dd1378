// The kernels' interface: what the WebAssembly module exports and its plain TypeScript twin implements. All arguments
// are numbers: row ranges, counts, and byte addresses in one memory that the caller laid out (shard.ts).

/** Rows a counting kernel prepares at a time, and the bytes it keeps of each: more where rows have weights. */
export const BLOCK_ROWS = 262_144
export const ROW_BYTES = 12
export const WEIGHTED_ROW_BYTES = 24

/** What a kernel wants to part rows in, leaf by leaf. */
export const PART_BYTES = 8 * 4096

/** Bytes of one node of a tree in memory: column, bound, no, yes, then "takes yes" for each of 256 bins. */
export const NODE_BYTES = 272

/** Bytes of one entry in the feature table of `histogram` and the pair table of `jointHistogram`. */
export const FEATURE_BYTES = 16
export const PAIR_BYTES = 28

/** Where a segment's rows stand; every address but `base` is absolute, columns are relative to `base`. */
export type SegmentRows = [
  from: number,
  to: number,
  base: number,
  label: number,
  prediction: number,
  /** 0: every row weighs 1. */
  weight: number,
]

/** What is counted, and where: `table` lists features or pairs; cells are packed first where rows have no weights. */
type Counting = [
  levels: number,
  /** 0: levels of equal width; or where one cut less than levels stands, ascending. */
  levelCuts: number,
  /** 0: every row's own prediction counts. */
  levelValues: number,
  /** 0, or where the number of levels with a sign stands, and then these: residuals count with the sign of their level. */
  levelSigns: number,
  tree: number,
  /** Rows in leaves from this number on are not counted. */
  leaves: number,
  table: number,
  entries: number,
  values: number,
  packed: number,
  counts: number,
  residuals: number,
]

export type CountingKernel = (...args: [...SegmentRows, ...Counting]) => void

export interface Kernels extends ForestKernels, PairKernels, SignedTreeKernels {
  readonly kind: 'wasm' | 'twin'
  readonly histogram: CountingKernel
  readonly jointHistogram: CountingKernel
  levelSums(
    ...args: [
      ...SegmentRows,
      levels: number,
      levelValues: number,
      tree: number,
      counts: number,
      residuals: number,
      predictions: number,
      scratch: number,
    ]
  ): void
  /** Adds to four 64-bit integers at `out`: weight, squared weight, and the high and low parts of the squares. */
  loss(from: number, to: number, label: number, prediction: number, weight: number, out: number): void
  /** Writes moved predictions to `target` and adds their loss at `out`; either may be 0. */
  move(
    ...args: [...SegmentRows, levels: number, tree: number, table: number, target: number, out: number]
  ): void
  /** Bins of numbers; `cuts` is padded with infinities to twice `half`, a power of two. */
  binNumbers(values: number, rows: number, cuts: number, half: number, missing: number, bins: number): void
  /** Ascending order in place; `scratch` has room for as many doubles, `starts` for 8 * 256 32-bit counts. No NaN. */
  sortNumbers(values: number, rows: number, scratch: number, starts: number): void
}

/** The search over pairs of features, on cells in memory: pairSearch.ts says how it is laid out. */
export interface PairKernels {
  /** Improves the bests of all sides by what every pair of them reaches. */
  pairScan(
    ...args: [
      pairs: number,
      pairCount: number,
      sides: number,
      levels: number,
      kind: number,
      counts: number,
      residuals: number,
      totals: number,
      scratch: number,
    ]
  ): void
  /** The largest R^2 / V of one draw over all quadrants of all pairs, or `best` if that is larger (pairs/largest.ts). */
  largestQuadrant(
    ...args: [
      pairs: number,
      pairCount: number,
      blocks: number,
      axes: number,
      levels: number,
      starts: number,
      values: number,
      alls: number,
      leastVariance: number,
      best: number,
      enough: number,
      scratch: number,
      tables: number,
    ]
  ): number
  /** Adds the rows of bins that were not counted (commonBins.ts), to counts or to residuals. */
  pairFill(fills: number, fillCount: number, levels: number, sums: number, margins: number): void
  /** One cell for each run of levels, times their signs, which are doubles. */
  levelTotals(cells: number, levels: number, signs: number, sums: number, into: number): void
}

/** The search for the tree whose leaves have signs: signedTree.ts says how it is laid out. */
export interface SignedTreeKernels {
  /** Raises the norms of the sides of two features by those of all their splits, each below the other. */
  sideNorms(
    ...args: [
      features: number,
      a: number,
      b: number,
      cells: number,
      total: number,
      width: number,
      scratch: number,
    ]
  ): void
  /** Adds one bin of a root's feature to the cells that all features have below it. */
  addBin(
    features: number,
    featureCount: number,
    pairs: number,
    root: number,
    bin: number,
    width: number,
  ): void
  /** Lists the vectors that either side of a root can add, those whose norm is above the least. */
  sideVectors(
    ...args: [
      features: number,
      featureCount: number,
      total: number,
      width: number,
      yes: number,
      no: number,
      leastYes: number,
      leastNo: number,
      scratch: number,
    ]
  ): void
  /**
   * The error of the best pair of candidates, or `least` where none has more: codes (a vector's place times 2, 1 more for its opposite)
   * with what each can reach. `answer`: where the two codes go, then how many blocks were looked at.
   */
  tryPairs(
    ...args: [
      yes: number,
      no: number,
      yesCodes: number,
      yesReach: number,
      yesCount: number,
      noCodes: number,
      noReach: number,
      noCount: number,
      least: number,
      answer: number,
    ]
  ): number
}

/** Bytes of one entry in the feature table of a forest: column, first cell, bins, kind (forest/scan.ts). */
export const FOREST_FEATURE_BYTES = 16

/** Bytes of one row's record: its odds as a double, its start prediction, its label. */
export const FOREST_RECORD_BYTES = 16

/** Bytes that `forestGrow` wants, all zero, for every column it counts (forest/joined.ts), and for one more. */
export const FOREST_PACKED_BYTES = 2112

/** The rows of a node: those whose numbers stand in a list, from one place to before another. */
type NodeRows = [order: number, from: number, to: number]

/** Log loss on the logit scale: predictions are start predictions moved by steps (common/logistic.ts). */
export interface ForestKernels {
  /**
   * Adds a step to the rows of a node: their odds, start predictions times e to the steps, are multiplied by `factor`, e to
   * the step. Renews their gradients, 8 bytes each, unless `gradients` is 0.
   */
  forestStep(
    ...args: [...NodeRows, value: number, factor: number, records: number, steps: number, gradients: number]
  ): void
  /** The weighted sum of log losses, in whole units of 2^-20. */
  forestLoss(...args: [...NodeRows, records: number, weight: number]): number
  /** Adds to every row's steps the one of its leaf; `scratch` has room for two row numbers a row. */
  forestWalk(
    from: number,
    to: number,
    base: number,
    prediction: number,
    tree: number,
    table: number,
    steps: number,
    scratch: number,
  ): void
  /**
   * Minus the derivative of the log loss by a factor of all logits, up to a positive one: weighted residuals times logits,
   * the latter within 2^28, in whole steps of 2^27 square units, so that sums stay exact. The scale is in units.
   */
  logitSlope(rows: number, logit: number, label: number, weight: number, scale: number): number
  /** Predictions, at least `clip` away from 0 and 1, moved by their steps. */
  forestMove(from: number, to: number, prediction: number, steps: number, clip: number, target: number): void
  /** Looks for the best split of a node: forest/scan.ts says how it is asked and how it answers. */
  forestScan(
    ...args: [
      sums: number,
      features: number,
      featureCount: number,
      question: number,
      answer: number,
      scratch: number,
    ]
  ): void
  /**
   * Grows one tree by the plan at an address, writes its nodes down and moves all rows (forest/plan.ts); says how many nodes
   * there are, 0 where no split is worth it. Sums of both derivatives are pairs of doubles for each bin of each feature: label
   * minus prediction in units of 2^-18, and the variance of the prediction in units of 2^-12.
   */
  forestGrow(plan: number): number
}

/** A memory that kernels work on; views are made anew after it has grown. */
export interface KernelMemory {
  readonly buffer: ArrayBuffer
  /** Makes room for this many bytes in all. */
  reserve(bytes: number): void
  /** From here on nothing has been written yet: all is 0. Whoever writes beyond says so. */
  untouched: number
}
