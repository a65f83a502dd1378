// What a person can do: load, choose roles, audit, look into a group, fit, compare, stop, and score the table.

import { batch } from '@preact/signals'
import type { FileWords } from '../data/open.ts'
import { assignRole, guessRoles, namesOf, type Role, type Words } from '../data/roles.ts'
import { auditCommand } from '../run/command.ts'
import { plural } from '../views/format.ts'
import { allDrawn } from '../views/turns.ts'
import type { Group, News, Opened, Request } from '../worker/protocol.ts'
import { ask, restart, stop, WorkFailed } from './client.ts'
import { type Chosen, type FileRef, fileAgain, isSameFile, refOf } from './files.ts'
import { showNew } from './focus.ts'
import { forget } from './keep.ts'
import { beginWork } from './longTasks.ts'
import * as state from './state.ts'
import { goTo, view } from './view.ts'

type Kind = state.Running['kind']

/** Does the worker hold the table that the page shows? */
let isHeld = false
/** Is it being read again, for work that waits for it? */
let isReading = false

/** Results are not lost to a file that fell on the page: then it is asked about first. */
export async function offer(chosen: Chosen | 'example'): Promise<void> {
  if (state.running.value !== undefined) return
  if (state.hasResults.value) {
    state.offered.value = chosen
    showNew('offered-title', 'offered-title')
  } else await load(chosen)
}

/** Whatever was shown before is shown until the new rows have been read. */
export async function load(chosen: Chosen | 'example', written: FileWords = {}): Promise<void> {
  state.offered.value = undefined
  const answer = await readRows(chosen, written, [])
  if (answer === undefined) {
    state.rejected.value = chosen === 'example' ? undefined : chosen
    return
  }
  batch(() => {
    forgetResults()
    state.rejected.value = undefined
    state.file.value = chosen === 'example' ? undefined : chosen.file
    state.source.value = chosen === 'example' ? chosen : refOf(chosen)
    state.written.value = written
    state.isQuicker.value = false
    show(answer)
  })
  const { columns, name, rowCount } = answer
  state.announced.value = `${name}: ${plural(rowCount, 'row')}, ${plural(columns.length, 'column')}.`
  goTo({ step: 'data' })
  showNew('file-title')
}

/** The rows as they are to be read: of a file, or of the example. */
function readRows(
  chosen: Chosen | 'example',
  written: FileWords,
  categorical: readonly string[],
): Promise<Opened | undefined> {
  const title = chosen === 'example' ? 'Making up 100,000 loan applications' : `Reading ${chosen.file.name}`
  return run({ kind: 'open', title }, async news => {
    const answer = await ask(openRequest(chosen, written, categorical), news)
    isHeld = true
    return answer
  })
}

function openRequest(
  chosen: Chosen | 'example',
  written: FileWords,
  categorical: readonly string[],
): Extract<Request, { kind: 'open' | 'example' }> {
  if (chosen === 'example') return { kind: 'example', categorical }
  return { kind: 'open', name: chosen.file.name, blob: chosen.file, written, categorical }
}

const current = (): Chosen | 'example' =>
  state.source.value === 'example'
    ? 'example'
    : { ...(state.source.value as FileRef), file: state.file.value! }

/** The file of before, after a refresh: `chosen` once more, or by its handle. Another one takes its place as any other does. */
export async function reopen(chosen?: Chosen): Promise<void> {
  const ref = state.source.value as FileRef
  const again = chosen?.file ?? (await fileAgain(ref))
  if (again === undefined) {
    const message = `${ref.name} could not be opened again. Choose it once more.`
    state.failed.value = { kind: 'open', code: 'DATA', message }
    showNew('failure', 'failure')
  } else if (isSameFile(ref, again)) {
    state.failed.value = undefined
    state.file.value = again
    showNew('file-title')
  } else await offer(chosen ?? { file: again })
}

/** The worker may have been ended, or the page refreshed, since the table was read. */
async function ensureRows(onNews: (news: News) => void): Promise<void> {
  if (isHeld) return
  isReading = true
  try {
    await ask(openRequest(current(), state.written.value, state.words.value.categorical ?? []), onNews)
    isHeld = true
  } finally {
    isReading = false
  }
}

/** Numbers that are names change what the column is: the file is read again, and the other choices stay. */
export async function setCategorical(name: string, isNames: boolean): Promise<void> {
  const { categorical = [] } = state.words.value
  const next = isNames ? [...categorical, name] : categorical.filter(each => each !== name)
  const answer = await readRows(current(), state.written.value, next)
  if (answer === undefined) return
  batch(() => {
    setWords({ categorical: next.length > 0 ? next : undefined })
    state.opened.value = answer
  })
}

export function setWords(words: Partial<Record<keyof Words, Words[keyof Words]>>): void {
  const all = Object.entries({ ...state.words.value, ...words }).filter(([, value]) => value !== undefined)
  state.words.value = Object.fromEntries(all)
}

