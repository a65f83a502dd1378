// fit: data -> quantize -> boost -> round -> certify -> model. The whole flow, one level of detail.

import { isBaseline } from '../baselines/baselines.ts'
import { boost } from '../boost/boost.ts'
import { certificateStop, type StopRule, validationStop } from '../boost/stopping.ts'
import type { Trace } from '../boost/trace.ts'
import { certify, summarizeStart } from '../certify/certificate.ts'
import { splitOf } from '../certify/facts.ts'
import { type Plan, planParameters } from '../certify/plan.ts'
import type { Auditors } from '../classes/auditors.ts'
import { type CompiledClass, compileAuditors } from '../classes/compile.ts'
import { describeUpdate } from '../classes/describe.ts'
import { functionsOf, kindOf } from '../classes/kinds/kinds.ts'
import { protectedGroups } from '../classes/protected.ts'
import { FeatureBoostError } from '../common/errors.ts'
import { formatCount } from '../common/text.ts'
import type { StartKind } from '../data/roles.ts'
import type { TableSource } from '../data/source.ts'
import type { Table } from '../data/table.ts'
import { readWords } from '../data/wording.ts'
import { type Engine, FIT, meanLoss } from '../engine/engine.ts'
import type { ForestRows } from '../forest/forestRows.ts'
import { type ForestHelper, startHelpers } from '../forest/growForest.ts'
import type { AuditSummary } from '../measures/class/summary.ts'
import { type AuditorsData, MAX_LEVELS, MODEL_FORMAT, MODEL_VERSION, type ModelRoles } from '../model/data.ts'
import { Model } from '../model/model.ts'
import { growsForests } from '../options/options.ts'
import { chooseOracle } from '../oracle/choose.ts'
import { sureOracle } from '../oracle/groups/sureOracle.ts'
import type { Oracle } from '../oracle/oracle.ts'
import { columnWarnings } from '../quantize/warnings.ts'
import { roundingsFor } from '../round/curve.ts'
import { type RowStore, storeOf } from '../store/store.ts'
import { openKept } from './checkpoint.ts'
import { boostForest, type Corrected, correctByBaseline, learningRows } from './correct.ts'
import { type RoundsOnNewRows, roundsOnNewRows } from './perRound.ts'
import { type FitOptions, mindsNoise, readSettings, type Settings } from './settings.ts'

/** Multiaccuracy needs no rounding; its certificate measures the other rungs at this many bins. */
const MULTIACCURACY_BINS = 20

export interface Fitted {
  readonly model: Model
  readonly trace: Trace
  /** What epsilon asks for. */
  readonly plan: Plan
  /** What the fit ran with: the plan, unless tolerance or bins were set. */
  readonly used: UsedParameters
  /** What the paper proves of new rows for each round (Theorem 7.6): only of rounds with stop "certificate", on rows that are alike. */
  readonly newRows?: RoundsOnNewRows
}

export interface UsedParameters {
  readonly tolerance: number
  readonly slack: number
  readonly bins: number
}

/** A table, rows that come in chunks, or rows that stay where they are. */
export type FitRows = Table | TableSource | RowStore

/** Fits a model; `fitWithTrace` also tells how it came about. */
export async function fit(rows: FitRows, options: FitOptions): Promise<Model> {
  return (await fitWithTrace(rows, options)).model
}

export async function fitWithTrace(rows: FitRows, options: FitOptions): Promise<Fitted> {
  const settings = readSettings(options)
  const loaded = await loadEngine(readWords(rows, options), settings)
  try {
    const { compiled, engine } = loaded
    const { features } = compiled.encoding
    for (const warning of columnWarnings(features, engine.shape.rowCount, options.categorical))
      settings.onWarning(warning)
    return await fitOnEngine(loaded, settings)
  } finally {
    await loaded.close()
  }
}

export interface Loaded {
  readonly engine: Engine
  readonly start: StartKind
  readonly compiled: CompiledClass
  /** What forests and baselines learn from. */
  readonly learningRows: () => Promise<ForestRows>
  /** Threads that wait for these rows. */
  readonly helpers: readonly ForestHelper[]
  close(): Promise<void>
}

