// Everything in a model file that rows and recorded options give once more: the certificate, the roundings, where columns are cut, where
// predictions start, and what the claim takes from the plan. Computed from the rows as the file reads them, and compared value by value.

import { certify } from '../certify/certificate.ts'
import { type Difference, findDifferences } from '../certify/differences.ts'
import { type Certificate, splitOf } from '../certify/facts.ts'
import { type CompiledClass, compileAuditors } from '../classes/compile.ts'
import type { CancelSignal } from '../common/cancel.ts'
import type { StartKind } from '../data/roles.ts'
import type { TableSource } from '../data/source.ts'
import type { Table } from '../data/table.ts'
import { type Engine, type MakeEngine, observationCount } from '../engine/engine.ts'
import { candidatesFor, makePlan, quantizeFor, useParameters } from '../fit/claim.ts'
import { readSettings, type Settings } from '../fit/settings.ts'
import type { ModelData } from '../model/data.ts'
import type { Model } from '../model/model.ts'
import { auditorsOf, openingOf, profileRows } from '../model/modelRows.ts'
import { chooseOracle } from '../oracle/choose.ts'
import { roundingsFor } from '../round/curve.ts'
import type { RowProfile, RowStore } from '../store/store.ts'
import { recordedFit } from './recordedFit.ts'

export interface Recomputed {
  readonly differences: readonly Difference[]
  /** What the rows give. */
  readonly certificate: Certificate
}

export async function recompute(
  model: Model,
  rows: Table | TableSource | RowStore,
  makeEngine: MakeEngine,
  signal?: CancelSignal,
): Promise<Recomputed> {
  const { data } = model
  const settings = readSettings(recordedFit(model))
  const profile = await profileRows(model, rows, makeEngine, { learned: true, signal })
  const encoding = await profile.learn(settings.auditors, quantizeFor(observationCount(profile), settings))
  const engine = await profile.open(data.encoding, openingOf(model))
  try {
    const compiled = compileAuditors(auditorsOf(model), data.factors, data.encoding)
    const certificate = await certifyAgain(model, compiled, engine)
    // The engine stands at the predictions of the last update.
    const roundings = await roundingsFor(engine, data.certificate.claim.bins)
    const planned = await planAgain(model, compiled, engine, settings)
    const found = {
      certificate: { ...certificate, ...planned.certificate },
      start: startAgain(data.start, profile),
      encoding,
      ...planned.others,
      roundings,
    }
    return { differences: compare(data, found), certificate }
  } finally {
    await engine.close()
  }
}

/** Only what was found again is compared; paths are those of the file. */
function compare(data: ModelData, found: Partial<ModelData>): Difference[] {
  const keys = Object.keys(found) as (keyof ModelData)[]
  const stated = Object.fromEntries(keys.map(key => [key, data[key]]))
  return findDifferences(asJson(stated), asJson(found))
}

/** Without keys that are undefined, as a file has it. */
export const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** With the claim as it is stated: a claim that does not follow from the options is one difference, and not all of them. */
const certifyAgain = (model: Model, compiled: CompiledClass, engine: Engine): Promise<Certificate> => {
  const { cellBudget, certificate, roles, updates } = model.data
  return certify(engine, {
    compiled,
    auditors: auditorsOf(model),
    claim: certificate.claim,
    oracle: certificate.oracle,
    cellBudget,
    protect: roles.protect,
    split: splitOf(roles),
    copies: roles.copies,
    weighted: roles.weight !== undefined,
    updates,
  })
}

/** The base rate of the fitting rows, where there is no score. How a score is written is no fact of the rows. */
const startAgain = (stated: StartKind, { startKind }: RowProfile): StartKind =>
  stated.kind === 'column' ? stated : startKind

/** Everything that epsilon, auditors and method decide. */
async function planAgain(model: Model, compiled: CompiledClass, engine: Engine, settings: Settings) {
  const { certificate, options, roles, updates } = model.data
  const { cellBudget, factors, search } = settings
  const plan = await makePlan(engine, settings)
  const { bins, tolerance } = useParameters(plan, settings)
  const candidates = candidatesFor(updates.length, settings)
  const oracle = chooseOracle(compiled, engine.shape, { levels: bins, cellBudget, search, warn: () => {} })
  return {
    certificate: {
      claim: { ...certificate.claim, tolerance, bins, budget: plan.budget, candidates },
      oracle: oracle.kind,
    },
    // One seed decides both which rows are held out and what a method draws.
    others: {
      factors,
      options: { ...options!, ...(roles.holdout !== undefined && { seed: roles.holdout.seed }) },
    },
  }
}
