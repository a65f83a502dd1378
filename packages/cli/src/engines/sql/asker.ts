// Statements to a database, one question after the other: a state is not read while the next one is written. Counts what they cost.

import { FeatureBoostError } from '@featureboost/core'
import type { Statements } from './dialect.ts'
import type { SqlDriver } from './driver.ts'

/** How one question was answered. */
export interface Asked {
  readonly question: string
  readonly seconds: number
  /** Numbers that came back. */
  readonly numbers: number
  readonly statements: number
}

/** Notes numbers that came back, and statements that were run for them. */
export type Count = (numbers: number, statements: number) => void

export class SqlAsker {
  readonly #driver: SqlDriver
  readonly #prefix: string
  readonly #onAsked: ((asked: Asked) => void) | undefined
  #named = 0
  #closed = false
  #turn: Promise<unknown> = Promise.resolve()

  /** Tables that a question needs for itself begin with the prefix. */
  constructor(driver: SqlDriver, prefix: string, onAsked: ((asked: Asked) => void) | undefined) {
    this.#driver = driver
    this.#prefix = prefix
    this.#onAsked = onAsked
  }

  assertOpen(): void {
    if (this.#closed) throw new FeatureBoostError('FB_ENGINE_CLOSED', 'the engine has been closed.')
  }

  freeName(): string {
    return `${this.#prefix}asked_${++this.#named}`
  }

  /** After all that was asked before. */
  inTurn<T>(question: string, work: (count: Count) => Promise<T>): Promise<T> {
    const turn = this.#turn.then(async () => {
      this.assertOpen()
      const since = performance.now()
      let [numbers, statements] = [0, 0]
      const answer = await work((more, statementCount) => {
        numbers += more
        statements += statementCount
      })
      this.#onAsked?.({ question, seconds: (performance.now() - since) / 1000, numbers, statements })
      return answer
    })
    this.#turn = turn.catch(() => {})
    return turn
  }

  /** Sums by the number of their cell, from rows (cell, sum, sum ...); cells that do not come have 0. */
  async sumsOf(
    { after, before, queries }: Statements,
    size: number,
    sumCount: number,
    count: Count,
  ): Promise<Float64Array[]> {
    const filled = Array.from({ length: sumCount }, () => new Float64Array(size))
    try {
      for (const statement of before) await this.#driver.run(statement)
      const kinds = Array.from({ length: 1 + sumCount }, () => 'double' as const)
      count(0, before.length)
      for (const query of queries) {
        await this.#driver.each(query, kinds, ([cells, ...columns]) => {
          for (const [index, column] of columns.entries()) place(filled[index], cells, column)
          count(cells.length * kinds.length, 0)
        })
        count(0, 1)
      }
    } finally {
      for (const statement of after) await this.#driver.run(statement)
    }
    return filled
  }

  /** When all that was asked has been answered; true the first time. */
  async close(): Promise<boolean> {
    if (this.#closed) return false
    await this.#turn
    this.#closed = true
    return true
  }
}

function place(into: Float64Array, cells: ArrayLike<number>, values: ArrayLike<number>): void {
  for (let row = 0; row < cells.length; row++) into[cells[row]] = values[row]
}
