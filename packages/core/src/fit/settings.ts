// From the options a user gives to the settings a fit runs with: every default filled in, every contradiction refused.

import type { BaselineSettings } from '../baselines/baseline.ts'
import { isBaseline } from '../baselines/baselines.ts'
import type { CheckpointStore } from '../boost/checkpoint.ts'
import type { MendedGroup } from '../boost/groups/mend.ts'
import type { Round } from '../boost/trace.ts'
import { type Auditors, trees } from '../classes/auditors.ts'
import type { FactorKind, Guarantee } from '../classes/factors.ts'
import { checkCombination, checkGuarantee, factorsFor, guaranteeOf } from '../classes/guarantees.ts'
import { checkAuditors } from '../classes/kinds/kinds.ts'
import type { CancelSignal } from '../common/cancel.ts'
import { FeatureBoostError } from '../common/errors.ts'
import type { Copies } from '../data/copies.ts'
import { checkArgument } from '../data/given.ts'
import type { Holdout, Roles } from '../data/roles.ts'
import type { MakeEngine } from '../engine/engine.ts'
import { defaultEngine } from '../engine/engines.ts'
import type { TreeGrown } from '../forest/growParts.ts'
import type { ForestRules } from '../forest/trainer.ts'
import { checkMethod, checkOptions } from '../options/check.ts'
import { growsForests, type Method, OPTIONS, type OptionName, type OptionValue } from '../options/options.ts'
import { type RecordedOptions, recordOptions } from '../options/recorded.ts'

/** What a fit does, in this order. */
export type FitPhase = 'reading' | 'learning' | 'loading' | 'boosting' | 'certifying'

/** Types that the table of options cannot tell: those of objects and functions. */
interface ObjectOptions {
  readonly auditors: Auditors
  readonly signal: CancelSignal
  readonly checkpoint: CheckpointStore
  readonly onRound: (round: Round) => void
  readonly onTree: (grown: TreeGrown) => void
  readonly onGroup: (mended: MendedGroup) => void
  readonly onStep: (steps: number) => void
  readonly onPhase: (phase: FitPhase) => void
  readonly onWarning: (sentence: string) => void
  readonly engine: MakeEngine
}

/** The options of a fit, as the table of options has them. */
export type FitOptions = Pick<FitValues, 'label'> & Partial<FitValues>

type FitValues = {
  readonly [Name in OptionName]: Name extends keyof ObjectOptions ? ObjectOptions[Name] : OptionValue<Name>
}

export interface Settings {
  readonly roles: Roles & { readonly copies: Copies }
  readonly protect: readonly string[]
  /** How label and score are written; rows have been read so. */
  readonly words: Pick<FitOptions, 'positive' | 'scoreScale' | 'dropMissingLabels'>
  readonly method: Method
  /** What was asked of a baseline; it has defaults of its own. */
  readonly baseline: BaselineSettings
  readonly holdout: Holdout | undefined
  /** In place of it, where the share was not asked for and rows turn out to be few. */
  readonly holdoutOfFew: Holdout | undefined
  readonly guarantee: Guarantee
  readonly epsilon: number
  readonly auditors: Auditors
  readonly factors: FactorKind
  readonly tolerance: number | undefined
  readonly slack: number
  readonly bins: number | undefined
  readonly stop: 'certificate' | 'validation'
  readonly patience: number
  /** What was asked of forests; the rest follows from the rows. */
  readonly forest: ForestChoice
  readonly learningRate: number
  readonly roundLimit: number
  readonly search: 'auto' | 'exhaustive' | 'greedy'
  readonly cellBudget: number
  /** Without coarse bins: as many as the rows are good for. */
  readonly quantize: { readonly bins: number; readonly coarseBins?: number; readonly rare: number }
  readonly confidence: number
  readonly chosenFrom: number
  /** What the model file keeps of the options. */
  readonly recorded: RecordedOptions
  readonly signal: CancelSignal | undefined
  readonly threads: number | undefined
  readonly checkpoint: CheckpointStore | undefined
  readonly onRound: (round: Round) => void
  readonly onTree: (grown: TreeGrown) => void
  readonly onGroup: (mended: MendedGroup) => void
  readonly onStep: (steps: number) => void
  readonly onPhase: (phase: FitPhase) => void
  readonly onWarning: (sentence: string) => void
  readonly engine: MakeEngine
}