/** How the file is written changes what columns are: it is read again. What cannot be read so was not said. */
export async function setWritten(written: FileWords): Promise<void> {
  if (state.rejected.value !== undefined) return await load(state.rejected.value, written)
  const answer = await readRows(current(), written, [])
  if (answer === undefined) return
  batch(() => {
    state.written.value = written
    show(answer)
  })
}

function show(opened: Opened): void {
  state.opened.value = opened
  state.roles.value = guessRoles(opened.columns)
  state.groups.value = { kind: 'trees', depth: 2 }
  state.values.value = {}
  state.words.value = {}
}

function forgetResults(): void {
  state.audited.value = undefined
  state.looks.value = []
  state.fitted.value = undefined
  state.compared.value = undefined
  state.decided.value = undefined
  state.steps.value = []
  state.isTakenHome.value = false
}

/** The table with all its results, here and in what the browser keeps. */
export function closeFile(): void {
  batch(() => {
    forgetResults()
    state.kept.value = undefined
    state.paired.value = undefined
    state.opened.value = undefined
    state.source.value = undefined
    state.file.value = undefined
    state.failed.value = undefined
    state.warnings.value = []
    state.written.value = {}
  })
  endWorker()
  void forget(['choices', 'results'])
  goTo({ step: 'start' })
}

