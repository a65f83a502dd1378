// featureboost fit: from data to a certified model file.

import {
  type Auditors,
  type BeforeAfter,
  collectChange,
  compareBeforeAfter,
  FeatureBoostError,
  type FitOptions,
  type FitRows,
  type Fitted,
  fitWithTrace,
  groups,
  linear,
  type MakeEngine,
  type Model,
  type ModelEvidence,
  trees,
} from '@featureboost/core'
import { formatCount, type GroupAuditors, nearestName, readSettings } from '@featureboost/core/internal'
import { CheckpointFolder } from '../checkpoint/folder.ts'
import type { OpenOptions } from '../data/open.ts'
import { CommandError } from '../errors.ts'
import { KeptBeside, keepText } from '../files.ts'
import { FIT_FLAGS, given } from '../flags.ts'
import { checkOutputs, inputsOf, outputsOf } from '../outputs.ts'
import { evidenceOptions } from '../report/make.ts'
import { reportLine, writeReport } from '../report/write.ts'
import { judgeBeforeAfter } from '../terminal/verdict.ts'
import { stdoutView } from '../terminal/view.ts'
import { visible } from '../terminal/width.ts'
import { type EngineOptions, withEngine } from './engine.ts'
import { fewIdsNote } from './fewIds.ts'
import { fitJson, layoutFit } from './fitReport.ts'
import { leftOutJson, leftOutLines } from './leftOut.ts'
import { printJson, printPage } from './print.ts'
import { refuseProtectOut, writeProtected } from './protectOut.ts'
import { checkGroupColumns, readGroups } from './readGroups.ts'
import { resumeCommand } from './resume.ts'
import { type ReadData, runSession, type Session, withRows } from './session.ts'
import { isOnSpark, type SparkOptions, type SparkRows, withSparkRows } from './spark.ts'
import { EXPLAINED, explainOnSpark } from './sparkExplain.ts'
import { keptMarks } from './sparkMarks.ts'

/** Options of the library that are flags of the same name. */
type FitFlags = Omit<
  FitOptions,
  | 'auditors'
  | 'checkpoint'
  | 'signal'
  | 'onRound'
  | 'onTree'
  | 'onGroup'
  | 'onStep'
  | 'onPhase'
  | 'onWarning'
  | 'engine'
>

interface FitCommandOptions extends FitFlags, SparkOptions, EngineOptions {
  readonly auditors?: string
  /** What the audit before and after looks at. */
  readonly groups?: string
  readonly out: string
  readonly force: boolean
  /** --no-audit: no audit before and after. */
  readonly audit: boolean
  /** Of each of the two audits, in nominal seconds. */
  readonly budget?: number
  /** A file. */
  readonly report?: string
  /** A file. */
  readonly protectOut?: string
  /** A folder. */
  readonly checkpoint?: string
  readonly resume: boolean
  /** Ends with 4 where held-out rows say that the score got worse. */
  readonly failIfWorse?: boolean
  readonly details?: boolean
  readonly json: boolean
  readonly ascii?: boolean
  readonly quiet: boolean
}

export async function runFit(paths: readonly string[], options: FitCommandOptions): Promise<void> {
  const auditors = options.auditors === undefined ? undefined : await readAuditors(options.auditors)
  const audited = await readAudited(options)
  const reading = columnsToFit(options)
  const checkpoint = await openCheckpoint(options)
  try {
    await fitKept(paths, options, { auditors, audited, reading, checkpoint })
  } finally {
    checkpoint?.close()
  }
}

interface Prepared {
  readonly auditors: Auditors | undefined
  readonly audited: GroupAuditors | undefined
  readonly reading: ReturnType<typeof columnsToFit>
  readonly checkpoint: CheckpointFolder | undefined
}

