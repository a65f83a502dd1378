// Roles: which column is the label, the prediction, the weight, the fold and a feature. The result is what
// boosting needs to know of the rows; every rejection names its column and row, nothing is dropped in silence.

import { FeatureBoostError } from '../common/errors.ts'
import { formatCount } from '../common/text.ts'
import { MAX_TOTAL_WEIGHT } from '../common/units.ts'
import type { Column } from './column.ts'
import type { CopyRule } from './copies.ts'
import { checkFolds, emptyTally, readFold, tallyFolds } from './fold.ts'
import { constantLabel, isConstant, readLabel, readPrediction } from './probabilities.ts'
import { type RoleColumns, type Roles, resolveRoles } from './resolve.ts'
import { RowHasher, type RowHashes } from './rowHash.ts'
import type { ScoreScale } from './scoreScale.ts'
import { checkHoldout, type Holdout, splitByGroup, splitByHash } from './split.ts'
import type { Table } from './table.ts'
import { readWeights, type Weights } from './weights.ts'

export type { Roles } from './resolve.ts'
export type { Holdout } from './split.ts'

export interface Dataset {
  readonly rowCount: number
  readonly features: readonly Column[]
  /** In units of 2^-24. */
  readonly label: Int32Array
  /** Start predictions, in units. */
  readonly start: Int32Array
  readonly startKind: StartKind
  /** Absent when every row weighs 1. */
  readonly weight?: Int32Array
  /** Whole weight = round(given weight * weightScale), at least 1 if positive. */
  readonly weightScale: number
  /** Are all weights whole numbers, as they were given? */
  readonly whole: boolean
  /** 0 = fit, 1 = holdout; absent when every row is for fitting. */
  readonly fold?: Uint8Array
  /** A hash of each row, where they were asked for. */
  readonly key?: Int32Array
}

export type StartKind =
  | {
      readonly kind: 'column'
      readonly column: string
      /** How the column has its scores, where these are no probabilities. */
      readonly scale?: Exclude<ScoreScale, 'probability'>
    }
  | { readonly kind: 'constant'; readonly units: number }

/** `hashes`: of the rows, for who has them already. */
export function assignRoles(
  table: Table,
  roles: Roles,
  holdout?: Holdout,
  hashes?: () => RowHashes,
): Dataset {
  checkRowCount(table.rowCount)
  checkSplit(roles, holdout)
  const columns = resolveRoles(table, roles, holdout?.groupBy)
  const label = readLabel(columns.label)
  if (isConstant(label)) throw constantLabel(columns.label.name)
  const { scale, weight, whole }: Weights =
    columns.weight === undefined ? { scale: 1, whole: true } : readWeights(columns.weight)
  const given = columns.prediction && readPrediction(columns.prediction)
  const fold = assignFolds(
    columns,
    weight,
    holdout,
    hashes ?? (() => new RowHasher(holdout?.seed ?? 0, roles.copies).hash(columns)),
    roles.copies,
  )
  return {
    rowCount: table.rowCount,
    features: columns.features,
    label,
    ...startPredictions(columns.prediction, given, label, weight, fold),
    ...(weight === undefined ? {} : { weight }),
    weightScale: scale,
    whole,
    ...(fold === undefined ? {} : { fold }),
  }
}

export function checkRowCount(rowCount: number): void {
  if (rowCount === 0) throw new FeatureBoostError('FB_NO_ROWS', 'the table has no rows.')
  checkRowLimit(rowCount)
}

/** As soon as it is known that there are too many: before they are read, copied or kept, where somebody can tell. */
export function checkRowLimit(rowCount: number): void {
  if (rowCount <= MAX_TOTAL_WEIGHT) return
  const message = `the table has ${formatCount(rowCount)} rows, and each weighs at least 1.`
  throw new FeatureBoostError('FB_WEIGHT_RANGE', message, {
    found: rowCount,
    expected: `at most ${formatCount(MAX_TOTAL_WEIGHT)} rows, so that sums stay exact`,
  })
}

export function checkSplit({ fold }: Roles, holdout: Holdout | undefined): void {
  if (holdout === undefined) return
  checkHoldout(holdout)
  if (fold === undefined) return
  const message = `a fold column ("${fold}") and a holdout fraction were both given.`
  throw new FeatureBoostError('FB_OPTION_VALUE', message, { expected: 'one of the two' })
}

/** Undefined when every row is for fitting. */
function assignFolds(
  columns: RoleColumns,
  weight: Int32Array | undefined,
  holdout: Holdout | undefined,
  hashes: () => RowHashes,
  copies: CopyRule | undefined,
): Uint8Array | undefined {
  const fold = foldOf(columns, holdout, hashes)
  if (fold === undefined || (columns.fold !== undefined && !fold.includes(1))) return undefined
  const tally = emptyTally()
  tallyFolds(tally, fold, weight)
  checkFolds(tally, foldHint(columns, holdout, copies))
  return fold
}

/** The side of each row of a table or of a chunk; undefined where nothing is to be held out. */
export function foldOf(
  columns: RoleColumns,
  holdout: Holdout | undefined,
  hashes: () => RowHashes,
  before = 0,
): Uint8Array | undefined {
  if (columns.fold !== undefined) return readFold(columns.fold, before)
  if (holdout === undefined) return undefined
  if (columns.group !== undefined) return splitByGroup(columns.group, holdout, before)
  return splitByHash(hashes(), holdout)
}

/** What to do when a fold turns out to be empty. */
export function foldHint(
  columns: { readonly fold: Pick<Column, 'name'> | undefined },
  holdout: Holdout | undefined,
  copies: CopyRule = 'one',
): string {
  if (columns.fold !== undefined) return `Check column "${columns.fold.name}".`
  const more = holdout?.groupBy === undefined ? 'rows' : `values of "${holdout.groupBy}"`
  const hint = `Use more ${more}, another fraction or another seed, or name a fold column.`
  return holdout?.groupBy === undefined && copies === 'one' ? `${hint} ${ALIKE_HINT}` : hint
}

/** Rows that are alike are on one side, and there may be few kinds of them. */
export const ALIKE_HINT = 'Rows that are alike stay together, unless copies is "independent".'

/** Without a prediction: the weighted mean label of the rows for fitting. */
function startPredictions(
  prediction: Column | undefined,
  given: Int32Array | undefined,
  label: Int32Array,
  weight: Int32Array | undefined,
  fold: Uint8Array | undefined,
): { start: Int32Array; startKind: StartKind } {
  if (prediction !== undefined && given !== undefined)
    return { start: given, startKind: { kind: 'column', column: prediction.name } }
  const units = baseRate(label, weight, row => fold === undefined || fold[row] === 0)
  return { start: new Int32Array(label.length).fill(units), startKind: { kind: 'constant', units } }
}

export function baseRate(
  label: Int32Array,
  weight: Int32Array | undefined,
  isFit: (row: number) => boolean,
): number {
  let sum = 0
  let total = 0
  for (let row = 0; row < label.length; row++) {
    if (!isFit(row)) continue
    const counted = weight === undefined ? 1 : weight[row]
    sum += counted * label[row]
    total += counted
  }
  return Math.round(sum / total)
}