/** The most rounds of Algorithm 1. */
const ROUND_LIMIT = 10_000

export function readSettings(options: FitOptions): Settings {
  checkOptions({ ...options })
  const { copies = OPTIONS.copies.default, label, prediction, weight, fold, features, except } = options
  const auditors = options.auditors ?? trees()
  checkAuditors(auditors)
  const guarantee = options.guarantee ?? defaultGuarantee(auditors, options.factors)
  const factors = options.factors ?? factorsFor(auditors, guarantee)
  checkCombination(auditors, factors)
  checkGuarantee(auditors, factors, guarantee)
  const stop = options.stop ?? OPTIONS.stop.default
  const method = options.method ?? OPTIONS.method.default
  checkMethod({ ...options }, method)
  if (options.method === undefined) checkLearned(auditors)
  checkCheckpoint(method, options.checkpoint)
  const search = options.search ?? OPTIONS.search.default
  const chosen = { auditors, factors, search, stop }
  return {
    roles: {
      label,
      ...(prediction !== undefined && { prediction }),
      ...(weight !== undefined && { weight }),
      ...(fold !== undefined && { fold }),
      ...(features !== undefined && { features }),
      ...(except !== undefined && { except }),
      copies,
    },
    protect: options.protect ?? [],
    words: readWordOptions(options),
    method,
    baseline: {
      seed: options.seed ?? OPTIONS.seed.default,
      bins: options.bins,
      learningRate: options.learningRate,
      roundLimit: options.roundLimit,
    },
    ...readHoldouts(options, method, stop),
    guarantee,
    epsilon: options.epsilon ?? OPTIONS.epsilon.default,
    auditors,
    factors,
    tolerance: options.tolerance,
    slack: options.slack ?? OPTIONS.slack.default,
    bins: options.bins,
    stop,
    patience: options.patience ?? OPTIONS.patience.default,
    forest: readForest(options, method),
    learningRate: options.learningRate ?? (stop === 'validation' && !mindsNoise(chosen) ? 0.3 : 1),
    roundLimit: options.roundLimit ?? ROUND_LIMIT,
    search,
    cellBudget: options.cellBudget ?? OPTIONS.cellBudget.default,
    quantize: {
      bins: options.featureBins ?? OPTIONS.featureBins.default,
      ...(options.coarseBins !== undefined && { coarseBins: options.coarseBins }),
      rare: options.rare ?? OPTIONS.rare.default,
    },
    confidence: options.confidence ?? OPTIONS.confidence.default,
    chosenFrom: options.chosenFrom ?? OPTIONS.chosenFrom.default,
    recorded: recordOptions(options, method),
    signal: options.signal,
    threads: options.threads,
    checkpoint: options.checkpoint,
    onRound: options.onRound ?? (() => {}),
    onTree: options.onTree ?? (() => {}),
    onGroup: options.onGroup ?? (() => {}),
    onStep: options.onStep ?? (() => {}),
    onPhase: options.onPhase ?? (() => {}),
    onWarning: options.onWarning ?? (() => {}),
    engine: options.engine ?? defaultEngine(options),
  }
}

/** A scale says how a score is written: without one it would say nothing. */
function readWordOptions({
  dropMissingLabels,
  positive,
  prediction,
  scoreScale,
}: FitOptions): Settings['words'] {
  if (scoreScale !== undefined && prediction === undefined)
    throw new FeatureBoostError(
      'FB_OPTION_VALUE',
      'scoreScale says how the score is written, and there is none.',
      {
        found: scoreScale,
        hint: 'Name the column of the score as prediction, or leave scoreScale out.',
      },
    )
  return {
    ...(positive !== undefined && { positive }),
    ...(scoreScale !== undefined && { scoreScale }),
    ...(dropMissingLabels !== undefined && { dropMissingLabels }),
  }
}

