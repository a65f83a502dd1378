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
import { type SignedCells, worstCells } from '../../packages/core/src/measures/class/multicalibration.ts'
import { AUDIT_OPTIONS } from '../../packages/core/src/options/options.ts'
import { type Encoding, encodeTable } from '../../packages/core/src/quantize/encoding.ts'
import { binCount } from '../../packages/core/src/quantize/schema.ts'
import { discretize, type Rounding } from '../../packages/core/src/round/discretize.ts'
import { encodedSource, learnEncoding } from '../../packages/core/src/store/encode.ts'
import type { Tree } from '../../packages/core/src/update/update.ts'
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
  const opened = await openRows(rows.table, {
    label: rows.label,
    prediction: rows.score,
    copies: 'independent',
  })
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

async function searchBoth(engine: Engine, encoding: Encoding, rounding: Rounding) {
  const compiled = compileAuditors(trees(), 'table', encoding)
  const levelValues = Int32Array.from(rounding.values)
  const scope = { fold: FIT, cellBudget: AUDIT_OPTIONS.cellBudget.default }
  const { tree } = (await levelSetError(engine, compiled, rounding, scope))!
  const [{ residuals }] = await engine.levelSums({ fold: FIT, levels: BINS, levelValues, trees: [tree] })
  const levelSet: SignedCells = { tree, signs: Array.from(residuals, sum => (sum < 0 ? -1 : 1)) }
  return { multicalibration: await worstCells(engine, compiled, rounding, scope), levelSet }
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
