// featureboost audit: how wrong a score is, for whom, and whether that is more than noise; code 4 where a gate fails.

import {
  type Audit,
  type AuditOptions,
  audit,
  groups,
  type Model,
  type Table,
  type TableSource,
} from '@featureboost/core'
import {
  isFittedTo,
  isSource,
  poolingRare,
  poolingRareOf,
  protectedRows,
  type ScoreScale,
} from '@featureboost/core/internal'
import type { OpenOptions } from '../data/open.ts'
import { CommandError } from '../errors.ts'
import { readModelFile } from '../files.ts'
import { AUDIT_FLAGS, given } from '../flags.ts'
import { checkOutputs, inputsOf, outputsOf } from '../outputs.ts'
import { reportBeside } from '../report/make.ts'
import { PAGE, stdoutView } from '../terminal/view.ts'
import { visible } from '../terminal/width.ts'
import { auditJson, escapeMarkdown, layoutAudit, markdownAudit } from './auditReport.ts'
import { compareWithBaseline, readBaseline } from './baseline.ts'
import { copiesOfAudit } from './copies.ts'
import { type EngineOptions, withEngine } from './engine.ts'
import { columnsToFit } from './fit.ts'
import { type GateOptions, gatesOf } from './gates.ts'
import { leftOutJson, leftOutLines } from './leftOut.ts'
import { columnsToPredict, columnsToReport, type ModelColumns } from './modelColumns.ts'
import { printJson, printPage } from './print.ts'
import { refuseProtectOut, writeProtected } from './protectOut.ts'
import { readGroups } from './readGroups.ts'
import { type ReadData, type Reading, type ReadRows, runSession, withRows } from './session.ts'
import { isOnSpark, type SparkOptions } from './spark.ts'
import { auditOnSpark } from './sparkAudit.ts'
import { EXPLAINED, explainOnSpark } from './sparkExplain.ts'

type AuditFlags = Omit<
  AuditOptions,
  'label' | 'prediction' | 'auditors' | 'signal' | 'onPhase' | 'onProgress' | 'onWarning' | 'engine'
>

interface AuditCommandOptions extends AuditFlags, SparkOptions, EngineOptions, GateOptions {
  readonly label?: string
  readonly prediction?: string
  readonly model?: string
  readonly groups?: string
  readonly baseline?: string
  /** A file. */
  readonly report?: string
  /** A file. */
  readonly protectOut?: string
  readonly force?: boolean
  readonly format: 'text' | 'markdown' | 'json'
  readonly json: boolean
  readonly ascii?: boolean
  readonly details?: boolean
  readonly quiet: boolean
}

export async function runAudit(paths: readonly string[], options: AuditCommandOptions): Promise<void> {
  checkOutputs(outputsOf(options), inputsOf(paths, options))
  refuseProtectOut(options)
  const plan = await planAudit(options)
  // With a model the score is what it predicts, a probability.
  const { scoreScale, ...flags } = given(AUDIT_FLAGS, options)
  const declared = options.groups === undefined ? undefined : groups(await readGroups(options.groups))
  const earlier = options.baseline === undefined ? undefined : await readBaseline(options.baseline)
  await runSession(options, async session => {
    const { progress, signal } = session
    const asked = {
      ...flags,
      ...plan.roles,
      ...(declared !== undefined && { auditors: declared }),
      signal,
      onPhase: progress.phase,
      onProgress: progress.search,
      onWarning: progress.tell,
    }
    const tell = async (found: Audit, data: ReadRows, isFitted: boolean | undefined) => {
      if (found.protected !== undefined)
        await writeProtected(protectedRows(found.protected), options, session)
      const gates = gatesOf(found, options)
      const baseline = earlier === undefined ? undefined : compareWithBaseline(found, earlier)
      const report = { found, gates, baseline, fitted: isFitted, details: options.details }
      const format = options.json ? 'json' : options.format
      const seconds = progress.seconds()
      const view = stdoutView(options)
      if (format === 'json') printJson({ ...auditJson(report), ...leftOutJson(data, plan.reading), seconds })
      else {
        const page = format === 'markdown' ? markdownAudit(report) : layoutAudit(report, view)
        const shown = format === 'markdown' ? PAGE : view
        const copied = copiesOfAudit(found.rows.copyCount, found.rows.rowCount, options, shown)
        const named = format === 'markdown' ? escapeMarkdown : visible
        printPage([...page, ...copied, ...leftOutLines(data, plan.reading, shown, named)])
      }
      if (gates.some(({ passed }) => !passed)) process.exitCode = 4
    }
    if (isOnSpark(options) && options.explain) {
      if (plan.model !== undefined)
        throw new CommandError(2, '--explain tells of an audit of a column: leave --model out.')
      const { copies, weight } = options
      const roles = {
        ...{ label: plan.roles.label, prediction: plan.roles.prediction },
        ...(weight !== undefined && { weight }),
        ...(copies !== undefined && { copies }),
        ...(plan.roles.features !== undefined && { features: plan.roles.features }),
      }
      return await explainOnSpark(session, paths, options, plan.reading, { roles }, EXPLAINED.audit)
    }
    if (isOnSpark(options)) {
      const found = await auditOnSpark(session, paths, options, plan, (store, rowCount) =>
        // Segments are measured on rows.
        audit(store, { ...poolingRareOf(rowCount, asked), segmentDepth: 0 }),
      )
      return await tell(found.audit, { rowCount: found.audit.rows.rowCount, leftOut: 0 }, found.isFitted)
    }
    await withRows(session, paths, options, plan.reading, async data => {
      const { audited, rare } = await withEngine(session, data, options, async (engine, rows) => {
        if (isSource(rows)) progress.expectReadings({ reading: 2 })
        const scored = plan.scored(rows)
        const pooled = poolingRare(scored, { ...asked, engine }, data.rowCount)
        return { audited: await audit(scored, pooled), rare: pooled.rare }
      })
      await reportBeside(options.report, data, session, {
        ...flags,
        ...(plan.model === undefined ? { ...plan.roles, audited, rare } : { model: plan.model }),
        ...(declared !== undefined && { auditors: declared }),
      })
      await tell(
        audited,
        data,
        plan.model === undefined ? undefined : await areFitted(plan.model, data, signal),
      )
    })
  })
}

