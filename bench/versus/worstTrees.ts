// K1 and the level-set error of a score over all trees of depth 2, as `audit` measures them, with the share of every row.

import { memoryEngine, type Table, trees } from '@featureboost/core'
import { compileAuditors } from '../../packages/core/src/classes/compile.ts'
import { fromUnits, levelOf, toUnits } from '../../packages/core/src/common/units.ts'
import { openRows } from '../../packages/core/src/data/openRows.ts'
import { type Engine, FIT } from '../../packages/core/src/engine/engine.ts'
import { rememberJoint } from '../../packages/core/src/engine/remember.ts'
import { makeBinner } from '../../packages/core/src/kernels/binner.ts'
import { makeSorter } from '../../packages/core/src/kernels/sorter.ts'
import { levelSetError } from '../../packages/core/src/measures/class/levelSet.ts'
import { worstSigns } from '../../packages/core/src/measures/class/multicalibration.ts'
import { AUDIT_OPTIONS } from '../../packages/core/src/options/options.ts'
import { searchTrees } from '../../packages/core/src/oracle/search.ts'
import { type Encoding, encodeTable } from '../../packages/core/src/quantize/encoding.ts'
import { binCount } from '../../packages/core/src/quantize/schema.ts'
import { discretize, type Rounding } from '../../packages/core/src/round/discretize.ts'
import { encodedSource, learnEncoding } from '../../packages/core/src/store/encode.ts'
import { leafCount, type Tree } from '../../packages/core/src/update/update.ts'
import { findLeaf, flattenTree } from '../../packages/core/src/update/walk.ts'
import { meanOf, type WorstSum } from './spread.ts'

export interface WorstTrees {
  readonly multicalibration: WorstSum
  readonly levelSet: WorstSum
}

export interface TestRows {
  /** Features, label and score. */
  readonly table: Table
  readonly label: string
  readonly score: string
  readonly labels: Float64Array
  readonly predictions: Float64Array
}

const BINS = AUDIT_OPTIONS.bins.default
const QUANTIZE = { bins: 255, coarseBins: AUDIT_OPTIONS.coarseBins.default, rare: AUDIT_OPTIONS.rare.default }

export async function worstTrees(rows: TestRows, threads: number): Promise<WorstTrees> {
  const opened = await openRows(rows.table, { label: rows.label, prediction: rows.score })
  const encoding = learnEncoding(opened.learnable, trees(), { ...QUANTIZE, sort: makeSorter().sort })
  const engine = rememberJoint(await memoryEngine({ threads })(encodedSource(opened, encoding, {})))
  try {
    const rounding = await discretize(engine, BINS)
    const found = await searchBoth(engine, encoding, rounding)
    const cells = makeCells(rows, encoding, rounding)
    return {
      multicalibration: signedSum(cells(found.multicalibration.tree), found.multicalibration.signs),
      levelSet: signedSum(cells(found.levelSet.tree), found.levelSet.signs),
    }
  } finally {
    await engine.close()
  }
}

/** A tree, and a sign at [leaf * BINS + level]. */
interface Signed {
  readonly tree: Tree
  readonly signs: ArrayLike<number>
}

/** The climb between trees and signs of measures/class/multicalibration.ts, from the same two starts. */
async function searchBoth(engine: Engine, encoding: Encoding, rounding: Rounding) {
  const compiled = compileAuditors(trees(), 'table', encoding)
  const levelValues = Int32Array.from(rounding.values)
  const cellBudget = AUDIT_OPTIONS.cellBudget.default
  const scope = { fold: FIT, cellBudget }
  const sumsOf = async (tree: Tree) =>
    (await engine.levelSums({ fold: FIT, levels: BINS, levelValues, trees: [tree] }))[0].residuals
  const request = {
    ...scope,
    engine,
    levels: BINS,
    levelValues,
    depth: 2,
    schemas: encoding.features,
    features: encoding.features.map((_, index) => index),
  } as const
  const judge = async (tree: Tree) => ({ tree, ...worstSigns(await sumsOf(tree), leafCount(tree), BINS) })
  const climb = async (start: Awaited<ReturnType<typeof judge>>) => {
    for (let best = start; ; ) {
      const channels = [{ score: 'absolute', projection: best.levelSigns }] as const
      const next = await judge((await searchTrees({ ...request, channels }))[0].tree)
      if (next.error <= best.error) return best
      best = next
    }
  }
  const { tree } = (await levelSetError(engine, compiled, rounding, scope))!
  const ones = new Array<number>(BINS).fill(1)
  const ends = [
    await climb(await judge(tree)),
    await climb({ tree, error: -1, leafSigns: [], levelSigns: ones }),
  ]
  const best = ends[1].error > ends[0].error ? ends[1] : ends[0]
  const multicalibration: Signed = {
    tree: best.tree,
    signs: best.leafSigns.flatMap(leaf => best.levelSigns.map(level => leaf * level)),
  }
  const levelSet: Signed = { tree, signs: (await sumsOf(tree)).map(sum => (sum < 0 ? -1 : 1)) }
  return { multicalibration, levelSet }
}

/** For a tree: the cell of every row, and its label less the rounded score. */
function makeCells({ labels, predictions, table }: TestRows, encoding: Encoding, { values }: Rounding) {
  const { bins } = encodeTable(encoding, table, {}, makeBinner().bin)
  const binCounts = encoding.features.map(binCount)
  return (tree: Tree) => {
    const flat = flattenTree(tree, binCounts)
    const cells = new Int32Array(labels.length)
    const residuals = new Float64Array(labels.length)
    for (let row = 0; row < labels.length; row++) {
      const level = levelOf(toUnits(predictions[row]), BINS)
      cells[row] = findLeaf(flat, bins, row, 0) * BINS + level
      residuals[row] = labels[row] - fromUnits(values[level])
    }
    return { cells, residuals }
  }
}

function signedSum(
  { cells, residuals }: { readonly cells: Int32Array; readonly residuals: Float64Array },
  signs: ArrayLike<number>,
): WorstSum {
  const shares = residuals.map((residual, row) => signs[cells[row]] * residual)
  return { value: meanOf(shares), shares }
}
