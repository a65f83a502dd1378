// What the server tells of itself: one JSON object a line, on stderr. Never a row, never a token.

import { FeatureBoostError } from '@featureboost/core'
import { CommandError } from '../errors.ts'
import type { Answered } from './server.ts'

/** Nothing; what happens to the server; and every request besides. */
export const EVENTS = ['none', 'events', 'requests'] as const
export type Events = (typeof EVENTS)[number]

export class ServeLog {
  readonly #events: Events
  readonly #write: (line: string) => void

  constructor(events: Events, write: (line: string) => void) {
    this.#events = events
    this.#write = write
  }

  tell(event: string, facts: Readonly<Record<string, string | number>> = {}): void {
    if (this.#events !== 'none') this.#line(event, facts)
  }

  /** Undefined where nobody wants to know. */
  get onAnswer(): ((answer: Answered) => void) | undefined {
    if (this.#events !== 'requests') return undefined
    return ({ milliseconds, ...answer }) =>
      this.#line('answered', { ...answer, milliseconds: Math.round(1000 * milliseconds) / 1000 })
  }

  trouble(event: string, error: unknown, facts: Readonly<Record<string, string>> = {}): void {
    const isOurs = error instanceof FeatureBoostError || error instanceof CommandError
    const { code, message } = Object(error) as NodeJS.ErrnoException
    this.tell(event, {
      ...facts,
      code: code ?? 'FB_SYSTEM',
      message: isOurs ? message : String(code ?? message),
    })
  }

  #line(event: string, facts: object): void {
    this.#write(`${JSON.stringify({ at: new Date().toISOString(), event, ...facts })}\n`)
  }
}
