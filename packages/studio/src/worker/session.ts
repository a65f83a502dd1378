// The work behind the page: one table, one piece of work at a time, one model.

import {
  type AuditOptions,
  audit,
  compareMethods,
  FeatureBoostError,
  type FitOptions,
  type Fitted,
  fitWithTrace,
  type Model,
  memoryEngine,
  readModel,
  type SearchProgress,
  type Table,
} from '@featureboost/core'
import {
  type ComparisonTable,
  comparisonTable,
  countCopies,
  decisionLadder,
  formatNumber,
  type Ladder,
  matchRows,
  poolingRare,
} from '@featureboost/core/internal'
import { describeTable } from '../data/describe.ts'
import type { LeftOut } from '../data/loaded.ts'
import { appendToFile, type FileWords, type Format, openFile, readCategories } from '../data/open.ts'
import {
  auditOptionsFor,
  type Choice,
  compareOptionsFor,
  fitOptionsFor,
  limitsFor,
  tableFor,
  takesRounds,
} from '../run/choice.ts'
import { fitCommand, modelNameFor } from '../run/command.ts'
import { evidenceOf } from './evidence.ts'
import { EXAMPLE_NAME, exampleTable, type PlantedRows, plantedRows } from './example.ts'
import { KeptRounds } from './kept.ts'
import { pairScores } from './pair.ts'
import { findPlanted, followPlanted } from './planted.ts'
import type {
  Answers,
  AuditAnswer,
  FitAnswer,
  Group,
  MeasureAnswer,
  News,
  Opened,
  Request,
  ScorePair,
  Step,
} from './protocol.ts'
import { rowsOf } from './rows.ts'
import { freeName, tableCsv } from './tableCsv.ts'
import { turn } from './turns.ts'
import { addBatch, openMonitor } from './watching.ts'

type Tell = (news: News) => void
type Of<Kind extends Request['kind']> = Extract<Request, { kind: Kind }>

/** Groups that are told before the figures are there. */
const FIRST_GROUPS = 5

/** Steps are told in batches: drawing each would cost more than making it. */
const BATCH_MS = 80

export class Session {
  #name = ''
  /** The file itself; the example has none. */
  #blob: Blob | undefined
  #written: FileWords = {}
  #leftOut: readonly string[] = []
  #table: Table | undefined
  #control = new AbortController()
  #keeps = false

  async answer(request: Request, tell: Tell): Promise<Answers[Request['kind']]> {
    this.#control = new AbortController()
    this.#keeps = false
    switch (request.kind) {
      case 'open':
        return await this.#open(request, tell)
      case 'example':
        return this.#hold(EXAMPLE_NAME, readCategories(exampleTable(), request.categorical))
      case 'audit':
        return await this.#audit(request, tell)
      case 'fit':
        return await this.#fit(request, tell)
      case 'compare':
        return await this.#compare(request, tell)
      case 'measure':
        return await this.#measure(request, tell)
      case 'score':
        return await this.#score(request)
      case 'ladder':
        return await this.#ladder(request)
      case 'pair':
        return await this.#pair(request, tell)
      case 'save':
        return await tableCsv(this.#loaded().columns, this.#loaded().rowCount, turn)
      case 'watch':
        return await openMonitor(request)
      case 'batch':
        return await addBatch(request, tell)
    }
  }

  stop(how: 'keep' | 'drop'): void {
    this.#keeps = how === 'keep'
    this.#control.abort()
  }

  async #open({ blob, categorical, name, written }: Of<'open'>, tell: Tell): Promise<Opened> {
    const rows = (done: number, of: number) => tell({ kind: 'rows', done, of })
    const { format, leftOut, table } = await openFile(name, blob, { ...written, categorical, tell: rows })
    this.#written = written
    const { decimal } = written
    return this.#hold(name, table, { leftOut, blob, format, ...(decimal !== undefined && { decimal }) })
  }

