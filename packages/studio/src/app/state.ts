// What the page knows. Components read these signals; actions.ts changes them, and restore.ts keeps them.

import { type ComparisonTable, estimateAudit, type Ladder, QUICKER_AUDIT } from '@featureboost/core/internal'
import { computed, signal } from '@preact/signals'
import type { FileWords } from '../data/open.ts'
import { findProblems, namesOf, type RoleMap, type Words } from '../data/roles.ts'
import type { Choice, FormValues } from '../run/choice.ts'
import { auditCommand, fitCommand, modelNameFor } from '../run/command.ts'
import { type Side, sideOf } from '../run/side.ts'
import type {
  AuditAnswer,
  Failure,
  FirstFindings,
  FitAnswer,
  Group,
  Opened,
  ScorePair,
  ScoreRecipe,
  Step,
} from '../worker/protocol.ts'
import type { Chosen, FileRef } from './files.ts'
import { view } from './view.ts'

export interface Running {
  readonly kind: 'open' | 'audit' | 'fit' | 'compare' | 'score' | 'watch'
  readonly title: string
  readonly phase: string
  /** 0 to 1, where it can be told. */
  readonly share?: number
  /** When the search for groups began, by the clock of the page, and how far it was then. */
  readonly search?: { readonly since: number; readonly from: number }
  readonly isStopping: boolean
  /** By the clock of the page. */
  readonly began: number
  /** Seconds that all of it will take, as far as can be told before it starts. */
  readonly estimate?: number
  /** What an audit has found already. */
  readonly first?: FirstFindings
}

/** `asked`: the command of the choice that it was made of. While the choice has the same command, the result is of this choice. */
interface Result {
  readonly asked: string
}

export interface Audited extends Result, AuditAnswer {
  readonly command: string
  /** Its roles say which column is the score. */
  readonly choice: Choice
}

/** A group whose rows were audited alone. */
export interface Look extends Audited {
  readonly id: number
  readonly group: Group
}

export interface Fitted extends Result {
  readonly answer: FitAnswer
  /** Its roles say which columns the model reads. */
  readonly choice: Choice
}

/** A result that can stand beside another one. */
export interface Candidate {
  /** Of one result, as long as the page lives and after. */
  readonly id: string
  readonly side: Side
  readonly recipe: ScoreRecipe
  readonly file: string
}

/** Differences of two results on the same rows; `of`: their ids. */
interface Paired {
  readonly of: string
  readonly pair: ScorePair
}

export interface Compared extends Result {
  readonly table: ComparisonTable
}

export const opened = signal<Opened | undefined>(undefined)
/** Where the rows come from; undefined before anything is loaded. */
export const source = signal<FileRef | 'example' | undefined>(undefined)
/** The file itself, which no refresh survives. */
export const file = signal<File | undefined>(undefined)
/** A file that could not be read, until it is said how it is written. */
export const rejected = signal<Chosen | undefined>(undefined)
/** A file that would take the place of one that has results. */
export const offered = signal<Chosen | 'example' | undefined>(undefined)
/** How the file is written, where that has to be said. */
export const written = signal<FileWords>({})
export const roles = signal<RoleMap>(new Map())
/** How columns are written, where that has to be said. */
export const words = signal<Words>({})
export const running = signal<Running | undefined>(undefined)
/** What went wrong last, and during which work. */
export const failed = signal<(Failure & { readonly kind: Running['kind'] }) | undefined>(undefined)
export const warnings = signal<readonly string[]>([])
/** What a screen reader says of what is new. */
export const announced = signal('')

export const audited = signal<Audited | undefined>(undefined)
export const looks = signal<readonly Look[]>([])
export const fitted = signal<Fitted | undefined>(undefined)
/** Decisions by the score of the fit, before and after; the model says of which fit. */
export const decided = signal<{ readonly modelHash: string; readonly ladder: Ladder } | undefined>(undefined)
export const compared = signal<Compared | undefined>(undefined)
/** A, which other results are seen beside; another file does not take its place. */
export const kept = signal<Candidate | undefined>(undefined)
export const paired = signal<Paired | undefined>(undefined)
export const steps = signal<readonly Step[]>([])

