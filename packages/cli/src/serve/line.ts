// Requests whose rows are there wait in one line, which is worked through once per turn of the event loop. Where it is full, or takes too
// long, more are turned away, so that those which were taken are answered in time. Decision 0025.

import type { ServeLimits } from './options.ts'

/** Refusals that are written in one turn, so that what comes in meanwhile does not wait for all of them. */
const REFUSED_AT_ONCE = 16

/** No refusal is held back for longer than this, in milliseconds, but for one turn. */
const LONGEST_HELD = 500

/** What is held back takes memory. */
const MOST_HELD = 1000

interface Waiting {
  readonly work: () => void
  readonly refuse: () => void
}

interface Held {
  readonly since: number
  readonly refuse: () => void
}

export class Line {
  readonly #limits: Pick<ServeLimits, 'queue' | 'wait'>
  #waiting: Waiting[] = []
  readonly #held: Held[] = []
  readonly #now: () => number
  #isDue = false

  /** `now` tells the milliseconds. */
  constructor(limits: Pick<ServeLimits, 'queue' | 'wait'>, now = () => performance.now()) {
    this.#limits = limits
    this.#now = now
  }

  get length(): number {
    return this.#waiting.length
  }

  get isFull(): boolean {
    return this.#waiting.length >= this.#limits.queue
  }

  /** Everything that came in meanwhile is in the line before the first is answered. One of the two is called. */
  push(work: () => void, refuse: () => void): void {
    if (this.isFull) {
      this.refuseLater(refuse)
      return
    }
    this.#waiting.push({ work, refuse })
    this.#wake()
  }

  /** Whoever is refused at once may come back at once, and the refusals of many would keep waiting who was taken. */
  refuseLater(refuse: () => void): void {
    if (this.#held.length >= MOST_HELD) {
      refuse()
      return
    }
    this.#held.push({ since: this.#now(), refuse })
    this.#wake()
  }

  #wake(): void {
    if (this.#isDue) return
    this.#isDue = true
    setImmediate(() => this.#advance())
  }

  #advance(): void {
    this.#isDue = false
    const waiting = this.#waiting
    this.#waiting = []
    const end = this.#now() + this.#limits.wait
    for (const { refuse, work } of waiting) {
      if (this.#now() < end) work()
      else this.refuseLater(refuse)
    }
    for (const { refuse } of this.#held.splice(0, this.#dueCount())) refuse()
    if (this.#held.length > 0) this.#wake()
  }

  /** How many of those that were turned away are told now. */
  #dueCount(): number {
    const before = this.#now() - LONGEST_HELD
    const late = this.#held.findIndex(({ since }) => since >= before)
    const lateCount = late < 0 ? this.#held.length : late
    return Math.max(REFUSED_AT_ONCE, lateCount)
  }
}
