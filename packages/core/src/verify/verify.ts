// verify: a model file held against the rows, trusting neither the file nor the training run. What rows give is computed again and
// compared; on request also what the reader expects of the claim, and the whole file with a repeated fit.

import type { Difference } from '../certify/differences.ts'
import type { Certificate } from '../certify/facts.ts'
import type { CancelSignal } from '../common/cancel.ts'
import { checkOptionsObject, checkRows } from '../data/given.ts'
import type { TableSource } from '../data/source.ts'
import type { Table } from '../data/table.ts'
import type { MakeEngine } from '../engine/engine.ts'
import { defaultEngine } from '../engine/engines.ts'
import type { FitPhase } from '../fit/settings.ts'
import { checkModel, type Model } from '../model/model.ts'
import type { RowStore } from '../store/store.ts'
import { asLearned } from './asLearned.ts'
import { checkExpectations, type Expectations, findShortfalls, type Shortfall } from './expect.ts'
import { recompute } from './recompute.ts'
import { type Refit, refit } from './refit.ts'

/** What verify found. */
export interface Verification {
  /** Is everything as it should be: what rows give, what was expected, and the repeated fit, as far as these were asked for? */
  readonly matches: boolean
  /** Where the file says something else than the rows give; paths are those of the file. */
  readonly differences: readonly Difference[]
  /** Where the file claims something else, or less, than was expected. */
  readonly shortfalls: readonly Shortfall[]
  /** Only where the fit was repeated. */
  readonly refit?: Refit
  /**
   * What stands behind the statement on new rows: "claimed" is the file's word that held-out rows were kept out of the fit, "refitted"
   * means that the fit was repeated without them and gave this file. Absent where nothing is stated of new rows.
   */
  readonly newRows?: 'claimed' | 'refitted'
  /** As the rows give it. */
  readonly certificate: Certificate
}

export interface VerifyOptions {
  /** What the file is to claim, by name: `{ epsilon: 0.05, confidence: 0.95 }`. */
  readonly expect?: Expectations
  /** Is the fit to be repeated, and its file compared byte by byte? */
  readonly refit?: boolean
  readonly engine?: MakeEngine
  readonly threads?: number
  readonly signal?: CancelSignal
  /** Called with the name of every phase of a repeated fit. */
  readonly onPhase?: (phase: FitPhase) => void
}

/**
 * Computes a model's certificate again from the rows and names every difference; with `expect` and
 * `refit` also whether it claims enough and whether the fit can be repeated.
 */
export async function verify(
  model: Model,
  table: Table | TableSource | RowStore,
  options: VerifyOptions = {},
): Promise<Verification> {
  checkModel(model)
  checkOptionsObject(options)
  const { expect = {}, signal } = options
  checkExpectations(expect)
  const rows = asLearned(model.data, checkRows(table))
  const found = await recompute(model, rows, options.engine ?? defaultEngine(options), signal)
  const shortfalls = findShortfalls(model, expect)
  const repeated = options.refit ? await refit(model, rows, refitOptions(options)) : undefined
  return {
    matches: found.differences.length === 0 && shortfalls.length === 0 && (repeated?.matches ?? true),
    ...found,
    shortfalls,
    ...(repeated !== undefined && { refit: repeated }),
    ...(speaksOfNewRows(model.certificate) && { newRows: repeated?.matches ? 'refitted' : 'claimed' }),
  }
}

const refitOptions = ({ engine, onPhase, signal, threads }: VerifyOptions) => ({
  ...(engine !== undefined && { engine }),
  ...(onPhase !== undefined && { onPhase }),
  ...(signal !== undefined && { signal }),
  ...(threads !== undefined && { threads }),
})

const speaksOfNewRows = ({ heldOut, protected: groups = [] }: Certificate): boolean =>
  heldOut !== undefined || groups.some(group => group.heldOut !== undefined)