  #hold(name: string, table: Table, { blob, leftOut = [], ...readAs }: OfFile = {}): Opened {
    this.#name = name
    this.#blob = blob
    this.#leftOut = leftOut.map(column => column.name)
    this.#table = table
    const columns = describeTable(table, readAs)
    const copyCount = countCopies(table.columns.filter((_, index) => !columns[index].looksLikeId))
    return { name, rowCount: table.rowCount, columns, leftOut, copyCount }
  }

  async #audit({ choice, command, within }: Of<'audit'>, tell: Tell): Promise<AuditAnswer> {
    const table = tableFor(this.#loaded(), choice)
    const rows = within === undefined ? table : groupOf(table, within)
    const onProgress = ({ share }: SearchProgress) => tell({ kind: 'search', share })
    const options = poolingRare(rows, {
      ...auditOptionsFor(choice),
      ...limitsFor(choice),
      ...this.#watched(tell),
    })
    const audited = await audit(rows, { ...options, onProgress })
    const worst = audited.worst.slice(0, FIRST_GROUPS).map(({ sentence }) => sentence)
    tell({ kind: 'found', first: { verdict: audited.verdict, worst } })
    const evidence = await evidenceOf({
      name: within === undefined ? this.#name : `${this.#name}, ${within.words}`,
      table: rows,
      options,
      command,
      audited,
    })
    const planted = within === undefined ? this.#plantedIn(choice) : undefined
    return { evidence, ...(planted !== undefined && { planted: findPlanted(evidence, rows, planted) }) }
  }

  /** Of the example, as long as its score is judged by its outcomes. */
  #plantedIn({ roles }: Choice): readonly PlantedRows[] | undefined {
    const isItsOwn = roles.get('defaulted') === 'label' && roles.get('score') === 'score'
    return this.#blob === undefined && isItsOwn ? plantedRows() : undefined
  }

  async #fit(request: Of<'fit'>, tell: Tell): Promise<FitAnswer> {
    const { file, written } = request
    const table = tableFor(this.#loaded(), request.choice)
    const { choice, fitted } = await this.#fitOrKeep(table, request.choice, tell)
    const { model, trace } = fitted
    const command = fitCommand(choice, { file, ...written, out: modelNameFor(file) })
    const measured = await this.#evidenceAfter(table, choice, model, command, tell)
    return {
      ...measured,
      modelText: model.toText(),
      modelHash: model.hash,
      certificate: `${JSON.stringify(model.certificate, null, 2)}\n`,
      command,
      stopReason: trace.stopReason,
      keptCount: trace.keptCount,
      wasStopped: choice !== request.choice,
    }
  }

  /** A fit that is stopped and kept becomes a fit with the rounds that it has. */
  async #fitOrKeep(table: Table, choice: Choice, tell: Tell): Promise<{ choice: Choice; fitted: Fitted }> {
    const kept = new KeptRounds()
    const { flush, ...watching } = watchSteps(tell)
    const options = { ...fitOptionsFor(choice), ...this.#watched(tell), ...watching }
    try {
      // Other methods have no rounds to keep, and published ones refuse to be asked for it.
      const checkpoint = takesRounds(choice) ? { checkpoint: kept } : {}
      const fitted = await fitWithTrace(table, { ...options, ...checkpoint })
      flush()
      return { choice, fitted }
    } catch (error) {
      const rounds = kept.roundCount
      if (!this.#keeps || rounds === 0 || !isAborted(error)) throw error
      this.#control = new AbortController()
      const limited = { ...choice, values: { ...choice.values, roundLimit: rounds } }
      const again = { ...fitOptionsFor(limited), ...this.#watched(tell), checkpoint: kept.limitedTo(rounds) }
      return { choice: limited, fitted: await fitWithTrace(table, again) }
    }
  }

  /** Rows that cannot be audited are no reason to lose the model, and neither is a wish to stop. */
  async #evidenceAfter(
    table: Table,
    choice: Choice,
    model: Model,
    command: string,
    tell: Tell,
  ): Promise<MeasureAnswer | undefined> {
    try {
      return await this.#evidenceOf(table, choice, model, command, tell)
    } catch (error) {
      if (!(error instanceof FeatureBoostError)) throw error
      const sentence = isAborted(error)
        ? 'The model is made. What was stopped is the audit before and after.'
        : `No audit before and after: ${error.message}`
      tell({ kind: 'warning', sentence })
      return undefined
    }
  }

  async #evidenceOf(
    table: Table,
    choice: Choice,
    model: Model,
    command: string,
    tell: Tell,
  ): Promise<MeasureAnswer> {
    const options = { ...auditOptionsFor(choice), ...this.#watched(tell) }
    const evidence = await evidenceOf({ name: this.#name, table, options, command, model })
    const rows = this.#plantedIn(choice)
    const planted = rows && (await followPlanted(evidence, table, rows, model))
    return { evidence, ...(planted !== undefined && { planted }) }
  }

  async #measure({ choice, command, modelText }: Of<'measure'>, tell: Tell): Promise<MeasureAnswer> {
    const table = tableFor(this.#loaded(), choice)
    return await this.#evidenceOf(table, choice, readModel(modelText), command, tell)
  }

  async #compare({ choice }: Of<'compare'>, tell: Tell): Promise<ComparisonTable> {
    const { onPhase, ...watched } = this.#watched(tell)
    const found = await compareMethods(tableFor(this.#loaded(), choice), {
      ...compareOptionsFor(choice),
      ...watched,
      onStep: ({ fold, foldCount, method, step }) =>
        onPhase(step === 'fitting' ? `${method}, fold ${fold} of ${foldCount}` : `measuring ${method}`),
    })
    return comparisonTable(found)
  }

  async #score({ choice, modelText }: Of<'score'>): Promise<Blob> {
    const all = this.#loaded()
    const scores = readModel(modelText).predict(tableFor(all, choice))
    const name = freeName('corrected', [...all.columns.map(column => column.name), ...this.#leftOut])
    const appended = this.#blob && (await appendToFile(this.#name, this.#blob, name, scores, this.#written))
    const score = { name, kind: 'numeric', values: scores } as const
    return appended ?? (await tableCsv([...all.columns, score], all.rowCount, turn))
  }

  async #ladder({ choice, modelText }: Of<'ladder'>): Promise<Ladder> {
    const table = tableFor(this.#loaded(), choice)
    const columns = groupColumns(table, choice)
    const { signal } = this.#control
    return await decisionLadder(readModel(modelText), table, { columns, signal })
  }

  async #pair({ a, b, choice }: Of<'pair'>, tell: Tell): Promise<ScorePair> {
    return await pairScores(this.#loaded(), { choice, a, b }, this.#watched(tell))
  }

  #loaded(): Table {
    if (this.#table === undefined) throw new Error('No table is loaded.')
    return this.#table
  }

  #watched(tell: Tell): Pick<AuditOptions & FitOptions, 'signal' | 'onWarning' | 'engine'> & {
    onPhase: (phase: string) => void
  } {
    const { signal } = this.#control
    const onWarning = (sentence: string) => tell({ kind: 'warning', sentence })
    return {
      signal,
      onWarning,
      onPhase: phase => tell({ kind: 'phase', phase }),
      engine: memoryEngine({ signal, onWarning }),
    }
  }
}

/** What a table that was read from a file has besides. */
interface OfFile {
  readonly blob?: Blob
  readonly leftOut?: readonly LeftOut[]
  readonly format?: Format
  readonly decimal?: ','
}

/** More values are no groups to be told of one by one. */
const MOST_VALUES = 12
const MOST_COLUMNS_OF_GROUPS = 8

/** Columns of few values whose groups decisions are told of; those that were marked as groups first. */
function groupColumns(table: Table, { roles }: Choice): string[] {
  const few = table.columns.filter(
    column =>
      ['feature', 'group'].includes(roles.get(column.name) ?? 'out') &&
      (column.kind === 'boolean' ||
        (column.kind === 'categorical' && column.categories.length <= MOST_VALUES)),
  )
  const isMarked = ({ name }: { name: string }) => Number(roles.get(name) === 'group')
  return few
    .toSorted((a, b) => isMarked(b) - isMarked(a))
    .slice(0, MOST_COLUMNS_OF_GROUPS)
    .map(({ name }) => name)
}

const isAborted = (error: unknown): boolean =>
  error instanceof FeatureBoostError && error.code === 'FB_ABORTED'

const groupOf = (table: Table, { where }: Group): Table => rowsOf(table, matchRows(table, where))

/** Steps of a fit, told now and then; `flush` tells the last ones. */
function watchSteps(tell: Tell): Required<Pick<FitOptions, 'onRound' | 'onTree'>> & { flush: () => void } {
  let steps: Step[] = []
  let last = 0
  const push = (...more: Step[]) => {
    steps.push(...more)
    if (performance.now() - last >= BATCH_MS) flush()
  }
  const flush = () => {
    if (steps.length > 0) tell({ kind: 'steps', steps })
    steps = []
    last = performance.now()
  }
  return {
    flush,
    onRound: ({ losses, round, words }) =>
      push(
        ...losses.map((loss, fold) => ({
          line: fold === 0 ? 'fitting rows' : 'held-out rows',
          at: round,
          loss,
          words: `Round ${round}: ${words}`,
        })),
      ),
    onTree: ({ loss, part, trees }) =>
      push({
        line: `part ${part + 1}`,
        at: trees,
        loss,
        words: `Part ${part + 1}, tree ${trees}: log loss ${formatNumber(loss)} on the rows held apart`,
      }),
  }
}
