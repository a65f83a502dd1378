// The monitor that is open, beside the table: its state, the model that it watches, and a file that may become its next batch.

import { computed, signal } from '@preact/signals'
import type { WatchedState } from '../../worker/protocol.ts'
import type { Chosen } from '../files.ts'

export interface Watched extends WatchedState {
  /** Of the state's file. */
  readonly name: string
  /** Commands that add the batches that were added here; whoever took the state home has them all. */
  readonly commands: readonly string[]
  /** Are there batches that the file on disk does not have? */
  readonly isNew: boolean
}

export interface WatchedModel {
  readonly name: string
  readonly text: string
  readonly hash: string
}

export const watched = signal<Watched | undefined>(undefined)
/** It may have come before the state. */
export const watchedModel = signal<WatchedModel | undefined>(undefined)
/** A table that is to be a batch, once it is said how it is called. */
export const batchFile = signal<Chosen | undefined>(undefined)
/** A state that would take the place of one with batches that were not taken home. */
export const offeredState = signal<StateFiles | undefined>(undefined)

export interface StateFiles {
  readonly state?: Chosen
  readonly model?: Chosen
}

export const hasNewState = computed(() => watched.value?.isNew === true)
