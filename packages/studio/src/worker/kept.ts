// Rounds of a fit, kept in memory: a fit that is stopped is fitted again with as many rounds as it has reached, and these
// are taken from here instead of being searched anew. The result is that of a fit with this limit from the start.

import type { CheckpointStore } from '@featureboost/core'
import type { CheckpointEntry } from '@featureboost/core/internal'

export class KeptRounds implements CheckpointStore {
  readonly #entries: CheckpointEntry[] = []

  async load(): Promise<readonly unknown[]> {
    return this.#entries
  }

  async save(entry: CheckpointEntry): Promise<void> {
    this.#entries.push(entry)
  }

  /** Rounds that count. */
  get roundCount(): number {
    return this.#entries.filter(entry => entry.kind === 'round' && entry.round.accepted).length
  }

  /** The same rounds for a fit with this limit, which is all that differs. */
  limitedTo(roundLimit: number): CheckpointStore {
    const entries = this.#entries.flatMap((entry): CheckpointEntry[] => {
      if (entry.kind === 'run') {
        const { identity } = entry
        return [{ ...entry, identity: { ...identity, options: { ...identity.options, roundLimit } } }]
      }
      return entry.kind === 'round' && entry.round.accepted ? [entry] : []
    })
    return { inProcess: true, load: async () => entries, save: async () => {} }
  }
}
