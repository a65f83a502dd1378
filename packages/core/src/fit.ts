// fit: data -> quantize -> boost -> round -> certify -> model. The whole flow, one level of detail.

import { boost } from './boost/boost.ts'
import { certificateStop, type StopRule, validationStop } from './boost/stopping.ts'
import type { Trace } from './boost/trace.ts'
import { certify } from './certify/certificate.ts'
import { splitOf } from './certify/facts.ts'
import { type Plan, planParameters } from './certify/plan.ts'
import { openStages } from './checkpoint.ts'
import type { Auditors } from './classes/auditors.ts'
import { type CompiledClass, compileAuditors } from './classes/compile.ts'
import { describeUpdate } from './classes/describe.ts'
import { valueBinsOf } from './classes/factors.ts'
import { FeatureBoostError } from './common/errors.ts'
import { formatCount } from './common/text.ts'
import type { StartKind } from './data/roles.ts'
import { openRows } from './data/rows.ts'
import type { TableSource } from './data/source.ts'
import type { Table } from './data/table.ts'
import { encodedSource, learnEncoding } from './encode.ts'
import { type Engine, FIT, meanLoss } from './engine/engine.ts'
import { makeSorter } from './engine/memory/sorter.ts'
import { type AuditorsData, MAX_LEVELS, MODEL_FORMAT, MODEL_VERSION, type ModelRoles } from './model/data.ts'
import { Model } from './model/model.ts'
import { chooseOracle } from './oracle/choose.ts'
import { roundingsFor } from './round/curve.ts'
import { type FitOptions, functionsOf, readSettings, type Settings } from './settings.ts'

/** Multiaccuracy needs no rounding; its certificate measures the other rungs at this many bins. */
const MULTIACCURACY_BINS = 20

export interface Fitted {
  readonly model: Model
  readonly trace: Trace
  /** What epsilon asks for. */
  readonly plan: Plan
  /** What the fit ran with: the plan, unless tolerance or bins were set. */
  readonly used: UsedParameters
}

export interface UsedParameters {
  readonly tolerance: number
  readonly slack: number
  readonly bins: number
}

/** Fits a model to a table, or to rows that come in chunks; `fitWithTrace` also tells how it came about. */
export async function fit(table: Table | TableSource, options: FitOptions): Promise<Model> {
  return (await fitWithTrace(table, options)).model
}

export async function fitWithTrace(table: Table | TableSource, options: FitOptions): Promise<Fitted> {
  const settings = readSettings(options)
  const { compiled, engine, start } = await loadEngine(table, settings)
  try {
    return await fitOnEngine(engine, start, compiled, settings)
  } finally {
    await engine.close()
  }
}

/** Rows in an engine. What it took to get them there is let go on return. */
async function loadEngine(table: Table | TableSource, settings: Settings) {
  const { auditors, factors, holdout, onPhase, quantize, roles, signal } = settings
  onPhase('reading')
  const rows = await openRows(table, roles, { holdout, signal })
  onPhase('learning')
  const encoding = learnEncoding(rows.learnable, auditors, { ...quantize, sort: makeSorter().sort })
  const compiled = compileAuditors(auditors, factors, encoding)
  onPhase('loading')
  const engine = await settings.engine(encodedSource(rows, encoding, functionsOf(auditors)))
  return { compiled, engine, start: rows.startKind }
}

