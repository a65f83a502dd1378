// Auditors B: the test functions b(x) whose every average the predictor must get right. What a user declares;
// compile.ts turns it into what the oracles search.

import { FeatureBoostError } from '../common/errors.ts'
import { formatCount } from '../common/text.ts'
import { checkOptionsObject } from '../data/given.ts'
import type { Value } from '../data/table.ts'
import type { RowFunctions } from '../quantize/signals.ts'

/** One condition on one column. Missing values satisfy it only if it says so. */
export type Predicate = { readonly column: string } & (
  | ({ readonly orMissing?: boolean } & ValueTest)
  | { readonly missing: boolean }
)

export type ValueTest =
  | { readonly is: Value }
  | { readonly in: readonly Value[] }
  | { readonly notIn: readonly Value[] }
  | { readonly atMost: Bound }
  | { readonly below: Bound }
  | { readonly atLeast: Bound }
  | { readonly above: Bound }

/** A number, or for columns of dates and times text such as "2024-06-14", "2024-06-14 12:30:00" or "12:30:00". */
export type Bound = number | string

/** A column name stands for every value of that column; a list of predicates is their conjunction. */
export type GroupSpec =
  | string
  | Predicate
  | readonly Predicate[]
  | { readonly name: string; readonly where: readonly Predicate[] }

export interface GroupAuditors {
  readonly kind: 'groups'
  readonly groups: readonly GroupSpec[]
  /** Also the overlap of every two declared groups that test different columns. */
  readonly pairs: boolean
}

export interface TreeAuditors {
  readonly kind: 'trees'
  readonly depth: number
  /** Columns the trees may split on; absent: every feature. */
  readonly columns?: readonly string[]
}

export interface LinearAuditors {
  readonly kind: 'linear'
  readonly columns?: readonly string[]
  /** M: the bound on E[b(x)^2] under which the guarantee speaks. */
  readonly budget: number
}

export interface FunctionAuditors {
  readonly kind: 'functions'
  /** Each maps a row to a number in [-1,1]. */
  readonly functions: RowFunctions
  /** Number of equal-width value bins S' of [-1,1]; needed by level sets and tables. */
  readonly valueBins?: number
}

export type Auditors = GroupAuditors | TreeAuditors | LinearAuditors | FunctionAuditors

/** Membership in declared groups, each as a 0/1 function; everyone is always one of them. */
export function groups(specs: readonly GroupSpec[], options: { pairs?: boolean } = {}): GroupAuditors {
  checkOptionsObject(options)
  if (Array.isArray(specs) && specs.length > MOST_GROUPS)
    throw new FeatureBoostError('FB_OPTION_VALUE', `${formatCount(specs.length)} groups are declared.`, {
      path: 'groups',
      expected: `at most ${formatCount(MOST_GROUPS)}, where one that names a column counts once`,
    })
  return { kind: 'groups', groups: specs, pairs: options.pairs ?? false }
}

/** Each is searched at all levels of the score, about a hundredth of a second for each: more would take hours. */
const MOST_GROUPS = 10_000

/** Decision trees with leaf values in [-1,1] and splits `x <= cut`, `category = c` and `missing`. */
export function trees(options: { depth?: number; columns?: readonly string[] } = {}): TreeAuditors {
  checkOptionsObject(options)
  const depth = options.depth ?? 2
  return { kind: 'trees', depth, ...(options.columns && { columns: options.columns }) }
}

/** Linear functions of the numeric columns and of category indicators. */
export function linear(options: { columns?: readonly string[]; budget?: number } = {}): LinearAuditors {
  checkOptionsObject(options)
  return { kind: 'linear', budget: options.budget ?? 1, ...(options.columns && { columns: options.columns }) }
}

/** The user's own functions of a row. */
export function functions(named: RowFunctions, options: { valueBins?: number } = {}): FunctionAuditors {
  checkOptionsObject(options)
  const { valueBins } = options
  return { kind: 'functions', functions: named, ...(valueBins !== undefined && { valueBins }) }
}
