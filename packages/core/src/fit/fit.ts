// fit: data -> quantize -> boost -> round -> certify -> model. The whole flow, one level of detail.

import { isBaseline } from '../baselines/baselines.ts'
import { boost } from '../boost/boost.ts'
import { certificateStop, type StopRule, validationStop } from '../boost/stopping.ts'
import type { Trace } from '../boost/trace.ts'
import { certify, summarizeStart } from '../certify/certificate.ts'
import { splitOf } from '../certify/facts.ts'
import type { Plan } from '../certify/plan.ts'
import type { Auditors } from '../classes/auditors.ts'
import { type CompiledClass, compileAuditors } from '../classes/compile.ts'
import { describeUpdate } from '../classes/describe.ts'
import { functionsOf } from '../classes/kinds/kinds.ts'
import { protectedGroups } from '../classes/protected.ts'
import { FeatureBoostError } from '../common/errors.ts'
import { countUnits } from '../data/foldUnits.ts'
import { checkOptionsObject } from '../data/given.ts'
import type { Holdout, StartKind } from '../data/roles.ts'
import type { TableSource } from '../data/source.ts'
import type { Table } from '../data/table.ts'
import { readWords } from '../data/wording.ts'
import { type Engine, FIT, observationCount } from '../engine/engine.ts'
import type { ForestRows } from '../forest/forestRows.ts'
import { FEW_ROWS, type ForestHelper, startHelpers } from '../forest/growForest.ts'
import type { AuditSummary } from '../measures/class/summary.ts'
import { type AuditorsData, MODEL_FORMAT, MODEL_VERSION, type ModelRoles } from '../model/data.ts'
import { Model } from '../model/model.ts'
import { growsForests } from '../options/options.ts'
import { chooseOracle } from '../oracle/choose.ts'
import { sureOracle } from '../oracle/groups/sureOracle.ts'
import type { Oracle } from '../oracle/oracle.ts'
import { columnWarnings } from '../quantize/warnings.ts'
import { roundingsFor } from '../round/curve.ts'
import { type RowProfile, type RowStore, storeOf } from '../store/store.ts'
import { openKept } from './checkpoint.ts'
import { candidatesFor, makePlan, quantizeFor, type UsedParameters, useParameters } from './claim.ts'
import { boostForest, type Corrected, correctByBaseline, learningRows } from './correct.ts'
import { type RoundsOnNewRows, roundsOnNewRows } from './perRound.ts'
import { type FitOptions, mindsNoise, readSettings, type Settings } from './settings.ts'

/** A model, and how it came about. */
export interface Fitted {
  readonly model: Model
  readonly trace: Trace
  /** What epsilon asks for. */
  readonly plan: Plan
  /** What the fit ran with: the plan, unless tolerance or bins were set. */
  readonly used: UsedParameters
  /** What the paper proves of new rows for each round (Theorem 7.6): only of rounds with stop "certificate", on rows that are alike. */
  readonly newRows?: RoundsOnNewRows
  /** Rows that are exact copies of another. */
  readonly copyCount: number
}

/** A table, rows that come in chunks, or rows that stay where they are. */
export type FitRows = Table | TableSource | RowStore

/** Fits a model to rows and certifies it. `fitWithTrace` also returns how it came about. */
export async function fit(rows: FitRows, options: FitOptions): Promise<Model> {
  return (await fitWithTrace(rows, options)).model
}

/** Fits a model as `fit` does, and also returns how it came about. */
export async function fitWithTrace(rows: FitRows, options: FitOptions): Promise<Fitted> {
  checkOptionsObject(options)
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
  readonly copyCount: number
  readonly compiled: CompiledClass
  /** How rows were held out, where no fold column says it. */
  readonly holdout: Holdout | undefined
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
  const { auditors, factors, onPhase } = settings
  onPhase('reading')
  const { holdout, profile } = await profileRows(storeOf(rows, settings.engine), settings)
  onPhase('learning')
  const encoding = await profile.learn(auditors, quantizeFor(observationCount(profile), settings))
  // Refused now rather than when all is done.
  protectedGroups(settings.protect, encoding.features)
  const compiled = compileAuditors(auditors, factors, encoding)
  onPhase('loading')
  const engine = await profile.open(encoding, { functions: functionsOf(auditors) })
  return {
    engine,
    start: profile.startKind,
    copyCount: profile.copyCount,
    compiled,
    holdout,
    learningRows: () => learningRows(engine, encoding, profile.weightScale, settings),
  }
}

/** Few rows are read again, with fewer of them held out: how many there are is known only then. */
async function profileRows(
  store: RowStore,
  { holdout, holdoutOfFew, method, roles, signal }: Settings,
): Promise<{ profile: RowProfile; holdout: Holdout | undefined }> {
  const read = async (holdout: Holdout | undefined) => ({
    profile: await store.profile(roles, { holdout, sampled: method !== 'rounds', signal }),
    holdout,
  })
  const first = await read(holdout)
  return holdoutOfFew !== undefined && areFew(first.profile) ? await read(holdoutOfFew) : first
}

/** Rows that are worth more for learning than for telling how much was learned; of very few, a twentieth would tell nothing. */
function areFew({ units }: RowProfile): boolean {
  const count = countUnits(units)
  return count >= LEAST_OF_FEW && count < FEW_ROWS
}

const LEAST_OF_FEW = 2000

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
  const { compiled, copyCount, engine, start } = loaded
  const roles = modelRoles(settings, loaded.holdout)
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
    split: splitOf(roles),
    copies: settings.roles.copies,
    weighted: settings.roles.weight !== undefined,
    updates,
    before,
    claim: {
      guarantee: settings.guarantee,
      epsilon: settings.epsilon,
      tolerance,
      bins,
      budget: plan.budget,
      confidence: settings.confidence,
      candidates: candidatesFor(updates.length, settings),
    },
  })
  const model = new Model(
    {
      format: MODEL_FORMAT,
      version: MODEL_VERSION,
      roles,
      start: startOf(start, settings),
      encoding: compiled.encoding,
      auditors: auditorsData(settings.auditors),
      factors: settings.factors,
      cellBudget,
      options: settings.recorded,
      updates,
      roundings: await roundingsFor(engine, bins),
      certificate,
    },
    functionsOf(settings.auditors),
  )
  const { confidence, method, stop } = settings
  const isPrinted = method === 'rounds' && stop === 'certificate'
  const newRows = isPrinted ? roundsOnNewRows(engine, compiled, trace, { bins, confidence }) : undefined
  return { model, trace, plan, used, copyCount, ...(newRows !== undefined && { newRows }) }
}

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

function modelRoles({ protect, roles, words }: Settings, holdout: Holdout | undefined): ModelRoles {
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
