// What a case of the conformance suite is made of: a sentence about engines, and a check of it with random rows.

import type { Random } from '../common/random.ts'
import type { Engine, EngineRows } from '../engine/engine.ts'
import type { Update } from '../update/update.ts'

export interface Round {
  readonly random: Random
  readonly rowLimit: number
  /** An engine of these rows, moved by these updates. It is closed when the round is over. */
  open(rows: EngineRows, updates?: readonly Update[]): Promise<Engine>
}

export interface Property {
  readonly title: string
  /** Default: as many as small rows need to meet everything once. */
  readonly rounds?: number
  /** Throws where the sentence is not true. */
  check(round: Round): Promise<void>
}

/** What a question fails with; undefined where it is answered. */
export async function failureOf(ask: () => Promise<unknown>): Promise<unknown> {
  try {
    await ask()
  } catch (error) {
    return error
  }
  return undefined
}