async function fitKept(
  paths: readonly string[],
  options: FitCommandOptions,
  { audited, auditors, checkpoint, reading }: Prepared,
): Promise<void> {
  const { out } = options
  const overwrite = options.force || (await checkpoint?.hasWritten(out)) === true
  checkOutputs(outputsOf(options, overwrite), inputsOf(paths, options))
  refuseProtectOut(options)
  if (options.protectOut !== undefined && !options.audit)
    throw new CommandError(2, '--protect-out needs the audit: leave --no-audit out.')
  const work = async (session: Session) => {
    const { progress, signal } = session
    if (checkpoint !== undefined && checkpoint.roundCount > 0)
      progress.tell(`Going on after ${counted(checkpoint.roundCount)} in ${checkpoint.folder}.`)
    const fitted = (rows: FitRows, engine?: MakeEngine) =>
      fitWithTrace(rows, {
        ...given(FIT_FLAGS, options),
        ...(auditors !== undefined && { auditors }),
        ...(checkpoint !== undefined && { checkpoint }),
        signal,
        onPhase: progress.phase,
        onRound: progress.round,
        onTree: progress.tree,
        onGroup: progress.group,
        onStep: progress.step,
        onWarning: progress.tell,
        ...(engine !== undefined && { engine }),
      }).catch(error => {
        throw placed(error, checkpoint)
      })
    if (isOnSpark(options) && options.explain) {
      const { holdout, roles } = readSettings({ ...given(FIT_FLAGS, options), label: options.label })
      const asked = { roles, ...(holdout !== undefined && { holdout }) }
      return await explainOnSpark(session, paths, options, reading, asked, EXPLAINED.fit)
    }
    if (isOnSpark(options)) {
      const keeper = checkpoint === undefined ? undefined : keptMarks(checkpoint.folder)
      const read = async ({ columns, store }: SparkRows) => ({ columns, fitted: await fitted(store) })
      const found = await withSparkRows(session, paths, options, reading, read, keeper)
      signal.throwIfAborted()
      const { rowCount } = found.fitted.model.certificate.rows
      if (options.audit) progress.tell(NOT_AUDITED)
      const data = { ...{ rowCount, leftOut: 0, notes: [] }, columns: found.columns }
      return await deliver(session, data, found.fitted, {})
    }
    await withRows(session, paths, options, reading, async data => {
      if (audited !== undefined) checkGroupColumns(audited.groups, featuresIn(data, options))
      const note = await fewIdsNote(data, options.groupBy)
      if (note !== undefined) progress.tell(note)
      const found = await withEngine(session, data, options, async (engine, rows) => {
        const made = await fitted(rows, engine)
        signal.throwIfAborted()
        return { made, judged: await judge(made, { ...data, rows }, session, audited, engine, options) }
      })
      signal.throwIfAborted()
      await deliver(session, data, found.made, found.judged)
    })
  }
  const deliver = async (
    session: Session,
    data: Delivered,
    fitted: Fitted,
    judged: Judged,
  ): Promise<void> => {
    session.progress.phase('writing')
    await checkpoint?.announce(fitted.model.hash)
    const beside = await keepModel(out, fitted.model, overwrite)
    await checkpoint?.remove()
    // The model is safe, and where it is has to be known, whatever comes.
    await tellAll(session, data, fitted, judged, beside?.kept ?? out).catch(error => {
      throw beside ?? error
    })
    if (beside !== undefined) throw beside
  }
  const tellAll = async (
    session: Session,
    data: Delivered,
    fitted: Fitted,
    judged: Judged,
    file: string,
  ): Promise<void> => {
    const { progress } = session
    if (judged.failure !== undefined) throw judged.failure
    if (options.report !== undefined && judged.evidence !== undefined)
      progress.tell(reportLine(await writeReport(options.report, judged.evidence)))
    if (judged.change?.protected !== undefined)
      await writeProtected(judged.change.protected, options, session)
    const seconds = progress.seconds()
    const compared = options.audit ? judged.change : undefined
    const report = { data, fitted, compared, options: { ...options, out: file } }
    const view = stdoutView(options)
    if (options.json) printJson({ ...fitJson(report), ...leftOutJson(data, reading), seconds })
    else printPage([...layoutFit(report, view), ...leftOutLines(data, reading, view)])
    if (options.failIfWorse && isWorse(judged.change)) process.exitCode = 4
  }
  await runSession(options, work, () => howToGoOn(checkpoint))
}

/** Where somebody has made the file during the fit, what is to be told of that at the end. */
async function keepModel(out: string, model: Model, overwrite: boolean): Promise<KeptBeside | undefined> {
  try {
    await keepText(out, model.toText(), { overwrite })
    return undefined
  } catch (error) {
    if (error instanceof KeptBeside) return error
    throw error
  }
}

const NOT_AUDITED =
  'No audit before and after: rows stay in Spark. featureboost audit, with the same --engine, audits the score there, and with --model what the model makes of it.'

const isWorse = (change: BeforeAfter | undefined): boolean =>
  change !== undefined && change.rows === 'held-out' && judgeBeforeAfter(change).score === 'worse'

/** What is told of the rows. */
type Delivered = Pick<ReadData, 'columns' | 'notes' | 'rowCount' | 'leftOut'>

interface Judged extends Partial<ModelEvidence> {
  /** Why there is no evidence where a report was asked for. */
  readonly failure?: FeatureBoostError
}

/** What the model changed, and the evidence for it where a report is to be written: both are from the same audits. */
async function judge(
  { model }: Fitted,
  data: ReadData,
  session: Session,
  audited: GroupAuditors | undefined,
  engine: MakeEngine,
  { audit, budget, report, seed, threads }: FitCommandOptions,
): Promise<Judged> {
  if (!audit && report === undefined) return {}
  const { progress, signal } = session
  const asked = {
    ...(audited !== undefined && { auditors: audited }),
    ...(seed !== undefined && { seed }),
    ...(threads !== undefined && { threads }),
    ...(budget !== undefined && { budget }),
  }
  progress.phase('auditing')
  try {
    if (report !== undefined)
      return await collectChange(data.rows, evidenceOptions(data, session, { ...asked, model, fitted: true }))
    const watched = { signal, onProgress: progress.search, onWarning: progress.tell }
    const options = { ...asked, ...watched, engine }
    return { change: await compareBeforeAfter(model, data.rows, options) }
  } catch (error) {
    // Rows that cannot be audited, such as held-out ones of one label only, are no reason to lose the model.
    if (signal.aborted || !(error instanceof FeatureBoostError)) throw error
    if (audit) progress.tell(`No audit before and after: ${error.message}`)
    return report === undefined ? {} : { failure: error }
  }
}