export const values = signal<FormValues>({})
export const groups = signal<Choice['groups']>({ kind: 'trees', depth: 2 })

/** Is the next audit to have the smaller budget? */
export const isQuicker = signal(false)

export const problems = computed(() =>
  opened.value === undefined ? [] : findProblems(opened.value.columns, roles.value, words.value),
)
export const isStopped = computed(() => problems.value.some(({ stops }) => stops))
export const hasScore = computed(() => [...roles.value.values()].includes('score'))
export const hasGroups = computed(() => [...roles.value.values()].includes('group'))
/** Which file it is, by all that is known of it. */
const fileKey = computed(() =>
  source.value === undefined || source.value === 'example'
    ? 'the example'
    : [source.value.name, source.value.size, source.value.lastModified].join('|'),
)

export const auditCandidate = computed<Candidate | undefined>(() => {
  if (audited.value === undefined) return undefined
  const { asked, choice, command, evidence } = audited.value
  const file = fileKey.value
  return { id: `${file}|${asked}`, file, side: sideOf(evidence, command), recipe: { choice } }
})

export const fitCandidate = computed<Candidate | undefined>(() => {
  if (fitted.value?.answer.evidence === undefined) return undefined
  const { answer, choice } = fitted.value
  const { command, evidence, modelHash, modelText } = answer
  const [file, side] = [fileKey.value, sideOf(evidence!, command)]
  return { id: `${file}|${modelHash}`, file, side, recipe: { choice, modelText } }
})

export const hasResults = computed(() => audited.value !== undefined || fitted.value !== undefined)

export const choice = computed<Choice>(() => ({
  roles: roles.value,
  unread: opened.value?.leftOut.map(({ name }) => name) ?? [],
  // Groups of columns that are none any more are the default again.
  groups: groups.value.kind === 'columns' && !hasGroups.value ? { kind: 'trees', depth: 2 } : groups.value,
  values: values.value,
  words: words.value,
  ...(isQuicker.value && { quicker: true }),
}))

/** Seconds that an audit will take, as far as can be told from the table: an estimate, in full and with the smaller budget. */
export const auditSeconds = computed(() => {
  const { columns = [], rowCount = 0 } = opened.value ?? {}
  const searched = columns.filter(({ name }) => ['feature', 'group'].includes(roles.value.get(name) ?? ''))
  const shape = {
    rowCount,
    distinct: searched.map(({ distinct }) => distinct),
    threads: navigator.hardwareConcurrency,
  }
  return { full: estimateAudit(shape), quicker: estimateAudit(shape, QUICKER_AUDIT) }
})

const fileFlags = computed(() => ({ file: opened.value?.name ?? '', ...written.value }))
export const auditAsked = computed(() => auditCommand(choice.value, fileFlags.value))
export const fitAsked = computed(() =>
  fitCommand(choice.value, { ...fileFlags.value, out: modelNameFor(fileFlags.value.file) }),
)
/** No command of its own is printed: what an audit looks at, and the rows that are held out together. */
export const compareAsked = computed(() => [auditAsked.value, ...namesOf(roles.value, 'ids')].join(' '))

export const isAuditStale = computed(
  () => audited.value !== undefined && audited.value.asked !== auditAsked.value,
)
export const isFitStale = computed(() => fitted.value !== undefined && fitted.value.asked !== fitAsked.value)

/** Can there be new work? After a refresh a file has to be opened again. */
export const hasRows = computed(() => source.value === 'example' || file.value !== undefined)
/** Was anything of the results saved? */
export const isTakenHome = signal(false)

/** The group that is looked into. */
export const looked = computed(() => looks.value.find(({ id }) => id === view.value.look))
