// What the page knows. Components read these signals; actions.ts changes them.

import { computed, signal } from '@preact/signals'
import type { FileWords } from '../data/open.ts'
import { findProblems, type RoleMap, type Words } from '../data/roles.ts'
import type { Choice, FormValues } from '../run/choice.ts'
import type { PageEvidence } from '../worker/evidence.ts'
import type { Failure, FirstFindings, FitAnswer, Group, Opened, Step } from '../worker/protocol.ts'

export interface Running {
  readonly kind: 'open' | 'audit' | 'fit' | 'compare' | 'score'
  readonly title: string
  readonly phase: string
  /** 0 to 1, where it can be told. */
  readonly share?: number
  readonly isStopping: boolean
  /** What an audit has found already. */
  readonly first?: FirstFindings
}

export interface Shown {
  /** What was audited: the score, a group of its rows, or the score before and after a fit. */
  readonly title: string
  readonly evidence: PageEvidence
  readonly command: string
  readonly group?: Group
}

export const opened = signal<Opened | undefined>(undefined)
/** How the file is written, where that has to be said. */
export const written = signal<FileWords>({})
export const roles = signal<RoleMap>(new Map())
/** How columns are written, where that has to be said. */
export const words = signal<Words>({})
export const running = signal<Running | undefined>(undefined)
/** What went wrong last, and during which work. */
export const failed = signal<(Failure & { readonly kind: Running['kind'] }) | undefined>(undefined)
export const warnings = signal<readonly string[]>([])
export const shown = signal<Shown | undefined>(undefined)
/** Where a person came from before looking into a group. */
export const before = signal<Shown | undefined>(undefined)
export const fitted = signal<FitAnswer | undefined>(undefined)
export const steps = signal<readonly Step[]>([])
export const values = signal<FormValues>({})
export const groups = signal<Choice['groups']>({ kind: 'trees', depth: 2 })

export const problems = computed(() =>
  opened.value === undefined ? [] : findProblems(opened.value.columns, roles.value, words.value),
)
export const isStopped = computed(() => problems.value.some(({ stops }) => stops))
export const hasScore = computed(() => [...roles.value.values()].includes('score'))
export const hasGroups = computed(() => [...roles.value.values()].includes('group'))

export const choice = computed<Choice>(() => ({
  roles: roles.value,
  unread: opened.value?.leftOut.map(({ name }) => name) ?? [],
  // Groups of columns that are none any more are the default again.
  groups: groups.value.kind === 'columns' && !hasGroups.value ? { kind: 'trees', depth: 2 } : groups.value,
  values: values.value,
  words: words.value,
}))
