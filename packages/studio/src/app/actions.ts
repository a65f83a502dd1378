// What a person can do: load, choose roles, audit, look into a group, fit, stop, and score the table.

import { batch } from '@preact/signals'
import type { FileWords } from '../data/open.ts'
import { assignRole, guessRoles, namesOf, type Role, type Words } from '../data/roles.ts'
import { auditCommand } from '../run/command.ts'
import type { Group, News, Opened } from '../worker/protocol.ts'
import { ask, restart, stop, WorkFailed } from './client.ts'
import { beginWork, endWork } from './longTasks.ts'
import * as state from './state.ts'

type Kind = state.Running['kind']

let file: File | undefined

export async function loadFile(chosen: File): Promise<void> {
  file = chosen
  state.written.value = {}
  const answer = await readFile([])
  if (answer !== undefined) show(answer)
}

export async function loadExample(): Promise<void> {
  file = undefined
  state.written.value = {}
  const answer = await readFile([])
  if (answer !== undefined) show(answer)
}

/** The file, or the example where there is none. */
function readFile(categorical: readonly string[]): Promise<Opened | undefined> {
  if (file === undefined)
    return run({ kind: 'open', title: 'Making up 100,000 loan applications' }, news =>
      ask({ kind: 'example', categorical }, news),
    )
  const { name } = file
  const request = { kind: 'open', name, blob: file, written: state.written.value, categorical } as const
  return run({ kind: 'open', title: `Reading ${name}` }, news => ask(request, news))
}

/** Numbers that are names change what the column is: the file is read again, and the other choices stay. */
export async function setCategorical(name: string, isNames: boolean): Promise<void> {
  const { categorical = [] } = state.words.value
  const next = isNames ? [...categorical, name] : categorical.filter(each => each !== name)
  setWords({ categorical: next })
  const answer = await readFile(next)
  batch(() => {
    if (answer === undefined) setWords({ categorical })
    else {
      forgetResults()
      state.opened.value = answer
    }
  })
}

export function setWords(words: Partial<Record<keyof Words, Words[keyof Words]>>): void {
  const all = Object.entries({ ...state.words.value, ...words }).filter(([, value]) => value !== undefined)
  state.words.value = Object.fromEntries(all)
}

/** How the file is written changes what columns are: it is read again. What cannot be read so was not said. */
export async function setWritten(words: FileWords): Promise<void> {
  const before = state.written.value
  state.written.value = words
  const answer = await readFile([])
  if (answer === undefined) state.written.value = before
  else show(answer)
}

function show(opened: Opened): void {
  batch(() => {
    forgetResults()
    state.opened.value = opened
    state.roles.value = guessRoles(opened.columns)
    state.groups.value = { kind: 'trees', depth: 2 }
    state.values.value = {}
    state.words.value = {}
  })
}

function forgetResults(): void {
  state.shown.value = undefined
  state.before.value = undefined
  state.fitted.value = undefined
  state.steps.value = []
}

export function closeFile(): void {
  batch(() => {
    forgetResults()
    state.opened.value = undefined
    state.failed.value = undefined
    state.warnings.value = []
    state.written.value = {}
  })
  restart()
}

export function setRole(name: string, role: Role): void {
  const [before, after] = [state.roles.value, assignRole(state.roles.value, name, role)]
  const moved = (each: Role) => namesOf(before, each)[0] !== namesOf(after, each)[0]
  batch(() => {
    state.roles.value = after
    // What was said of a column is not said of another.
    if (moved('label')) setWords({ positive: undefined, dropMissingLabels: undefined })
    if (moved('score')) setWords({ scoreScale: undefined })
  })
}

export async function audit(within?: Group): Promise<void> {
  const { choice, opened, shown, written } = state
  const command = auditCommand(choice.value, {
    file: opened.value!.name,
    ...written.value,
    ...(within?.sql !== undefined && { where: within.sql }),
  })
  const title = within === undefined ? 'The score' : within.words
  const words = {
    kind: 'audit',
    title: within === undefined ? 'Auditing the score' : `Auditing ${within.words}`,
  } as const
  const request = {
    kind: 'audit',
    choice: choice.value,
    command,
    ...(within !== undefined && { within }),
  } as const
  const evidence = await run(words, news => ask(request, news))
  if (evidence === undefined) return
  batch(() => {
    if (within === undefined) state.before.value = undefined
    else state.before.value ??= shown.value
    shown.value = { title, evidence, command, ...(within !== undefined && { group: within }) }
  })
  scrollTo('results')
}

