// featureboost compare: which method corrects this score best, on rows that it has not seen?

import { type CompareOptions, compareMethods, type Method, type MethodComparison } from '@featureboost/core'
import type { ComparisonStep } from '@featureboost/core/internal'
import { exitCodeFor } from '../errors.ts'
import { keepText } from '../files.ts'
import { COMPARE_FLAGS, given } from '../flags.ts'
import { checkOutputs, inputsOf, outputsOf } from '../outputs.ts'
import { wrap } from '../terminal/layout.ts'
import type { Progress } from '../terminal/progress.ts'
import { PAGE, stdoutView, type View } from '../terminal/view.ts'
import { visiblePage } from '../terminal/width.ts'
import { escapeMarkdown } from './auditReport.ts'
import { layoutComparison, markdownComparison, nextLine, recommendationLine } from './compareReport.ts'
import { interruptibleEngine, requireMemory } from './engine.ts'
import { fewIdsNote } from './fewIds.ts'
import { columnsToFit } from './fit.ts'
import { leftOutJson, leftOutLines } from './leftOut.ts'
import { nextFit } from './nextFit.ts'
import { printJson, printPage } from './print.ts'
import { type DataOptions, type Reading, type ReadRows, runSession, withRows } from './session.ts'

type CompareFormat = 'table' | 'markdown' | 'json'

/** Options of the library that are flags of the same name. */
type CompareFlags = Omit<CompareOptions, 'auditors' | 'signal' | 'onStep' | 'onWarning' | 'engine'>

interface CompareCommandOptions extends CompareFlags, DataOptions {
  readonly format?: CompareFormat
  readonly json: boolean
  readonly out?: string
  readonly force: boolean
  readonly ascii?: boolean
  readonly quiet: boolean
}

/** All rows, those that are fitted to and those that are not. */
const ROW_COPIES = 2

export async function runCompare(paths: readonly string[], options: CompareCommandOptions): Promise<void> {
  checkOutputs(outputsOf(options), inputsOf(paths, options))
  const reading = columnsToFit(options)
  await runSession(options, async session => {
    const { progress, signal } = session
    await withRows(session, paths, options, reading, async data => {
      requireMemory(data, options, ROW_COPIES)
      const note = await fewIdsNote(data, options.groupBy)
      if (note !== undefined) progress.tell(note)
      progress.phase('reading')
      const found = await compareMethods(data.rows, {
        ...given(COMPARE_FLAGS, options),
        signal,
        onStep: step => tellStep(step, progress),
        onWarning: progress.tell,
        engine: interruptibleEngine({ threads: options.threads, signal, onWarning: progress.tell }),
      })
      signal.throwIfAborted()
      progress.seconds()
      await report(found, { data, reading }, options)
      const failure = failureOf(found, options.methods)
      if (failure !== undefined) process.exitCode = exitCodeFor(failure.code)
    })
  })
}

/** Folds come first: a method is fitted to one after the other, with all others in between. */
function tellStep(step: ComparisonStep, progress: Progress): void {
  const { fold = 1, foldCount, method, methodCount, methodNumber } = step
  const of = `method ${methodNumber} of ${methodCount}, ${method}`
  if (step.step === 'scoring') progress.task('scoring', method, (methodNumber - 1) / methodCount)
  else {
    const share = (fold - 1 + (methodNumber - 1) / methodCount) / foldCount
    progress.task('fitting', `fold ${fold} of ${foldCount}, ${of}`, share)
  }
}

/** To stdout; with --out to a file, and what to remember of it to stdout. */
async function report(found: MethodComparison, read: Read, options: CompareCommandOptions): Promise<void> {
  const { force: overwrite, out } = options
  const view = stdoutView(options)
  const format = formatOf(options)
  const [method] = found.recommendation.methods
  const next = method === undefined ? undefined : nextFit(method, found.methods.length)
  if (out !== undefined) {
    await keepText(out, textOf(found, read, format), { overwrite })
    printPage([
      ...leftOutLines(read.data, read.reading, view),
      recommendationLine(found, view),
      ...(next === undefined ? [] : [nextLine(next)]),
      wrap(`Written to ${out}.`, view.width),
    ])
  } else if (format === 'json')
    printJson({ ...found, next: next ?? null, ...leftOutJson(read.data, read.reading) })
  else printPage(pageOf(found, read, format, view, next))
}

/** How the rows were read, and how many were left out. */
interface Read {
  readonly data: ReadRows
  readonly reading: Reading
}

function pageOf(
  found: MethodComparison,
  { data, reading }: Read,
  format: CompareFormat,
  view: View,
  next?: string,
): string[] {
  if (format === 'markdown')
    return [...markdownComparison(found), ...leftOutLines(data, reading, PAGE, escapeMarkdown)]
  return [...layoutComparison(found, view, next), ...leftOutLines(data, reading, view)]
}

/** Where none is asked for, the name of the file says which. */
function formatOf({ format, json, out = '' }: CompareCommandOptions): CompareFormat {
  if (json) return 'json'
  if (format !== undefined) return format
  if (/\.json$/i.test(out)) return 'json'
  return /\.(md|markdown)$/i.test(out) ? 'markdown' : 'table'
}

function textOf(found: MethodComparison, read: Read, format: CompareFormat): string {
  if (format === 'json')
    return `${JSON.stringify({ ...found, ...leftOutJson(read.data, read.reading) }, null, 2)}\n`
  return `${visiblePage(pageOf(found, read, format, PAGE).join('\n\n'))}\n`
}

/** A method that fails is left out; that is a failure of the command only if it was asked for by name, or none is left. */
const failureOf = ({ failed, methods }: MethodComparison, named: readonly Method[] | undefined) =>
  failed.find(({ method }) => methods.length === 0 || named?.includes(method))