/** The groups that --groups names, for the audit before and after. What is fitted is the business of --auditors. */
async function readAudited({
  audit,
  groups: named,
  report,
}: FitCommandOptions): Promise<GroupAuditors | undefined> {
  if (named === undefined) return undefined
  if (!audit && report === undefined)
    throw new CommandError(
      2,
      '--groups says what the audit before and after looks at, and there is none: leave out --no-audit, or pass --report. The groups to fit are named with --auditors groups:...',
    )
  return groups(await readGroups(named))
}

async function openCheckpoint(options: FitCommandOptions): Promise<CheckpointFolder | undefined> {
  const { checkpoint, quiet, resume } = options
  if (checkpoint !== undefined)
    return await CheckpointFolder.open(checkpoint, {
      resume,
      tell: line => quiet || process.stderr.write(`${visible(line)}\n`),
    })
  if (resume) throw new CommandError(2, '--resume needs --checkpoint, the folder where the rounds were kept.')
  return undefined
}

/** An error of a checkpoint says which one. */
function placed(error: unknown, checkpoint: CheckpointFolder | undefined): unknown {
  if (checkpoint === undefined || !(error instanceof FeatureBoostError)) return error
  if (error.code !== 'FB_CHECKPOINT_OTHER' && error.code !== 'FB_CHECKPOINT_DAMAGED') return error
  const { code, details, message } = error
  return FeatureBoostError.revive(code, message.replace(code, `${code} ${checkpoint.folder}`), details)
}

function howToGoOn(checkpoint: CheckpointFolder | undefined): string {
  if (checkpoint === undefined)
    return 'Nothing was written. With --checkpoint FOLDER, a fit that is interrupted can be resumed.'
  const { folder, roundCount } = checkpoint
  const kept = roundCount === 0 ? 'No step was done yet.' : `${counted(roundCount)} kept in ${folder}.`
  return `${kept} Go on with:\n  ${resumeCommand()}`
}

const counted = (steps: number): string => (steps === 1 ? '1 step' : `${formatCount(steps)} steps`)

/** The columns that auditors may look at. */
function featuresIn({ columns }: ReadData, options: FitCommandOptions): string[] {
  const { features, fold, groupBy, label, prediction, weight } = options
  const roles = [label, prediction, weight, fold, groupBy]
  return [...(features ?? columns.map(({ name }) => name).filter(name => !roles.includes(name)))]
}

/** Excepted columns are not even read, so they may hold anything; unless they have another role. */
export function columnsToFit(options: {
  readonly label?: string
  readonly prediction?: string
  readonly weight?: string
  readonly fold?: string
  readonly groupBy?: string
  readonly features?: readonly string[]
  readonly except?: readonly string[]
  readonly categorical?: readonly string[]
  readonly dropMissingLabels?: boolean
}): Pick<OpenOptions, 'only' | 'except' | 'categorical' | 'complete'> {
  const { categorical = [], except = [], features, fold, groupBy, label, prediction, weight } = options
  const roles = [label, prediction, weight, fold, groupBy].filter(name => name !== undefined)
  const both = features?.find(name => except.includes(name))
  if (both !== undefined)
    throw new CommandError(2, `Column "${both}" is in --features and in --except: name it in one of them.`)
  const unread = categorical.find(name => except.includes(name))
  if (unread !== undefined)
    throw new CommandError(
      2,
      `Column "${unread}" is in --categorical and in --except: name it in one of them.`,
    )
  const words = {
    categorical,
    ...(options.dropMissingLabels && label !== undefined && { complete: label }),
  }
  const other = features && categorical.find(name => !features.includes(name))
  if (other !== undefined)
    throw new CommandError(2, `Column "${other}" is in --categorical, but not in --features.`)
  if (features !== undefined) return { only: [...new Set([...features, ...roles])], ...words }
  return { except: except.filter(name => !roles.includes(name)), ...words }
}

/** "trees", "trees:3", "linear", "groups:sex,race", "groups:@file.json". */
async function readAuditors(text: string): Promise<Auditors> {
  const [kind, rest] = text.includes(':')
    ? [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1)]
    : [text, '']
  if (kind === 'trees') return rest === '' ? trees() : trees({ depth: Number(rest) })
  if (kind === 'linear' && rest === '') return linear()
  if (kind === 'groups' && rest !== '') return groups(await readGroups(rest))
  const close = nearestName(kind, ['trees', 'linear', 'groups'])
  const hint = close === undefined || close === kind ? '' : ` Did you mean ${close}?`
  throw new CommandError(
    2,
    `--auditors ${text}: expected trees, trees:3 (a depth), linear, groups:sex,race or groups:@file.json.${hint}`,
  )
}
