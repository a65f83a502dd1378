// A stream of rows: a line comes in, a line goes out, in order. A row that the model cannot take has its error in its line, and the
// stream goes on. Neither side is read faster than the other is written.

import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { decode, tooLarge, tooSlow } from './body.ts'
import type { ServeLimits } from './options.ts'
import type { Recorder } from './record.ts'
import { asRefusal, errorBody } from './refusal.ts'
import { checkRow, parseJson } from './rows.ts'
import type { Served } from './shelf.ts'

export interface StreamCounts {
  predicted: number
  refused: number
}

/** Lines that are answered before others get their turn. */
const LINES_AT_ONCE = 500

export async function answerStream(
  request: IncomingMessage,
  response: ServerResponse,
  served: Served,
  { bodyBytes, patience }: ServeLimits,
  recorder: Recorder | undefined,
): Promise<StreamCounts> {
  const counts: StreamCounts = { predicted: 0, refused: 0 }
  const answers = new LineAnswers(served, recorder, counts)
  const gone = () => request.destroy(tooSlow(patience))
  request.setTimeout(patience, gone)
  const start = () =>
    response.headersSent ||
    response.writeHead(200, {
      'Content-Type': 'application/x-ndjson; charset=utf-8',
      'Cache-Control': 'no-store',
    })
  let rest: Buffer = Buffer.alloc(0)
  // A line that is too long ends the reading, and not the connection: it is answered.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const end = bytes.lastIndexOf(10)
    rest = bytes.subarray(end + 1)
    if (rest.length > bodyBytes) throw tooLarge(bodyBytes)
    if (end < 0) continue
    const lines = decode(bytes.subarray(0, end)).split('\n')
    for (let from = 0; from < lines.length; from += LINES_AT_ONCE) {
      start()
      const text = answers.of(lines.slice(from, from + LINES_AT_ONCE))
      if (text !== '' && !response.write(text))
        await Promise.race([once(response, 'drain'), once(response, 'close')])
      if (response.destroyed) return counts
      await new Promise(setImmediate)
    }
  }
  start()
  response.end(answers.of([decode(rest)]))
  return counts
}

class LineAnswers {
  readonly #served: Served
  readonly #recorder: Recorder | undefined
  readonly #counts: StreamCounts

  constructor(served: Served, recorder: Recorder | undefined, counts: StreamCounts) {
    this.#served = served
    this.#recorder = recorder
    this.#counts = counts
  }

  /** Empty lines are none. */
  of(lines: readonly string[]): string {
    return lines
      .filter(line => line.trim() !== '')
      .map(line => `${this.#answer(line)}\n`)
      .join('')
  }

  #answer(line: string): string {
    const { columns, predictor } = this.#served
    try {
      const row = checkRow(parseJson(line), columns)
      const prediction = predictor.predictRow(row)
      this.#recorder?.add(this.#served, [row], [prediction])
      this.#counts.predicted++
      return `{"prediction":${prediction}}`
    } catch (error) {
      this.#counts.refused++
      return JSON.stringify(errorBody(asRefusal(error).error))
    }
  }
}