/** Are these the rows that the model was fitted to? Other rows are mostly told by their number. */
const areFitted = async (model: Model, { rowCount, rows }: ReadData, signal: AbortSignal) =>
  rowCount === model.certificate.rows.rowCount && (await isFittedTo(model, rows, signal))

interface AuditPlan {
  readonly roles: Pick<
    AuditOptions,
    'label' | 'prediction' | 'features' | 'positive' | 'scoreScale' | 'categorical'
  >
  readonly reading: Reading
  readonly model?: Model
  /** The rows with the score that is audited. */
  readonly scored: (rows: Table | TableSource) => Table | TableSource
}

async function planAudit(options: AuditCommandOptions): Promise<AuditPlan> {
  const { features, label, model, prediction } = options
  if ((model === undefined) === (prediction === undefined))
    throw new CommandError(
      2,
      'Pass --prediction to audit a column, or --model to audit a model: one of them.',
    )
  if (model !== undefined) return planModelAudit(await readModelFile(model), options)
  if (label === undefined) throw new CommandError(2, '--label is needed: the column with the outcome.')
  return {
    roles: {
      label,
      prediction: prediction!,
      ...(options.scoreScale !== undefined && { scoreScale: options.scoreScale }),
      ...(features !== undefined && { features }),
    },
    reading: columnsToFit(options),
    scored: rows => rows,
  }
}

/** The groups are made of what the model looks at, unless other columns are named. */
function planModelAudit(model: Model, options: AuditCommandOptions): AuditPlan {
  const { encoding, roles } = model.data
  checkScale(model, options.scoreScale)
  const label = options.label ?? roles.label
  const own = encoding.features.map(({ name }) => name).filter(name => !encoding.functions.includes(name))
  const named = [...(options.features ?? own), ...(options.protect ?? [])]
  const features = [...new Set(named)].filter(name => !options.except?.includes(name))
  if (features.length === 0)
    throw new CommandError(
      2,
      'The model looks at no column but the score: name with --features those that make groups.',
    )
  const asked = columnsToPredict(model, [label, options.weight, ...features])
  const { complete, names, positive } = auditWords(model, label, asked, options)
  const reading = { ...asked, categorical: names, ...(complete && { complete: label }) }
  const { only } = reading
  const taken = new Set(only)
  let prediction = 'corrected'
  while (taken.has(prediction)) prediction = `${prediction} score`
  return {
    roles: {
      ...{ label, prediction, features },
      categorical: names.filter(name => features.includes(name)),
      ...(positive !== undefined && { positive }),
    },
    reading: {
      ...reading,
      ...(options.report === undefined ? seenReading(model) : reportReading(model, only)),
    },
    model,
    scored: rows => {
      const withScore = ({ columns, rowCount }: Table): Table => {
        const values = model.predict({ columns, rowCount })
        return { rowCount, columns: [...columns, { name: prediction, kind: 'numeric', values }] }
      }
      if (!isSource(rows)) return withScore(rows)
      return {
        async *chunks() {
          for await (const chunk of rows.chunks()) yield withScore(chunk)
        },
      }
    },
  }
}

/** What it takes to tell whether these are the rows of the fit, where it is there. */
function seenReading({ data: { roles } }: Model): Pick<OpenOptions, 'ifThere'> {
  const { fold, holdout, label, weight } = roles
  return { ifThere: [label, weight, fold, holdout?.groupBy].filter(name => name !== undefined) }
}

/** As the model reads its own label and columns, and as the flags say of others. What it knows as text are categories already. */
function auditWords(
  { data: { roles } }: Model,
  label: string,
  { categorical, text }: Pick<ModelColumns, 'categorical' | 'text'>,
  options: AuditCommandOptions,
) {
  const own = label === roles.label ? roles : undefined
  const more = options.categorical?.filter(name => !text.includes(name)) ?? []
  return {
    positive: options.positive ?? own?.positive,
    complete: options.dropMissingLabels ?? own?.dropMissingLabels ?? false,
    /** Columns whose numbers are names. */
    names: [...new Set([...categorical, ...more])],
  }
}

/** The score that a model starts from is read as when it was fitted. */
export function checkScale({ data: { start } }: Model, asked: ScoreScale | undefined): void {
  const own = start.kind === 'column' ? (start.scale ?? 'probability') : undefined
  if (asked === undefined || asked === own) return
  const has =
    own === undefined ? 'starts from no score' : `was fitted to scores of the scale ${own}, and reads them so`
  throw new CommandError(2, `--score-scale ${asked}: the model ${has}. Leave the flag out.`)
}

/** A report also looks at the rows as the fit did. */
function reportReading(model: Model, only: readonly string[]): Pick<OpenOptions, 'only' | 'ifThere'> {
  const { ifThere = [], only: more = [] } = columnsToReport(model)
  return { only: [...new Set([...only, ...more])], ifThere }
}
