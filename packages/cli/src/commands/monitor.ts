// featureboost monitor: is a model still right? A state file remembers every batch; code 4 where a gate fails.

import { basename } from 'node:path'
import { groups, type Model, type Monitor, startMonitor } from '@featureboost/core'
import { formatCount } from '@featureboost/core/internal'
import { CommandError } from '../errors.ts'
import { readModelFile } from '../files.ts'
import { given } from '../flags.ts'
import { batchColumns, batchNameOf } from '../monitor/reading.ts'
import { readStateFile, whileLocked, writeStateFile } from '../monitor/stateFile.ts'
import { checkOutput, checkOutputs, inputsOf, outputsOf } from '../outputs.ts'
import { writeMonitorReport } from '../report/monitor.ts'
import { reportLine } from '../report/write.ts'
import { layoutMonitor } from '../terminal/monitor.ts'
import { stdoutView } from '../terminal/view.ts'
import { columnsToPredict } from './modelColumns.ts'
import { printJson, printPage } from './print.ts'
import { readGroups } from './readGroups.ts'
import { type DataOptions, type ReadData, runSession, type Session, withRows } from './session.ts'

interface MonitorCommandOptions extends DataOptions {
  readonly model: string
  readonly start: boolean
  readonly delta?: number
  readonly maxGap?: number
  readonly protect?: readonly string[]
  readonly columns?: readonly string[]
  readonly groups?: string
  readonly batch?: string
  readonly again: boolean
  readonly unlabelled: boolean
  readonly dryRun: boolean
  readonly failOnAlarm: boolean
  readonly failOnDrift: boolean
  readonly report?: string
  readonly force: boolean
  readonly json: boolean
  readonly ascii?: boolean
  readonly quiet: boolean
}

/** What was done, and the state after it. */
interface Done {
  readonly monitor: Monitor
  readonly did: 'started' | 'recorded' | 'tried' | 'read'
  readonly batch?: string
}

export async function runMonitor(
  state: string,
  paths: readonly string[],
  options: MonitorCommandOptions,
): Promise<void> {
  checkFlags(paths, options)
  checkOutputs(outputsOf(options), [state, ...inputsOf(paths, options)])
  const writes = (options.start || hasData(paths, options)) && !options.dryRun
  if (writes) {
    checkOutputs([{ flag: 'STATE', path: state, overwrite: true }], inputsOf(paths, options))
    checkOutput(state, 'state', !options.start || options.force)
  }
  const model = await readModelFile(options.model)
  await runSession(options, async session => {
    const work = () =>
      options.start
        ? start(state, paths, model, options, session)
        : hasData(paths, options)
          ? add(state, paths, model, options, session)
          : read(state, model)
    const done = writes ? await whileLocked(state, work) : await work()
    const report = done.monitor.report()
    if (options.report !== undefined) {
      session.progress.phase('writing')
      session.progress.tell(reportLine(await writeMonitorReport(options.report, report, basename(state))))
    }
    const seconds = session.progress.seconds()
    if (options.json) {
      const { batch, did } = done
      printJson({ state: basename(state), did, batch: batch ?? null, ...report, seconds })
    } else printPage(layoutMonitor(report, { did: doneWords(done, state), view: stdoutView(options) }))
    const isDrifted = report.columns.some(({ alarm }) => alarm !== undefined)
    if ((options.failOnAlarm && report.alarm) || (options.failOnDrift && isDrifted)) process.exitCode = 4
  })
}

const hasData = (paths: readonly string[], { sql }: MonitorCommandOptions): boolean =>
  paths.length > 0 || sql !== undefined

/** Flags that are settled when a monitor is started, and those that are about one batch. */
const OF_START = ['delta', 'maxGap', 'protect', 'columns', 'groups'] as const
const OF_BATCH = ['batch', 'again', 'unlabelled', 'dryRun'] as const

