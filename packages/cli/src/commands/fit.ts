// featureboost fit: from data to a certified model file.

import {
  type Auditors,
  type BeforeAfter,
  collectChange,
  compareBeforeAfter,
  FeatureBoostError,
  type FitOptions,
  type Fitted,
  fitWithTrace,
  groups,
  linear,
  type ModelEvidence,
  trees,
} from '@featureboost/core'
import { formatCount, nearestName } from '@featureboost/core/internal'
import { CheckpointFolder } from '../checkpoint/folder.ts'
import type { OpenOptions } from '../data/open.ts'
import { CommandError, exitCodeOf } from '../errors.ts'
import { refuseOverwriting, writeModelFile } from '../files.ts'
import { FIT_FLAGS, given } from '../flags.ts'
import { evidenceOptions } from '../report/make.ts'
import { reportLine, writeReport } from '../report/write.ts'
import { judgeBeforeAfter } from '../terminal/verdict.ts'
import { stdoutView } from '../terminal/view.ts'
import { interruptibleEngine } from './engine.ts'
import { fitJson, layoutFit } from './fitReport.ts'
import { printJson, printPage } from './print.ts'
import { readGroups } from './readGroups.ts'
import { resumeCommand } from './resume.ts'
import { type DataOptions, type ReadData, runSession, type Session, withRows } from './session.ts'

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

interface FitCommandOptions extends FitFlags, DataOptions {
  readonly auditors?: string
  readonly out: string
  readonly force: boolean
  /** --no-audit: no audit before and after. */
  readonly audit: boolean
  /** A file. */
  readonly report?: string
  /** A folder. */
  readonly checkpoint?: string
  readonly resume: boolean
  /** Ends with 4 where held-out rows say that the score got worse. */
  readonly failIfWorse?: boolean
  readonly json: boolean
  readonly ascii?: boolean
  readonly quiet: boolean
}

export async function runFit(paths: readonly string[], options: FitCommandOptions): Promise<void> {
  const { out } = options
  const auditors = options.auditors === undefined ? undefined : await readAuditors(options.auditors)
  const checkpoint = await openCheckpoint(options)
  const overwrite = options.force || (await checkpoint?.hasWritten(out)) === true
  refuseOverwriting(out, { overwrite })
  if (options.report !== undefined)
    refuseOverwriting(options.report, { overwrite: options.force }, '--report')
  const work = async (session: Session) => {
    const { progress, signal } = session
    if (checkpoint !== undefined && checkpoint.roundCount > 0)
      progress.tell(`Going on after ${counted(checkpoint.roundCount)} in ${checkpoint.folder}.`)
    await withRows(session, paths, options, columnsToFit(options), async data => {
      const fitted = await fitWithTrace(data.rows, {
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
        engine: interruptibleEngine({ threads: options.threads, signal, onWarning: progress.tell }),
      }).catch(error => {
        throw placed(error, checkpoint)
      })
      signal.throwIfAborted()
      const judged = await judge(fitted, data, session, options)
      signal.throwIfAborted()
      progress.phase('writing')
      await checkpoint?.announce(fitted.model.hash)
      await writeModelFile(out, fitted.model, { overwrite })
      await checkpoint?.remove()
      // The model is safe; what a report lacks is told now.
      if (judged.failure !== undefined) throw judged.failure
      if (options.report !== undefined && judged.evidence !== undefined)
        progress.tell(reportLine(await writeReport(options.report, judged.evidence)))
      const seconds = progress.seconds()
      const report = { data, fitted, compared: options.audit ? judged.change : undefined, options }
      if (options.json) printJson({ ...fitJson(report), seconds })
      else printPage(layoutFit(report, stdoutView(options)))
      if (options.failIfWorse && isWorse(judged.change)) process.exitCode = 4
    })
  }
  await runSession(options, work, () => howToGoOn(checkpoint)).finally(() => checkpoint?.close())
}

const isWorse = (change: BeforeAfter | undefined): boolean =>
  change !== undefined && change.rows === 'held-out' && judgeBeforeAfter(change).score === 'worse'

interface Judged extends Partial<ModelEvidence> {
  /** Why there is no evidence where a report was asked for. */
  readonly failure?: FeatureBoostError
}

/** What the model changed, and the evidence for it where a report is to be written: both are from the same audits. */
async function judge(
  { model }: Fitted,
  data: ReadData,
  session: Session,
  { audit, report, seed, threads }: FitCommandOptions,
): Promise<Judged> {
  if (!audit && report === undefined) return {}
  const { progress, signal } = session
  const asked = {
    ...(seed !== undefined && { seed }),
    ...(threads !== undefined && { threads }),
  }
  progress.phase('auditing')
  try {
    if (report !== undefined)
      return await collectChange(data.rows, evidenceOptions(data, session, { ...asked, model, fitted: true }))
    const engine = interruptibleEngine({ threads, signal, onWarning: progress.tell })
    const options = { ...asked, signal, onWarning: progress.tell, engine }
    return { change: await compareBeforeAfter(model, data.rows, options) }
  } catch (error) {
    // Rows that cannot be audited, such as held-out ones of one label only, are no reason to lose the model.
    if (signal.aborted || !(error instanceof FeatureBoostError)) throw error
    if (audit) progress.tell(`No audit before and after: ${error.message}`)
    return report === undefined ? {} : { failure: error }
  }
}

async function openCheckpoint(options: FitCommandOptions): Promise<CheckpointFolder | undefined> {
  const { checkpoint, quiet, resume } = options
  if (checkpoint !== undefined)
    return await CheckpointFolder.open(checkpoint, {
      resume,
      tell: line => quiet || process.stderr.write(`${line}\n`),
    })
  if (resume) throw new CommandError(2, '--resume needs --checkpoint, the folder where the rounds were kept.')
  return undefined
}

/** An error of a checkpoint says which one. */
function placed(error: unknown, checkpoint: CheckpointFolder | undefined): unknown {
  if (checkpoint === undefined || !(error instanceof FeatureBoostError)) return error
  if (error.code !== 'FB_CHECKPOINT_OTHER' && error.code !== 'FB_CHECKPOINT_DAMAGED') return error
  return new CommandError(exitCodeOf(error), `${checkpoint.folder}: ${error.message}`)
}

function howToGoOn(checkpoint: CheckpointFolder | undefined): string {
  if (checkpoint === undefined)
    return 'Nothing was written. With --checkpoint FOLDER, a fit that is interrupted can be resumed.'
  const { folder, roundCount } = checkpoint
  const kept = roundCount === 0 ? 'No step was done yet.' : `${counted(roundCount)} kept in ${folder}.`
  return `${kept} Go on with:\n  ${resumeCommand()}`
}

const counted = (steps: number): string => (steps === 1 ? '1 step' : `${formatCount(steps)} steps`)

/** Excepted columns are not even read, so they may hold anything; unless they have another role. */
export function columnsToFit(options: {
  readonly label?: string
  readonly prediction?: string
  readonly weight?: string
  readonly fold?: string
  readonly groupBy?: string
  readonly features?: readonly string[]
  readonly except?: readonly string[]
}): Pick<OpenOptions, 'only' | 'except'> {
  const { except = [], features, fold, groupBy, label, prediction, weight } = options
  const roles = [label, prediction, weight, fold, groupBy].filter(name => name !== undefined)
  const both = features?.find(name => except.includes(name))
  if (both !== undefined)
    throw new CommandError(2, `Column "${both}" is in --features and in --except: name it in one of them.`)
  if (features !== undefined) return { only: [...new Set([...features, ...roles])] }
  return { except: except.filter(name => !roles.includes(name)) }
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
