// Predictions for every row from fits that have not seen it: each fold is predicted by a fit to the others, method by method.

import { seconds } from '../common/clock.ts'
import { type ErrorCode, FeatureBoostError } from '../common/errors.ts'
import { gatherColumn } from '../data/column.ts'
import type { Table } from '../data/table.ts'
import type { Predictor } from '../model/predict.ts'

export interface OutOfFold {
  readonly predictions: Float64Array
  /** Of all folds together. */
  readonly fitSeconds: number
  readonly predictSeconds: number
}

/** Why a method has no predictions. */
export interface MethodFailure {
  /** From 1. */
  readonly fold: number
  readonly code: ErrorCode
  readonly message: string
}

/** Rows that several methods are fitted to. */
export interface TrialRows<Method> {
  /** Brings them into the form that the method takes; its time is nobody's. */
  load(method: Method): Promise<void>
  fit(method: Method): Promise<Predictor>
  close(): Promise<void>
}

interface CrossFit<Method> {
  readonly methods: readonly Method[]
  /** The fold of every row, from 0. */
  readonly fold: Uint8Array
  readonly foldCount: number
  readonly open: (rows: Table) => TrialRows<Method>
  /** Methods that use one thread are fitted so many at a time, all others alone. */
  readonly atOnce?: number
  readonly usesOneThread?: (method: Method) => boolean
  /** Before each fit. */
  readonly onFit: (method: Method, fold: number) => void
}

/** A method that fails on one fold is left out of the others: nothing can be said of all rows. */
export async function predictOutOfFold<Method>(
  table: Table,
  { atOnce = 1, fold, foldCount, methods, onFit, open, usesOneThread = () => true }: CrossFit<Method>,
): Promise<ReadonlyMap<Method, OutOfFold | MethodFailure>> {
  const runs = new Map(methods.map(method => [method, new MethodRun(table.rowCount)]))
  for (let index = 0; index < foldCount; index++) {
    const held = rowsWhere(fold, row => fold[row] === index)
    const others = rowsWhere(fold, row => fold[row] !== index)
    const asked = gatherTable(table, held)
    const trials = open(gatherTable(table, others))
    try {
      const open = [...runs].filter(([, { failure }]) => failure === undefined)
      await inTurn(
        open,
        ([method]) => (usesOneThread(method) ? atOnce : 1),
        async ([method, run]) => {
          onFit(method, index)
          await run.predict(held, asked, index, trials, method)
        },
      )
    } finally {
      await trials.close()
    }
  }
  return new Map([...runs].map(([method, run]) => [method, run.outcome]))
}

/** Begins in order. `mostBeside` says how many may be under way at a time, this one included. */
async function inTurn<Item>(
  items: readonly Item[],
  mostBeside: (item: Item) => number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const underWay = new Set<Promise<void>>()
  try {
    let most = 1
    for (const item of items) {
      // One that has to be alone waits for all before it, and all after it wait for it.
      const room = Math.min(most, mostBeside(item))
      while (underWay.size >= room) await Promise.race(underWay)
      most = mostBeside(item)
      const started = work(item)
      underWay.add(started)
      started.then(
        () => underWay.delete(started),
        () => {},
      )
    }
    await Promise.all(underWay)
  } finally {
    await Promise.allSettled(underWay)
  }
}

/** What one method has predicted so far. */
class MethodRun {
  readonly #predictions: Float64Array
  #fitSeconds = 0
  #predictSeconds = 0
  failure: MethodFailure | undefined

  constructor(rowCount: number) {
    this.#predictions = new Float64Array(rowCount)
  }

  get outcome(): OutOfFold | MethodFailure {
    if (this.failure !== undefined) return this.failure
    return {
      predictions: this.#predictions,
      fitSeconds: this.#fitSeconds,
      predictSeconds: this.#predictSeconds,
    }
  }

  async predict<Method>(
    rows: Int32Array,
    asked: Table,
    fold: number,
    trials: TrialRows<Method>,
    method: Method,
  ): Promise<void> {
    try {
      await trials.load(method)
      const started = seconds()
      const predictor = await trials.fit(method)
      const fitted = seconds()
      const predicted = predictor.predict(asked)
      this.#fitSeconds += fitted - started
      this.#predictSeconds += seconds() - fitted
      for (let index = 0; index < rows.length; index++) this.#predictions[rows[index]] = predicted[index]
    } catch (error) {
      // Errors of ours alone: anything else is a bug, and to be heard of.
      if (!(error instanceof FeatureBoostError) || error.code === 'FB_ABORTED') throw error
      this.failure = { fold: fold + 1, code: error.code, message: error.message }
    }
  }
}

function rowsWhere(fold: Uint8Array, wanted: (row: number) => boolean): Int32Array {
  const rows = new Int32Array(fold.length)
  let count = 0
  for (let row = 0; row < fold.length; row++) if (wanted(row)) rows[count++] = row
  return rows.slice(0, count)
}

const gatherTable = ({ columns }: Table, rows: Int32Array): Table => ({
  rowCount: rows.length,
  columns: columns.map(column => gatherColumn(column, rows)),
})