function endWorker(): void {
  isHeld = false
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

/** Is the audit under way stopped for one with the smaller budget? */
let isHurried = false

/** In full, or with the smaller budget; an audit that is under way gives way. */
export async function auditWith(how: 'full' | 'quicker'): Promise<void> {
  if (state.running.value === undefined) {
    state.isQuicker.value = how === 'quicker'
    await audit()
  } else if (how === 'quicker') {
    isHurried = true
    stopWork('drop')
  }
}

export async function audit(): Promise<void> {
  const { auditAsked, choice } = state
  const [asked, chosen] = [auditAsked.value, choice.value]
  goTo({ step: 'audit' })
  const { full, quicker } = state.auditSeconds.value
  const estimate = chosen.quicker ? quicker : full
  const answer = await run({ kind: 'audit', title: 'Auditing the score', estimate }, async news => {
    await ensureRows(news)
    return await ask({ kind: 'audit', choice: chosen, command: asked }, news)
  })
  if (answer === undefined) {
    const isAskedAgain = isHurried && state.failed.value?.code === 'FB_ABORTED'
    isHurried = false
    if (isAskedAgain) await auditWith('quicker')
    return
  }
  isHurried = false
  batch(() => {
    state.audited.value = { ...answer, command: asked, asked, choice: chosen }
    state.isTakenHome.value = false
    state.announced.value = `Audited. ${answer.evidence.verdict.sentence}`
  })
  showNew('results-title')
}

/** The rows of one group alone; back leads to where it was chosen. */
export async function lookInto(group: Group): Promise<void> {
  const { auditAsked, choice, opened, written } = state
  const asked = auditAsked.value
  const known = state.looks.value.find(look => look.asked === asked && look.group.words === group.words)
  const { step } = view.value
  if (known === undefined) {
    const command = auditCommand(choice.value, {
      file: opened.value!.name,
      ...written.value,
      ...(group.sql !== undefined && { where: group.sql }),
    })
    const answer = await run({ kind: 'audit', title: `Auditing ${group.words}` }, async news => {
      await ensureRows(news)
      return await ask({ kind: 'audit', choice: choice.value, command, within: group }, news)
    })
    if (answer === undefined) return
    const { evidence } = answer
    const id = 1 + Math.max(0, ...state.looks.value.map(look => look.id))
    const look = { id, group, evidence, command, asked, choice: choice.value }
    state.looks.value = [...state.looks.value, look]
    state.announced.value = `Only the rows where ${group.words}. ${evidence.verdict.sentence}`
    goTo({ step, look: id })
  } else goTo({ step, look: known.id })
  showNew('results-title')
}

export async function fit(): Promise<void> {
  const { choice, fitAsked, opened, steps, written } = state
  const [asked, chosen, before] = [fitAsked.value, choice.value, steps.value]
  goTo({ step: 'fit' })
  steps.value = []
  const answer = await run({ kind: 'fit', title: 'Fitting' }, async news => {
    await ensureRows(news)
    return await ask({ kind: 'fit', choice: chosen, file: opened.value!.name, written: written.value }, news)
  })
  if (answer === undefined) {
    steps.value = before
    return
  }
  batch(() => {
    state.fitted.value = { answer, asked, choice: chosen }
    state.isTakenHome.value = false
    state.announced.value = `The correction is made. ${answer.evidence?.verdict.sentence ?? ''}`
  })
  showNew('results-title')
}

/** The figures of before and after, where they were stopped or could not be made with the model. */
export async function measureFit(): Promise<void> {
  const { answer, choice } = state.fitted.value!
  const { command, modelText } = answer
  const measured = await run({ kind: 'audit', title: 'Auditing before and after' }, async news => {
    await ensureRows(news)
    return await ask({ kind: 'measure', choice, command, modelText }, news)
  })
  if (measured === undefined) return
  state.fitted.value = { ...state.fitted.value!, answer: { ...answer, ...measured } }
  showNew('results-title')
}

/** What decisions by the score come to, at every threshold. */
export async function decide(): Promise<void> {
  const { answer, choice } = state.fitted.value!
  const ladder = await run({ kind: 'score', title: 'Counting decisions' }, async news => {
    await ensureRows(news)
    return await ask({ kind: 'ladder', choice, modelText: answer.modelText }, news)
  })
  if (ladder === undefined) return
  state.decided.value = { modelHash: answer.modelHash, ladder }
  showNew('decisions-title', 'decisions-title')
}

/** All methods on these rows; the table is shown with every result. */
export async function compare(): Promise<void> {
  const { choice, compareAsked } = state
  const asked = compareAsked.value
  const table = await run({ kind: 'compare', title: 'Comparing methods' }, async news => {
    await ensureRows(news)
    return await ask({ kind: 'compare', choice: choice.value }, news)
  })
  if (table === undefined) return
  state.compared.value = { table, asked }
  state.announced.value = 'The methods are compared.'
  showNew('methods-title', 'methods')
}

/** What is shown now becomes A, or there is none any more. */
export function keepBeside(candidate: state.Candidate | undefined): void {
  batch(() => {
    state.kept.value = candidate
    state.paired.value = undefined
    state.announced.value =
      candidate === undefined
        ? 'Nothing is kept to compare with.'
        : 'Kept as A. The next result stands beside it.'
  })
  showNew('results-title')
}

/** Both scores on the rows that neither was fitted to. */
export async function pair(a: state.Candidate, b: state.Candidate): Promise<void> {
  const { choice } = b.recipe
  const found = await run({ kind: 'compare', title: 'Comparing on the same rows' }, async news => {
    await ensureRows(news)
    return await ask({ kind: 'pair', choice, a: a.recipe, b: b.recipe }, news)
  })
  if (found === undefined) return
  state.paired.value = { of: pairKey(a, b), pair: found }
  state.announced.value = 'A and B are compared on the same rows.'
  showNew('beside-title', 'beside-title')
}

export const pairKey = (a: state.Candidate, b: state.Candidate): string => `${a.id} ~ ${b.id}`

/** With the corrected scores; of the example alone, without. */
export async function scoreTable(): Promise<Blob | undefined> {
  const { answer, choice } = state.fitted.value!
  return await run({ kind: 'score', title: 'Scoring the table' }, async news => {
    await ensureRows(news)
    return await ask({ kind: 'score', choice, modelText: answer.modelText }, news)
  })
}

export const saveTable = (): Promise<Blob | undefined> =>
  run({ kind: 'score', title: 'Writing the table' }, async news => {
    await ensureRows(news)
    return await ask({ kind: 'save' }, news)
  })

/** `keep`: with what a fit has reached. */
export function stopWork(how: 'keep' | 'drop'): void {
  const { running } = state
  if (running.value === undefined) return
  // Reading and writing have nothing worth keeping, and do not listen.
  if (isReading || ['open', 'score', 'watch'].includes(running.value.kind)) endWorker()
  else {
    running.value = { ...running.value, isStopping: true }
    stop(how)
  }
}

/** Undefined where the work failed or was stopped; the page then says so. */
export async function run<T>(
  { estimate, kind, title }: { kind: Kind; title: string; estimate?: number },
  work: (onNews: (news: News) => void) => Promise<T>,
): Promise<T | undefined> {
  if (state.running.value !== undefined) return undefined
  batch(() => {
    state.failed.value = undefined
    state.warnings.value = []
    const about = estimate === undefined ? {} : { estimate }
    const began = performance.now()
    state.running.value = { kind, title, phase: '', isStopping: false, began, ...about }
  })
  if (kind === 'audit' || kind === 'fit' || kind === 'compare') showNew(undefined, 'progress')
  const endWork = beginWork()
  try {
    const answer = await work(receive)
    // What comes is drawn in a task of its own.
    await new Promise(resolve => setTimeout(resolve))
    return answer
  } catch (error) {
    const failure = error instanceof WorkFailed ? error.failure : { message: String(error) }
    if (failure.isWorkerLost) isHeld = false
    state.failed.value = { ...failure, kind }
    showNew('failure', 'failure')
    return undefined
  } finally {
    state.running.value = undefined
    // What was found is drawn by now, or on its way: that is part of the work.
    void allDrawn().then(endWork)
  }
}

function receive(news: News): void {
  const { running, steps, warnings } = state
  if (running.value === undefined) return
  if (news.kind === 'rows') running.value = { ...running.value, share: news.done / news.of }
  if (news.kind === 'phase') {
    const { search: _, share: __, ...rest } = running.value
    running.value = { ...rest, phase: news.phase }
  }
  if (news.kind === 'search') {
    const { search = { since: performance.now(), from: news.share } } = running.value
    running.value = { ...running.value, share: news.share, search }
  }
  if (news.kind === 'found') running.value = { ...running.value, first: news.first }
  if (news.kind === 'warning') warnings.value = [...warnings.value, news.sentence]
  if (news.kind === 'steps') steps.value = [...steps.value, ...news.steps]
}
