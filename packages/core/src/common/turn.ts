// Lets the event loop turn, so that a signal to stop, or a page, is heard of between two pieces of long work.

import { type CancelSignal, throwIfCancelled } from './cancel.ts'
import { seconds } from './clock.ts'

interface Timers {
  setTimeout(work: () => void, after: number): unknown
  /** Node has it, and it waits for nothing. */
  setImmediate?(work: () => void): unknown
}

const { setImmediate, setTimeout } = globalThis as unknown as Timers
const later = setImmediate ?? ((work: () => void) => setTimeout(work, 0))

/** Throws if the work was cancelled meanwhile. */
export async function takeTurn(signal: CancelSignal | undefined, during: string): Promise<void> {
  await new Promise<void>(resolve => later(resolve))
  throwIfCancelled(signal, during)
}

/** Seconds of work between two turns: whoever waits for one hardly notices, and neither does the work. */
const BETWEEN_TURNS = 0.05

/** For work in many small pieces: to be awaited between them, and a turn only now and then. */
export function makePause(signal?: CancelSignal, during = 'the work'): () => Promise<void> {
  let last = seconds()
  return async () => {
    if (seconds() - last < BETWEEN_TURNS) return
    await takeTurn(signal, during)
    last = seconds()
  }
}