/** Do rounds choose the group that is most surely off? Only where held-out rows say when to stop, and all groups are searched. */
export const mindsNoise = ({
  auditors,
  factors,
  search,
  stop,
}: Pick<Settings, 'auditors' | 'factors' | 'search' | 'stop'>): boolean =>
  stop === 'validation' &&
  auditors.kind === 'trees' &&
  auditors.depth === 2 &&
  factors === 'table' &&
  search !== 'greedy'

/** What was asked of forests. */
interface ForestChoice {
  readonly rules?: Partial<ForestRules>
  readonly parts?: number
  readonly sampleRows: number
}

/** Rules in place of the usual ones, where any is given. */
function readForest(options: FitOptions, method: Method): ForestChoice {
  const { learningRate, leaves, parts, ridge, roundLimit, sampleRows } = options
  const rules = {
    ...(learningRate !== undefined && { rate: learningRate }),
    ...(leaves !== undefined && { leaves }),
    ...(ridge !== undefined && { ridge }),
    ...(roundLimit !== undefined && { roundLimit }),
  }
  const isAsked = growsForests(method) && Object.keys(rules).length > 0
  return {
    ...(isAsked && { rules }),
    ...(parts !== undefined && { parts }),
    sampleRows: sampleRows ?? OPTIONS.sampleRows.default,
  }
}

/** A forest does not look at auditors that are no trees: whoever declares some says whether they are to be learned or certified. */
function checkLearned(auditors: Auditors): void {
  if (auditors.kind === 'trees') return
  throw new FeatureBoostError(
    'FB_OPTION_METHOD',
    `the default method, "${OPTIONS.method.default}", does not learn from auditors that are no trees.`,
    {
      found: `${auditors.kind}(...)`,
      expected: 'a method',
      hint: `Say method "rounds" to learn from them, or method "${OPTIONS.method.default}" to have the certificate speak of them.`,
    },
  )
}

/** Most baselines are done in seconds, and what they do in between is their own. */
function checkCheckpoint(method: Method, checkpoint: CheckpointStore | undefined): void {
  if (checkpoint === undefined) return
  const { load, save } = checkpoint
  const keeps = typeof load === 'function' && typeof save === 'function'
  checkArgument('option "checkpoint"', checkpoint, keeps, 'a store with load() and save()')
  if (!isBaseline(method)) return
  throw new FeatureBoostError('FB_OPTION_VALUE', `method "${method}" keeps no checkpoint.`, {
    found: method,
    hint: 'Leave the checkpoint out, or use method "forest-rounds", "forest" or "rounds".',
  })
}

/** Multicalibration, unless the factors were chosen and give something else. */
function defaultGuarantee(auditors: Auditors, factors: FactorKind | undefined): Guarantee {
  return factors === undefined || factors === 'table'
    ? OPTIONS.guarantee.default
    : guaranteeOf(auditors, factors)
}

/** Shares that are held out by default, and where rows are few: docs/decisions/0027. */
const HELD_OUT = 0.1
const HELD_OUT_OF_FEW = 0.05

/** Rounds learn from held-out rows when to stop, and need as many of few rows as of many. */
function readHoldouts(
  options: FitOptions,
  method: Method,
  stop: 'certificate' | 'validation',
): Pick<Settings, 'holdout' | 'holdoutOfFew'> {
  const isDefault = options.holdout === undefined && stop === 'validation' && options.fold === undefined
  const holdout = readHoldout(options, options.holdout ?? (isDefault ? HELD_OUT : 0))
  const mayBeLess = isDefault && method !== 'rounds' && holdout !== undefined
  return { holdout, holdoutOfFew: mayBeLess ? { ...holdout, fraction: HELD_OUT_OF_FEW } : undefined }
}

function readHoldout({ fold, groupBy, seed }: FitOptions, fraction: number): Holdout | undefined {
  if (fraction > 0)
    return { fraction, seed: seed ?? OPTIONS.seed.default, ...(groupBy !== undefined && { groupBy }) }
  if (groupBy === undefined) return undefined
  throw new FeatureBoostError('FB_OPTION_VALUE', 'groupBy says how rows are held out, and none are.', {
    found: groupBy,
    hint:
      fold === undefined ? 'Set holdout to a share such as 0.2.' : 'Name a fold column or groupBy, not both.',
  })
}
