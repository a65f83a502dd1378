// How often, and for how long, something that failed for want of a connection is tried again.

import { setTimeout as sleep } from 'node:timers/promises'
import { cancelled } from './errors.ts'

export interface RetryPolicy {
  /** Tries in a row that may fail. */
  readonly attempts: number
  /** Milliseconds from the first failure on. */
  readonly forMs: number
  /** Milliseconds before the second try; each further wait is four times as long, up to `mostMs`. */
  readonly firstMs: number
  readonly mostMs: number
}

/** A server drops an operation that nobody asked about for five minutes: two are well inside. */
export const PATIENT: RetryPolicy = { attempts: 100, forMs: 120_000, firstMs: 50, mostMs: 2_000 }

/** For the first contact: an address that is wrong should be told soon. */
export const BRIEF: RetryPolicy = { attempts: 4, forMs: 10_000, firstMs: 50, mostMs: 2_000 }

export class Patience {
  readonly #policy: RetryPolicy
  #failures = 0
  #since = 0

  constructor(policy: RetryPolicy) {
    this.#policy = policy
  }

  /** Something came: the next failure is a first one. */
  renew(): void {
    this.#failures = 0
  }

  /** Waits before the next try, or throws `error` where there is to be none. */
  async wait(error: unknown, signal?: AbortSignal): Promise<void> {
    const { attempts, firstMs, forMs, mostMs } = this.#policy
    const now = performance.now()
    if (this.#failures++ === 0) this.#since = now
    const pause = Math.min(mostMs, firstMs * 4 ** Math.min(this.#failures - 1, 10))
    if (this.#failures >= attempts || now - this.#since + pause > forMs) throw error
    try {
      await sleep(pause, undefined, { ...(signal !== undefined && { signal }) })
    } catch {
      throw cancelled()
    }
  }
}
