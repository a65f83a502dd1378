// From the options a user gives to the settings a fit runs with: every default filled in, every contradiction refused.

import type { Round } from './boost/trace.ts'
import { type Auditors, type FunctionAuditors, trees } from './classes/auditors.ts'
import {
  checkCombination,
  checkGuarantee,
  type FactorKind,
  factorsFor,
  type Guarantee,
  guaranteeOf,
} from './classes/factors.ts'
import type { CancelSignal } from './common/cancel.ts'
import { FeatureBoostError } from './common/errors.ts'
import type { Holdout, Roles } from './data/roles.ts'
import type { Engine, EngineRows } from './engine/engine.ts'
import { referenceEngine } from './engine/reference/reference.ts'
import { checkOptions, OPTIONS } from './options.ts'
import type { RowFunctions } from './quantize/signals.ts'

export interface FitOptions extends Roles {
  readonly guarantee?: Guarantee
  readonly epsilon?: number
  readonly auditors?: Auditors
  readonly factors?: FactorKind
  readonly tolerance?: number
  readonly slack?: number
  readonly bins?: number
  readonly stop?: 'certificate' | 'validation'
  readonly holdout?: number
  readonly patience?: number
  readonly learningRate?: number
  readonly roundLimit?: number
  readonly search?: 'auto' | 'exhaustive' | 'greedy'
  readonly cellBudget?: number
  readonly featureBins?: number
  readonly coarseBins?: number
  readonly rare?: number
  readonly confidence?: number
  readonly seed?: number
  readonly signal?: CancelSignal
  readonly onRound?: (round: Round) => void
  readonly onWarning?: (sentence: string) => void
  readonly engine?: (rows: EngineRows) => Engine
}

export interface Settings {
  readonly roles: Roles
  readonly holdout: Holdout | undefined
  readonly guarantee: Guarantee
  readonly epsilon: number
  readonly auditors: Auditors
  readonly factors: FactorKind
  readonly tolerance: number | undefined
  readonly slack: number
  readonly bins: number | undefined
  readonly stop: 'certificate' | 'validation'
  readonly patience: number
  readonly learningRate: number
  readonly roundLimit: number
  readonly search: 'auto' | 'exhaustive' | 'greedy'
  readonly cellBudget: number
  readonly quantize: { readonly bins: number; readonly coarseBins: number; readonly rare: number }
  readonly confidence: number
  readonly signal: CancelSignal | undefined
  readonly onRound: (round: Round) => void
  readonly onWarning: (sentence: string) => void
  readonly engine: (rows: EngineRows) => Engine
}

export function readSettings(options: FitOptions): Settings {
  checkOptions({ ...options })
  const { label, prediction, weight, fold, features, except } = options
  const auditors = options.auditors ?? trees()
  checkAuditors(auditors)
  const guarantee = options.guarantee ?? defaultGuarantee(auditors, options.factors)
  const factors = options.factors ?? factorsFor(auditors, guarantee)
  checkCombination(auditors, factors)
  checkGuarantee(auditors, factors, guarantee)
  const stop = options.stop ?? OPTIONS.stop.default
  return {
    roles: {
      label,
      ...(prediction !== undefined && { prediction }),
      ...(weight !== undefined && { weight }),
      ...(fold !== undefined && { fold }),
      ...(features !== undefined && { features }),
      ...(except !== undefined && { except }),
    },
    holdout: readHoldout(options, stop),
    guarantee,
    epsilon: options.epsilon ?? OPTIONS.epsilon.default,
    auditors,
    factors,
    tolerance: options.tolerance,
    slack: options.slack ?? OPTIONS.slack.default,
    bins: options.bins,
    stop,
    patience: options.patience ?? OPTIONS.patience.default,
    learningRate: readRate(options.learningRate ?? (stop === 'validation' ? 0.3 : 1)),
    roundLimit: options.roundLimit ?? OPTIONS.roundLimit.default,
    search: options.search ?? OPTIONS.search.default,
    cellBudget: options.cellBudget ?? OPTIONS.cellBudget.default,
    quantize: {
      bins: options.featureBins ?? OPTIONS.featureBins.default,
      coarseBins: Math.min(options.coarseBins ?? OPTIONS.coarseBins.default, options.featureBins ?? 255),
      rare: options.rare ?? OPTIONS.rare.default,
    },
    confidence: options.confidence ?? OPTIONS.confidence.default,
    signal: options.signal,
    onRound: options.onRound ?? (() => {}),
    onWarning: options.onWarning ?? (() => {}),
    engine: options.engine ?? referenceEngine,
  }
}

/** Multicalibration, unless the factors were chosen and give something else. */
function defaultGuarantee(auditors: Auditors, factors: FactorKind | undefined): Guarantee {
  return factors === undefined || factors === 'table'
    ? OPTIONS.guarantee.default
    : guaranteeOf(auditors, factors)
}

function readHoldout(options: FitOptions, stop: 'certificate' | 'validation'): Holdout | undefined {
  const fraction = options.holdout ?? (stop === 'validation' && options.fold === undefined ? 0.2 : 0)
  return fraction === 0 ? undefined : { fraction, seed: options.seed ?? OPTIONS.seed.default }
}

function readRate(rate: number): number {
  if (rate > 0) return rate
  throw new FeatureBoostError('FB_OPTION_VALUE', 'option "learningRate" is 0: nothing would ever move.', {
    found: rate,
    expected: 'a number above 0, at most 1',
  })
}

function checkAuditors(auditors: Auditors): void {
  const refuse = (message: string, expected: string) => {
    throw new FeatureBoostError('FB_OPTION_VALUE', message, { found: auditors, expected })
  }
  switch (auditors.kind) {
    case 'trees':
      if (![1, 2, 3, 4].includes(auditors.depth))
        refuse(`trees of depth ${auditors.depth}.`, 'a depth of 1, 2, 3 or 4')
      if (auditors.columns?.length === 0) refuse('trees without columns.', 'at least one column')
      break
    case 'linear':
      if (!(auditors.budget > 0 && Number.isFinite(auditors.budget))) {
        refuse(`a budget of ${auditors.budget}.`, 'a number above 0')
      }
      break
    case 'functions':
      checkFunctions(auditors, refuse)
      break
    case 'groups':
      if (auditors.groups.length === 0) refuse('no groups are declared.', 'at least one group')
      break
    default:
      refuse('auditors of an unknown kind.', 'groups(...), trees(...), linear(...) or functions(...)')
  }
}

function checkFunctions(
  auditors: FunctionAuditors,
  refuse: (message: string, expected: string) => void,
): void {
  if (Object.keys(auditors.functions).length === 0)
    refuse('no auditor functions are declared.', 'at least one function')
  const { valueBins } = auditors
  if (valueBins !== undefined && !(Number.isInteger(valueBins) && valueBins >= 2 && valueBins <= 64)) {
    refuse(`valueBins is ${valueBins}.`, 'a whole number from 2 to 64')
  }
}

/** The user's functions, or none. */
export const functionsOf = (auditors: Auditors): RowFunctions =>
  auditors.kind === 'functions' ? auditors.functions : {}
