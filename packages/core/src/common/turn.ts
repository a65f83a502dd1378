// Lets the event loop turn, so that a signal to stop, or a page, is heard of between two pieces of long work.

import { type CancelSignal, throwIfCancelled } from './cancel.ts'

const { setTimeout } = globalThis as unknown as { setTimeout(work: () => void, after: number): unknown }

/** Throws if the work was cancelled meanwhile. */
export async function takeTurn(signal: CancelSignal | undefined, during: string): Promise<void> {
  await new Promise<void>(resolve => setTimeout(resolve, 0))
  throwIfCancelled(signal, during)
}
