// What was predicted, kept in a file of one JSON object a line: the row as it was sent, and in three columns more the prediction, the
// model and when. Somebody joins the outcomes to it later. Rows are written down only where that was asked for.

import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import type { Row } from '@featureboost/core'
import type { Served } from './shelf.ts'

/** Bytes that may wait to be written; what comes then is counted, and left out. */
const MOST_WAITING = 64 * 2 ** 20

export class Recorder {
  readonly #stream: WriteStream
  readonly #onTrouble: (error: Error) => void
  #failed = false
  /** Rows that could not be kept. */
  leftOut = 0

  constructor(path: string, onTrouble: (error: Error) => void) {
    this.#stream = createWriteStream(path, { flags: 'a', mode: 0o600 })
    this.#onTrouble = onTrouble
    this.#stream.on('error', error => {
      this.#failed = true
      this.#onTrouble(error)
    })
  }

  add({ model, name }: Served, rows: readonly Row[], predictions: ArrayLike<number>): void {
    if (this.#failed || this.#stream.writableLength > MOST_WAITING) {
      this.leftOut += rows.length
      return
    }
    const at = new Date().toISOString()
    const lines = rows.map((row, index) =>
      JSON.stringify({
        ...row,
        featureboost_prediction: predictions[index],
        featureboost_model: `${name} ${model.hash}`,
        featureboost_at: at,
      }),
    )
    this.#stream.write(`${lines.join('\n')}\n`)
  }

  async close(): Promise<void> {
    if (this.#failed) return
    this.#stream.end()
    await once(this.#stream, 'close')
  }
}
