// What is kept of a page, and how it comes back after a refresh: the file's name, the choices and all results; never a row of the data.

import { VERSION } from '@featureboost/core'
import { batch, computed, effect } from '@preact/signals'
import * as keep from './keep.ts'
import * as state from './state.ts'
import { goInstead, isPlaced, type View, view } from './view.ts'
import * as monitor from './watch/state.ts'

/** The signals of each part; what they hold is plain data. */
const CHOICES = {
  opened: state.opened,
  source: state.source,
  written: state.written,
  roles: state.roles,
  words: state.words,
  groups: state.groups,
  values: state.values,
  isQuicker: state.isQuicker,
} as const
const RESULTS = {
  audited: state.audited,
  looks: state.looks,
  fitted: state.fitted,
  compared: state.compared,
  decided: state.decided,
  steps: state.steps,
  kept: state.kept,
  paired: state.paired,
} as const

/** A state has no rows, and a batch that was added may be nowhere else. */
const WATCH = { watched: monitor.watched, watchedModel: monitor.watchedModel } as const

type Parts = Readonly<Record<string, { value: unknown }>>

/** The page's own policy names its script by hash; while it is developed there is none. */
const BUILD = document.querySelector<HTMLMetaElement>('meta[http-equiv]')?.content ?? VERSION

interface Kept {
  /** Figures of another build may be of another shape. */
  readonly build: string
  readonly view?: View
  readonly values: Readonly<Record<string, unknown>>
}

const valuesOf = (parts: Parts): Kept['values'] =>
  Object.fromEntries(Object.entries(parts).map(([name, { value }]) => [name, value]))

function putBack(parts: Parts, { values }: Kept): void {
  for (const [name, part] of Object.entries(parts)) if (name in values) part.value = values[name]
}

const readKept = async (part: keep.Part): Promise<Kept | undefined> => {
  const kept = (await keep.read(part)) as Kept | undefined
  return kept?.build === BUILD ? kept : undefined
}

/** Before the page is drawn for the first time. */
export async function restore(): Promise<void> {
  const [choices, results, watch] = await Promise.all([
    readKept('choices'),
    readKept('results'),
    readKept('watch'),
  ])
  if (watch !== undefined) putBack(WATCH, watch)
  if (choices !== undefined && choices.values.opened !== undefined)
    batch(() => {
      putBack(CHOICES, choices)
      if (results !== undefined) putBack(RESULTS, results)
      if (!isPlaced() && choices.view !== undefined) goInstead(choices.view)
    })
  keepFromNowOn()
  void keep.removeOld()
}

const isFitting = computed(() => state.running.value?.kind === 'fit')

/** The first run of an effect is about what has just been read; steps of a fit are kept when it is done. */
function keepFromNowOn(): void {
  const isThere = () => state.opened.peek() !== undefined
  const watch = (part: keep.Part, read: () => Kept, isEarly: () => boolean, isSomething = isThere) => {
    let isFirst = true
    effect(() => {
      const kept = read()
      if (!isEarly() && !isFirst && isSomething()) void keep.write(part, kept)
      isFirst = false
    })
  }
  watch(
    'choices',
    () => ({ build: BUILD, values: valuesOf(CHOICES), view: view.value }),
    () => false,
  )
  watch(
    'results',
    () => ({ build: BUILD, values: valuesOf(RESULTS) }),
    () => isFitting.value,
  )
  watch(
    'watch',
    () => ({ build: BUILD, values: valuesOf(WATCH) }),
    () => false,
    () => monitor.watched.peek() !== undefined || monitor.watchedModel.peek() !== undefined,
  )
}

/** Would anything be lost if the page were closed now? */
export const isUnsaved = (): boolean =>
  state.running.value !== undefined ||
  keep.isWriting.value > 0 ||
  (keep.keeping.value === 'refused' &&
    ((state.hasResults.value && !state.isTakenHome.value) || monitor.hasNewState.value))

export function warnBeforeLeaving(): void {
  addEventListener('beforeunload', event => {
    if (isUnsaved()) event.preventDefault()
  })
}
