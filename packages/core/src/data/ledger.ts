// What must be known of every row between two readings, kept where memory is no matter: a database, say. The survey of a source writes
// rows into it as they come, asks what all of them came to, and gets weights, folds and keys back in the order of rows.

import type { FoldUnits } from './foldUnits.ts'
import type { RowHashes } from './rowHash.ts'

/** The next rows. Which of these there are is the same for all rows of one source; arrays are the ledger's only until `add` is done. */
export interface LedgerRows {
  readonly rowCount: number
  /** What a sample is chosen by. */
  readonly key: Int32Array
  /** Of all that makes rows copies of each other, where copies are one. */
  readonly copy?: RowHashes
  /** Of the ids that rows have. */
  readonly id?: RowHashes
  /** As given. */
  readonly weight?: Float64Array
  readonly fold?: Uint8Array
  /** In units; only where rows start from the base rate. */
  readonly label?: Int32Array
}

/** Of weights as they were given. */
export interface WeightFacts {
  readonly areZero: boolean
  readonly areOne: boolean
  /** Whole numbers, all of them, with a total that stays exact. */
  readonly areWhole: boolean
  readonly largest: number
}

export interface LedgerFacts {
  /** Rows that are like an earlier one, where copies are one. */
  readonly copyCount: number
  /** Rows that weigh something; of copies that are one, the first. */
  readonly countedRows: number
  readonly units: readonly FoldUnits[]
  /** Is there a row that does not weigh 1? */
  readonly weighted: boolean
}

/** Rows for learning cuts, by their numbers among all rows. */
export interface LedgerSample {
  /** Ascending. */
  readonly rows: Int32Array
  readonly keys: Int32Array
  /** Absent: every row weighs 1. */
  readonly weight?: Int32Array
}

export interface LedgerChunk {
  readonly weight?: Int32Array
  readonly fold?: Uint8Array
  /** The key of each row: that of its id, where rows have ids. */
  readonly key: Int32Array
}

/** For the rows of one source. Who gave it lets go of it. */
export interface RowLedger {
  add(rows: LedgerRows): Promise<void>
  /** Of rows that have weights. */
  weights(): Promise<WeightFacts>
  /** The largest and the total of weights times a scale, each as scaleWeight has it. */
  scaled(scale: number): Promise<{ readonly largest: number; readonly total: number }>
  /** Rows of each fold, and those that weigh something. */
  folds(): Promise<{ readonly rows: [number, number]; readonly weighing: [number, number] }>
  /** Scales weights, where rows have any, and gives those of copies that are one to the first of them. `folded`: do folds count? */
  merge(scale: number | undefined, folded: boolean): Promise<LedgerFacts>
  /** Of merged fitting rows: the sum of weight times label, and that of weights. */
  labelSum(): Promise<{ readonly sum: number; readonly total: number }>
  /** Of merged fitting rows that weigh something, at most so many: those whose key is below the largest power of two that is small enough. */
  sample(most: number): Promise<LedgerSample>
  /** Of merged rows, all of them in order. */
  chunks(rowsPerChunk: number): AsyncIterable<LedgerChunk>
}
