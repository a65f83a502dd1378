// Where rows live before they are encoded: a table, chunks of one, or a place that rows do not leave. A store checks the rows, learns
// from them where columns are cut, and opens an engine whose bins, folds and keys were made there. The learner asks for nothing else.

import type { Auditors } from '../classes/auditors.ts'
import type { CancelSignal } from '../common/cancel.ts'
import { openByLedger, openRows } from '../data/openRows.ts'
import type { LearnableRows, RoleRows } from '../data/roleRows.ts'
import type { Holdout, Roles } from '../data/roles.ts'
import { isSource, type TableSource } from '../data/source.ts'
import type { Table } from '../data/table.ts'
import type { Engine, MakeEngine } from '../engine/engine.ts'
import type { RowSource } from '../engine/engineRows.ts'
import { fingerprintSource } from '../engine/fingerprint.ts'
import { makeSorter } from '../kernels/sorter.ts'
import type { Encoding } from '../quantize/encoding.ts'
import type { QuantizeOptions } from '../quantize/quantize.ts'
import type { RowFunctions } from '../quantize/signals.ts'
import { type EncodableRows, encodedSource, learnEncoding } from './encode.ts'

/** Rows that stay where they are, behind three questions. */
export interface RowStore {
  /** Checks every row, and says what there is to know before columns are cut. */
  profile(roles: Roles, options?: ProfileOptions): Promise<RowProfile>
}

export interface ProfileOptions {
  /** Which rows are held out; a fold column says so itself. */
  readonly holdout?: Holdout | undefined
  /** Is a sample to be taken from the rows? */
  readonly sampled?: boolean
  /** Is noise to be drawn by them, as in an audit? Default: no. */
  readonly noisy?: boolean
  /** Is an encoding to be learned? Default: yes. */
  readonly learned?: boolean
  readonly signal?: CancelSignal | undefined
}

export interface RowProfile extends Omit<RoleRows, 'keyed' | 'weight' | 'learnable' | 'chunks'> {
  /** Where columns are cut and which categories there are, from the fitting rows alone. */
  learn(auditors: Auditors, options: Omit<QuantizeOptions, 'sort'>): Promise<Encoding>
  open(encoding: Encoding, options?: OpenOptions): Promise<Engine>
  /** That of the engine which `open` would give. */
  fingerprint(encoding: Encoding, options?: OpenOptions): Promise<string>
  /** What an audit needs besides; a store in this process gives its rows instead. */
  scores?(): Promise<StoredScores>
}

export interface StoredScores {
  /** Those that cuts are learned from. */
  readonly learnable: LearnableRows
  /** Of every row, in any order: score, outcome and weight as they were given. */
  readonly predictions: Float64Array
  readonly labels: Float64Array
  /** Copies that are one weigh nothing but for one of them. */
  readonly weights?: Float64Array
}

export interface OpenOptions {
  readonly functions?: RowFunctions
  /** Every row starts from this, in units. Default: from its prediction, or from the base rate. */
  readonly start?: number
}

export const isStore = (rows: Table | TableSource | RowStore): rows is RowStore => 'profile' in rows

/** A store as it is; rows of this process as one. */
export const storeOf = (rows: Table | TableSource | RowStore, make: MakeEngine): RowStore =>
  isStore(rows) ? rows : localStore(rows, make)

function localStore(table: Table | TableSource, make: MakeEngine): RowStore {
  return {
    async profile(roles, { holdout, learned = true, noisy = false, sampled = false, signal } = {}) {
      const asked = { holdout, keyed: sampled, signal, ...(!learned && { sampleRows: 0 }) }
      const ledger = isSource(table) ? await make.openLedger?.() : undefined
      const rows: EncodableRows & Pick<RoleRows, 'learnable'> & { weight?: unknown } =
        ledger !== undefined && isSource(table)
          ? await openByLedger(table, roles, ledger, asked)
          : await openRows(table, roles, asked)
      const { chunks: _, keyed: __, learnable, weight: ___, ...facts } = rows
      const encode = (encoding: Encoding, { functions = {}, start }: OpenOptions = {}): RowSource => ({
        ...encodedSource(start === undefined ? rows : startAt(rows, start), encoding, functions),
        noisy,
      })
      return {
        ...facts,
        learn: async (auditors, options) =>
          learnEncoding(learnable, auditors, { ...options, sort: makeSorter().sort }),
        open: async (encoding, options) => await make(encode(encoding, options)),
        fingerprint: (encoding, options) => fingerprintSource(encode(encoding, options)),
      }
    },
  }
}

const startAt = (rows: EncodableRows, units: number): EncodableRows => ({
  ...rows,
  async *chunks(rowsPerChunk) {
    for await (const chunk of rows.chunks(rowsPerChunk)) {
      yield { ...chunk, start: new Int32Array(chunk.rowCount).fill(units) }
    }
  },
})
