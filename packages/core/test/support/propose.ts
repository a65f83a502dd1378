// What the oracle of a prepared class proposes, and whether the proposal keeps its word.

import { type Engine, FIT, meanLoss } from '../../src/engine/engine.ts'
import { chooseOracle, type OracleOptions } from '../../src/oracle/choose.ts'
import type { Oracle, Proposal } from '../../src/oracle/oracle.ts'
import type { Update } from '../../src/update/update.ts'
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

/** Rounding a move by half a unit costs at most one unit of the loss. */
const ROUNDING = 2 ** -24

/** Once applied, and clipped, the update gains what was promised. */
export async function expectGain(engine: Engine, { gain, update }: Proposal): Promise<void> {
  expectAtMost(gain, (await dropOf(engine, update)) + ROUNDING)
}

/**
 * The same, and unclipped it gains exactly what was promised. Tables whose values are the best of their cells lose next
 * to nothing by rounding; signed ones are off their cells' best, so rounding shows.
 */
export async function expectAttained(prepared: Prepared, proposal: Proposal): Promise<void> {
  const { gain, update } = proposal
  const unclipped = unclippedDrop(update, prepared, await countedRows(prepared))
  await expectGain(prepared.engine, proposal)
  if (update.kind === 'table' && prepared.compiled.factors === 'signed') {
    expectAtMost(Math.abs(unclipped - gain), ROUNDING)
    return
  }
  // Coefficients of linear moves are solved: where signals almost repeat each other they are good to eight digits.
  expectClose(unclipped, gain, update.kind === 'linear' ? 1e-8 : undefined)
  if (update.kind === 'table') expectAtMost(gain, await dropOf(prepared.engine, update))
}