function checkFlags(paths: readonly string[], options: MonitorCommandOptions): void {
  const flagOf = (name: string) => `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
  const isGiven = (name: keyof MonitorCommandOptions) =>
    options[name] !== undefined && options[name] !== false
  const late = OF_START.find(isGiven)
  if (!options.start && late !== undefined)
    throw new CommandError(
      2,
      `${flagOf(late)} is settled by --start: what is promised of all batches cannot change between them. Leave it out, or start another state.`,
    )
  const early = OF_BATCH.find(isGiven)
  if (options.start && early !== undefined)
    throw new CommandError(2, `${flagOf(early)} is about a batch, and --start records none. Leave it out.`)
  if (options.start && !hasData(paths, options))
    throw new CommandError(2, '--start needs data: rows as they usually are, such as those of the fit.')
  const idle = OF_BATCH.find(isGiven)
  if (!options.start && !hasData(paths, options) && idle !== undefined)
    throw new CommandError(2, `${flagOf(idle)} is about a batch, and no data are named.`)
}

async function start(
  state: string,
  paths: readonly string[],
  model: Model,
  options: MonitorCommandOptions,
  session: Session,
): Promise<Done> {
  const { progress, signal } = session
  const declared = options.groups === undefined ? undefined : groups(await readGroups(options.groups))
  const { protect: own = [] } = model.data.roles
  const more = [...(options.protect ?? own), ...(options.columns ?? []), ...namedColumns(declared?.groups)]
  const reading = columnsToPredict(model, [...more, model.data.roles.weight])
  return await withRows(session, paths, options, reading, async data => {
    progress.phase('learning')
    const monitor = await startMonitor(model, data.rows, {
      ...given(['delta', 'maxGap', 'protect', 'columns'] as const, options),
      ...(declared !== undefined && { auditors: declared }),
      signal,
      onWarning: progress.tell,
    })
    await writeStateFile(state, monitor)
    return { monitor, did: 'started' }
  })
}

async function add(
  state: string,
  paths: readonly string[],
  model: Model,
  options: MonitorCommandOptions,
  session: Session,
): Promise<Done> {
  const { progress, signal } = session
  const before = await readStateFile(state, model)
  return await withRows(session, paths, options, batchColumns(before, options.unlabelled), async data => {
    progress.phase('watching')
    const name = options.batch ?? nameOf(data)
    const monitor = await before.add(data.rows, {
      ...(name !== undefined && { name }),
      ...{ again: options.again, unlabelled: options.unlabelled },
      ...{ signal, onWarning: progress.tell },
    })
    if (!options.dryRun) await writeStateFile(state, monitor)
    // Labels of rows that were there before belong to the batch as it was called then.
    const recorded = monitor.data.batches.find((batch, index) => batch !== before.data.batches[index])!
    return { monitor, did: options.dryRun ? 'tried' : 'recorded', batch: recorded.name }
  })
}

async function read(state: string, model: Model): Promise<Done> {
  return { monitor: await readStateFile(state, model), did: 'read' }
}

/** Columns that declared groups look at; what is no group is left to the library to refuse. */
function namedColumns(specs: readonly unknown[] = []): string[] {
  return specs.flatMap((spec): string[] => {
    if (typeof spec === 'string') return [spec]
    if (Array.isArray(spec)) return namedColumns(spec)
    if (typeof spec !== 'object' || spec === null) return []
    const { column, where } = spec as { column?: unknown; where?: unknown }
    return where === undefined
      ? namedColumns([column].filter(each => typeof each === 'string'))
      : namedColumns([where])
  })
}

/** Several files, and queries, go by their number. */
function nameOf({ input }: ReadData): string | undefined {
  if (input === undefined || input.files.length !== 1) return undefined
  return batchNameOf(basename(input.files[0]))
}

function doneWords({ batch, did, monitor }: Done, state: string): string {
  const { reference } = monitor.data
  if (did === 'started')
    return `Started: ${state} watches from now on. The reference has ${formatCount(reference.rowCount)} rows.`
  if (did === 'read') return `${state}, as it is.`
  return did === 'tried'
    ? `Tried batch ${batch}; nothing was recorded.`
    : `Recorded batch ${batch} in ${state}.`
}