/** Rows in an engine, and threads to grow forests, which start meanwhile. What it took to get rows there is let go on return. */
export async function loadEngine(rows: FitRows, settings: Settings): Promise<Loaded> {
  const grows = growsForests(settings.method) && 'rowCount' in rows
  const helpers = grows ? startHelpers(rows.rowCount, settings.threads, settings.forest.parts) : []
  const stopHelpers = () => Promise.all(helpers.map(helper => helper.stop()))
  try {
    const loaded = await loadRows(rows, settings)
    const close = async () => {
      await Promise.all([stopHelpers(), loaded.engine.close()])
    }
    return { ...loaded, helpers, close }
  } catch (error) {
    await stopHelpers()
    throw error
  }
}

async function loadRows(rows: FitRows, settings: Settings): Promise<Omit<Loaded, 'helpers' | 'close'>> {
  const { auditors, factors, holdout, method, onPhase, quantize, roles, signal } = settings
  onPhase('reading')
  const store = storeOf(rows, settings.engine)
  const profile = await store.profile(roles, { holdout, sampled: method !== 'rounds', signal })
  onPhase('learning')
  const coarseBins = Math.min(
    quantize.coarseBins ?? coarseBinsFor(profile.countedRows, settings),
    quantize.bins,
  )
  const encoding = await profile.learn(auditors, { ...quantize, coarseBins })
  // Refused now rather than when all is done.
  protectedGroups(settings.protect, encoding.features)
  const compiled = compileAuditors(auditors, factors, encoding)
  onPhase('loading')
  const engine = await profile.open(encoding, { functions: functionsOf(auditors) })
  return {
    engine,
    start: profile.startKind,
    compiled,
    learningRows: () => learningRows(engine, encoding, profile.weightScale, settings),
  }
}

/**
 * So many that a pair of columns has some rows in every cell, about 128: finer groups could not be told from noise. Forests
 * split between fine bins and only their certificate is about these. Rounds and methods of groups learn with them, and groups
 * that are declared by column have to stay apart.
 */
function coarseBinsFor(rowCount: number, { auditors, method }: Settings): number {
  if (!growsForests(method) || auditors.kind !== 'trees')
    return rowCount < 2 ** 15 ? 16 : rowCount < 2 ** 18 ? 32 : 64
  return Math.max(8, Math.min(64, Math.round(Math.sqrt(rowCount / 128))))
}

interface Uncertified extends Pick<Fitted, 'plan' | 'used'>, Corrected {
  readonly oracle: Oracle
}

/** All but the certificate, which can take longer than the rest. `meanwhile` may ask the engine before it has moved. */
export async function correctOnEngine(
  loaded: Loaded,
  settings: Settings,
  meanwhile: (used: UsedParameters) => Promise<void> = async () => {},
): Promise<Uncertified> {
  const { compiled, engine } = loaded
  const { cellBudget } = settings
  const plan = await makePlan(engine, settings)
  const used = useParameters(plan, settings)
  const warn = settings.onWarning
  const oracle = chooseOracle(compiled, engine.shape, {
    levels: used.bins,
    cellBudget,
    search: settings.search,
    warn,
  })
  if (await fitsNoise(loaded, used, settings)) warn(NOISY)
  settings.onPhase('boosting')
  return { plan, used, oracle, ...(await correct(loaded, oracle, used, settings, meanwhile)) }
}

const NOISY =
  'stop "certificate" goes on until no update gains the tolerance on the fitting rows, and these are few enough for their noise to gain it: new rows may be predicted worse than before. Held-out rows tell; stop "validation" stops in time.'

/** By chance alone an update gains about its cells times the variance of labels over the rows, and the best of many some times that. */
async function fitsNoise(
  { compiled: { space }, engine }: Loaded,
  { bins, tolerance }: UsedParameters,
  { method, stop }: Settings,
): Promise<boolean> {
  if (method !== 'rounds' || stop !== 'certificate') return false
  const cells = bins * (space.kind === 'trees' ? 2 ** space.depth : 1)
  const { squaredWeight, weight } = (await engine.losses())[FIT]
  return 4 * cells * LABEL_VARIANCE * squaredWeight > tolerance * weight ** 2
}

/** The most that labels of 0 and 1 have. */
const LABEL_VARIANCE = 0.25