async function fitOnEngine(
  engine: Engine,
  start: StartKind,
  compiled: CompiledClass,
  settings: Settings,
): Promise<Fitted> {
  const { cellBudget, learningRate, roundLimit, search, signal } = settings
  const plan = await makePlan(engine, settings)
  const used = useParameters(plan, settings)
  const { bins, tolerance } = used
  const warn = settings.onWarning
  const oracle = chooseOracle(compiled, engine.shape, { levels: bins, cellBudget, search, warn })
  settings.onPhase('boosting')
  const stages = await openStages(engine, compiled.encoding, settings)
  const { updates, trace } = await boost(engine, {
    oracle,
    stop: stopRule(engine, used, settings),
    learningRate,
    roundLimit,
    describe: ({ importance, update }) => describeUpdate(update, compiled.encoding, importance),
    onRound: settings.onRound,
    log: stages('boosting'),
    signal,
  })
  settings.onPhase('certifying')
  const certificate = await certify(engine, {
    compiled,
    auditors: settings.auditors,
    oracle: oracle.kind,
    cellBudget,
    split: splitOf(modelRoles(settings)),
    updates,
    claim: {
      guarantee: settings.guarantee,
      epsilon: settings.epsilon,
      tolerance,
      bins,
      budget: plan.budget,
      confidence: settings.confidence,
      candidates: settings.stop === 'validation' ? trace.rounds.length + 1 : 1,
    },
  })
  const model = new Model(
    {
      format: MODEL_FORMAT,
      version: MODEL_VERSION,
      roles: modelRoles(settings),
      start,
      encoding: compiled.encoding,
      auditors: auditorsData(settings.auditors),
      factors: settings.factors,
      cellBudget,
      updates,
      roundings: await roundingsFor(engine, bins),
      certificate,
    },
    functionsOf(settings.auditors),
  )
  return { model, trace, plan, used }
}

/** Tolerance and bins from epsilon. */
async function makePlan(engine: Engine, settings: Settings): Promise<Plan> {
  const { auditors, epsilon, factors } = settings
  // Level-set factors bound the level-set error, and that bounds the weaker errors.
  const guarantee = factors === 'level-sets' ? 'level-set' : settings.guarantee
  const startLoss = meanLoss((await engine.losses())[FIT])
  const valueBins = valueBinsOf(auditors)
  const budget = auditors.kind === 'linear' ? auditors.budget : 1
  return planParameters({ epsilon, guarantee, factors, budget, valueBins, startLoss })
}

function useParameters(plan: Plan, settings: Settings): UsedParameters {
  const { slack } = settings
  const tolerance = settings.tolerance ?? plan.tolerance
  if (slack >= tolerance) {
    throw new FeatureBoostError('FB_PLAN', `slack ${slack} is not below the tolerance ${tolerance}.`, {
      found: slack,
      expected: `less than ${tolerance}`,
    })
  }
  return { tolerance, slack, bins: settings.bins ?? plannedBins(plan) }
}

function plannedBins({ bins, epsilon }: Plan): number {
  if (bins <= MAX_LEVELS) return bins > 1 ? bins : MULTIACCURACY_BINS
  throw new FeatureBoostError('FB_PLAN', `epsilon ${epsilon} needs ${formatCount(bins)} prediction bins.`, {
    found: bins,
    expected: `at most ${formatCount(MAX_LEVELS)}`,
    hint: 'Ask for a larger epsilon, or set bins.',
  })
}

function stopRule(engine: Engine, used: UsedParameters, settings: Settings): StopRule {
  if (settings.stop === 'certificate')
    return certificateStop(used.tolerance, used.slack, settings.learningRate)
  if (engine.shape.foldCount > 1) return validationStop(settings.patience)
  throw new FeatureBoostError('FB_NO_ROWS', 'stop "validation" needs held-out rows, and there are none.', {
    hint: 'Set holdout to a share such as 0.2, name a fold column with "holdout" rows, or use stop "certificate".',
  })
}

function modelRoles({ holdout, roles }: Settings): ModelRoles {
  return {
    label: roles.label,
    ...(roles.weight !== undefined && { weight: roles.weight }),
    ...(roles.fold !== undefined && { fold: roles.fold }),
    ...(holdout !== undefined && { holdout }),
  }
}

function auditorsData(auditors: Auditors): AuditorsData {
  if (auditors.kind !== 'functions') return structuredCopy(auditors)
  const { valueBins } = auditors
  return {
    kind: 'functions',
    functions: Object.keys(auditors.functions),
    ...(valueBins !== undefined && { valueBins }),
  }
}

/** A copy that the user cannot change afterwards. */
const structuredCopy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
