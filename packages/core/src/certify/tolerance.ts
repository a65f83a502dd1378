// The realized tolerance alpha-hat: the most that any update of a class still gains on the FINAL predictions, found by
// exhaustive search. Every bound holds with it in place of alpha, whatever produced the predictions (THEORY section 3).

import type { AuditorSpace, CompiledClass } from '../classes/compile.ts'
import { describeUpdate } from '../classes/describe.ts'
import type { FactorKind } from '../classes/factors.ts'
import { formatCount } from '../common/text.ts'
import { type Engine, type EngineShape, FIT } from '../engine/engine.ts'
import { chooseOracle, levelsFor } from '../oracle/choose.ts'
import { searchCells } from '../oracle/search.ts'
import type { Update } from '../update/update.ts'

export interface RealizedTolerance {
  readonly factors: FactorKind
  /** alpha-hat, before clipping: no update of the class gains more. */
  readonly tolerance: number
  /** False where rank-one moves are only bounded by the table class that contains them. */
  readonly attained: boolean
  readonly worst: string
  readonly update: Update
}

/** The class that can be searched exhaustively: trees of depth 2, or of depth 1 beyond the cell budget. */
interface CertifiedClass {
  readonly compiled: CompiledClass
  /** Why it is smaller than the class that was boosted, if it is. */
  readonly note?: string
}

export function certifiedClass(
  compiled: CompiledClass,
  shape: Pick<EngineShape, 'coarseCounts'>,
  levels: number,
  cellBudget: number,
): CertifiedClass {
  const { space } = compiled
  if (space.kind !== 'trees') return { compiled }
  const cells = searchCells(shape.coarseCounts, space.features, levels)
  if (space.depth > 1 && cells > cellBudget) {
    return {
      compiled: withDepth(compiled, space, 1),
      note: `Depth 2 would need ${formatCount(cells)} cells, more than the budget of ${formatCount(cellBudget)}: certified for trees of depth 1 only.`,
    }
  }
  if (space.depth <= 2) return { compiled }
  return {
    compiled: withDepth(compiled, space, 2),
    note: `Trees of depth ${space.depth} were grown greedily; what is proven is proven for trees of depth 2.`,
  }
}

const withDepth = (
  compiled: CompiledClass,
  space: AuditorSpace & { kind: 'trees' },
  depth: number,
): CompiledClass => ({ ...compiled, space: { ...space, depth } })

/** The richest factors that these auditors go with: tables, or weighted bins for functions without value bins. */
export function strongestFactors({ space }: CompiledClass): FactorKind {
  return space.kind === 'signals' && !space.span ? 'weighted' : 'table'
}

export async function realizedTolerance(
  engine: Engine,
  compiled: CompiledClass,
  factors: FactorKind,
  levels: number,
  cellBudget: number,
): Promise<RealizedTolerance> {
  const oracle = chooseOracle({ ...compiled, factors }, engine.shape, {
    levels: levelsFor(factors, levels),
    cellBudget,
    search: 'exhaustive',
    warn: () => {},
  })
  const proposal = await oracle.propose(engine, FIT)
  const slack = proposal.slack ?? 0
  return {
    factors,
    tolerance: Math.max(0, proposal.gain) + slack,
    attained: slack === 0,
    worst: describeUpdate(proposal.update, compiled.encoding, proposal.importance),
    update: proposal.update,
  }
}