/** To what is new, without a ride for those who want none. */
function scrollTo(id: string): void {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  requestAnimationFrame(() =>
    document.getElementById(id)?.scrollIntoView({ behavior: isCalm ? 'auto' : 'smooth' }),
  )
}

/** Out of the group, to where it was entered from. */
export function leaveGroup(): void {
  batch(() => {
    state.shown.value = state.before.value
    state.before.value = undefined
  })
}

export async function fit(): Promise<void> {
  state.steps.value = []
  const { choice, opened, written } = state
  const request = {
    kind: 'fit',
    choice: choice.value,
    file: opened.value!.name,
    written: written.value,
  } as const
  const answer = await run({ kind: 'fit', title: 'Fitting' }, news => ask(request, news))
  if (answer === undefined) return
  batch(() => {
    state.fitted.value = answer
    state.before.value = undefined
    const { command, evidence } = answer
    if (evidence !== undefined) state.shown.value = { title: 'Before and after', evidence, command }
  })
  scrollTo('results')
}

/** All methods on these rows; the table is shown with what is shown already. */
export async function compare(): Promise<void> {
  const request = { kind: 'compare', choice: state.choice.value } as const
  const comparison = await run({ kind: 'compare', title: 'Comparing methods' }, news => ask(request, news))
  const { shown } = state
  if (comparison === undefined || shown.value === undefined) return
  shown.value = { ...shown.value, evidence: { ...shown.value.evidence, comparison } }
  scrollTo('methods')
}

export const scoreTable = (): Promise<Blob | undefined> =>
  run({ kind: 'score', title: 'Scoring the table' }, news => ask({ kind: 'score' }, news))

export const saveTable = (): Promise<Blob | undefined> =>
  run({ kind: 'score', title: 'Writing the table' }, news => ask({ kind: 'save' }, news))

/** The built-in example has no file of its own. */
export const isExample = (): boolean => file === undefined

/** Of the file that was chosen, whether it could be read or not. */
export const fileName = (): string => file?.name ?? ''

/** `keep`: with what a fit has reached. */
export function stopWork(how: 'keep' | 'drop'): void {
  const { running } = state
  if (running.value === undefined) return
  // Reading has nothing worth keeping, and does not listen.
  if (running.value.kind === 'open') restart()
  else {
    running.value = { ...running.value, isStopping: true }
    stop(how)
  }
}

/** Undefined where the work failed or was stopped; the page then says so. */
async function run<T>(
  { kind, title }: { kind: Kind; title: string },
  work: (onNews: (news: News) => void) => Promise<T>,
): Promise<T | undefined> {
  if (state.running.value !== undefined) return undefined
  batch(() => {
    state.failed.value = undefined
    state.warnings.value = []
    state.running.value = { kind, title, phase: '', isStopping: false }
  })
  if (kind === 'audit' || kind === 'fit' || kind === 'compare') scrollTo('progress')
  beginWork()
  try {
    const answer = await work(receive)
    endWork()
    // What comes is drawn in a task of its own.
    await new Promise(resolve => setTimeout(resolve))
    return answer
  } catch (error) {
    const failure = error instanceof WorkFailed ? error.failure : { message: String(error) }
    state.failed.value = { ...failure, kind }
    return undefined
  } finally {
    state.running.value = undefined
  }
}

function receive(news: News): void {
  const { running, steps, warnings } = state
  if (running.value === undefined) return
  if (news.kind === 'rows') running.value = { ...running.value, share: news.done / news.of }
  if (news.kind === 'phase') running.value = { ...running.value, phase: news.phase }
  if (news.kind === 'found') running.value = { ...running.value, first: news.first }
  if (news.kind === 'warning') warnings.value = [...warnings.value, news.sentence]
  if (news.kind === 'steps') steps.value = [...steps.value, ...news.steps]
}
