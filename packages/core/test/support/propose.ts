// What the oracle of a prepared class proposes, and whether the proposal keeps its word.

import { type Engine, FIT, meanLoss } from '../../src/engine/engine.ts'
import type { Update } from '../../src/engine/update.ts'
import { chooseOracle, type OracleOptions } from '../../src/oracle/choose.ts'
import type { Oracle, Proposal } from '../../src/oracle/oracle.ts'
import { countedRows, unclippedDrop } from './bruteForce.ts'
import { expectAtMost, expectClose } from './close.ts'
import type { Prepared } from './tables.ts'

export function oracleFor(
  { compiled, engine }: Prepared,
  levels: number,
  options: Partial<OracleOptions> = {},
): Oracle {
  const warn = () => {}
  return chooseOracle(compiled, engine.shape, { levels, cellBudget: 1e6, search: 'auto', warn, ...options })
}

export const proposeFor = (
  prepared: Prepared,
  levels: number,
  options: Partial<OracleOptions> = {},
): Promise<Proposal> => oracleFor(prepared, levels, options).propose(prepared.engine, FIT)

/** The drop of the fitting loss that an update makes. */
export async function dropOf(engine: Engine, update: Update): Promise<number> {
  const [before] = await engine.losses()
  const [after] = await engine.evaluate(update)
  return meanLoss(before) - meanLoss(after)
}

/**
 * The update gains exactly what was promised before it is rounded and clipped, and no less afterwards. Tables are
 * rounded at their best value, so that costs next to nothing; linear moves are rounded row by row, at most half a
 * unit each, so the loss moves by at most one unit.
 */
export async function expectAttained(prepared: Prepared, { gain, update }: Proposal): Promise<void> {
  expectClose(unclippedDrop(update, prepared, await countedRows(prepared)), gain)
  expectAtMost(gain, (await dropOf(prepared.engine, update)) + (update.kind === 'linear' ? 2 ** -24 : 0))
}