async function fitOnEngine(loaded: Loaded, settings: Settings): Promise<Fitted> {
  const { compiled, engine, start } = loaded
  const { cellBudget } = settings
  let before: AuditSummary | undefined
  const corrected = await correctOnEngine(loaded, settings, async ({ bins }) => {
    before = await summarizeStart(engine, compiled, bins, cellBudget)
  })
  const { oracle, plan, trace, updates, used } = corrected
  const { bins, tolerance } = used
  settings.onPhase('certifying')
  const certificate = await certify(engine, {
    compiled,
    auditors: settings.auditors,
    oracle: oracle.kind,
    cellBudget,
    protect: settings.protect,
    split: splitOf(modelRoles(settings)),
    copies: settings.roles.copies,
    updates,
    before,
    claim: {
      guarantee: settings.guarantee,
      epsilon: settings.epsilon,
      tolerance,
      bins,
      budget: plan.budget,
      confidence: settings.confidence,
      // Held-out rows have a say in which round is kept; of a forest they see nothing.
      candidates:
        settings.chosenFrom *
        (settings.method === 'rounds' && settings.stop === 'validation' ? priceOfRound(trace.keptCount) : 1),
    },
  })
  const model = new Model(
    {
      format: MODEL_FORMAT,
      version: MODEL_VERSION,
      roles: modelRoles(settings),
      start: startOf(start, settings),
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
  const { confidence, method, stop } = settings
  const isPrinted = method === 'rounds' && stop === 'certificate'
  const newRows = isPrinted ? roundsOnNewRows(engine, compiled, trace, { bins, confidence }) : undefined
  return { model, trace, plan, used, ...(newRows !== undefined && { newRows }) }
}

/**
 * Held-out rows chose the round, and any could have been chosen. Round k, from 0, takes the share 1 / ((k + 1)(k + 2)) of what may go
 * wrong; the shares of all rounds add up to 1, so none has to be known beforehand but its own.
 */
const priceOfRound = (round: number): number => (round + 1) * (round + 2)

async function correct(
  { compiled, engine, helpers, learningRows }: Loaded,
  oracle: Oracle,
  used: UsedParameters,
  settings: Settings,
  meanwhile: (used: UsedParameters) => Promise<void>,
): Promise<Corrected> {
  const { method } = settings
  if (isBaseline(method)) return correctByBaseline(method, engine, await learningRows(), compiled, settings)
  const kept = await openKept(engine, compiled.encoding, settings)
  if (growsForests(method)) {
    const work = { rows: await learningRows(), helpers, kept, meanwhile: () => meanwhile(used) }
    return boostForest(engine, work, compiled.encoding, settings)
  }
  return boost(engine, {
    oracle: mindsNoise(settings) ? sureOracleOf(compiled, used, settings) : oracle,
    stop: stopRule(engine, used, settings),
    learningRate: settings.learningRate,
    roundLimit: settings.roundLimit,
    describe: ({ importance, update }) => describeUpdate(update, compiled.encoding, importance),
    onRound: settings.onRound,
    log: kept?.rounds('boosting'),
    signal: settings.signal,
  })
}

function sureOracleOf(
  { encoding, space }: CompiledClass,
  { bins }: UsedParameters,
  settings: Settings,
): Oracle {
  const features = space.kind === 'trees' ? space.features : []
  return sureOracle({ schemas: encoding.features, features, cellBudget: settings.cellBudget, levels: bins })
}

/** Tolerance and bins from epsilon. */
async function makePlan(engine: Engine, settings: Settings): Promise<Plan> {
  const { auditors, epsilon, factors } = settings
  // Level-set factors bound the level-set error, and that bounds the weaker errors.
  const guarantee = factors === 'level-sets' ? 'level-set' : settings.guarantee
  const startLoss = meanLoss((await engine.losses())[FIT])
  const kind = kindOf(auditors)
  const [valueBins, budget] = [kind.valueBins(auditors), kind.budget(auditors)]
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

/** Where a prediction starts, with the scale that the score was given in. */
function startOf(start: StartKind, { words: { scoreScale } }: Settings): StartKind {
  const isPlain = scoreScale === undefined || scoreScale === 'probability'
  return start.kind === 'constant' || isPlain ? start : { ...start, scale: scoreScale }
}

function modelRoles({ holdout, protect, roles, words }: Settings): ModelRoles {
  return {
    label: roles.label,
    ...(words.positive !== undefined && { positive: words.positive }),
    ...(words.dropMissingLabels && { dropMissingLabels: true }),
    ...(roles.weight !== undefined && { weight: roles.weight }),
    ...(roles.fold !== undefined && { fold: roles.fold }),
    ...(holdout !== undefined && { holdout }),
    copies: roles.copies,
    ...(protect.length > 0 && { protect: [...protect] }),
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
