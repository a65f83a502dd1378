// featureboost report: everything that is known of a score, and of a model's correction, in one HTML file.

import {
  type AuditOptions,
  type Evidence,
  type EvidenceOptions,
  groups,
  type Model,
} from '@featureboost/core'
import { CommandError } from '../errors.ts'
import { readModelFile } from '../files.ts'
import { AUDIT_FLAGS, given } from '../flags.ts'
import { checkOutputs, inputsOf, outputsOf } from '../outputs.ts'
import { readComparison } from '../report/comparison.ts'
import { makeReport } from '../report/make.ts'
import { reportLine, type WrittenReport } from '../report/write.ts'
import { wrap } from '../terminal/layout.ts'
import { stdoutView, type View } from '../terminal/view.ts'
import { visible } from '../terminal/width.ts'
import { checkScale } from './audit.ts'
import { requireMemory } from './engine.ts'
import { columnsToFit } from './fit.ts'
import { leftOutJson, leftOutLines } from './leftOut.ts'
import { columnsToReport } from './modelColumns.ts'
import { printJson, printPage } from './print.ts'
import { readGroups } from './readGroups.ts'
import { type DataOptions, type Reading, runSession, withRows } from './session.ts'

type ReportFlags = Omit<
  AuditOptions,
  'label' | 'prediction' | 'auditors' | 'signal' | 'onPhase' | 'onProgress' | 'onWarning' | 'engine'
>

export interface ReportCommandOptions extends ReportFlags, DataOptions {
  readonly label?: string
  readonly prediction?: string
  readonly model?: string
  readonly groups?: string
  readonly out: string
  readonly force: boolean
  readonly includeRows: boolean
  readonly comparison?: string
  readonly json: boolean
  readonly ascii?: boolean
  readonly quiet: boolean
}

export async function runReport(paths: readonly string[], options: ReportCommandOptions): Promise<void> {
  const { out } = options
  checkOutputs(outputsOf(options), inputsOf(paths, options))
  const plan = await planReport(options)
  const comparison = options.comparison === undefined ? undefined : await readComparison(options.comparison)
  await runSession(options, async session => {
    await withRows(session, paths, options, plan.reading, async data => {
      requireMemory(data, options)
      const asked = {
        ...given(AUDIT_FLAGS, options),
        ...plan.evidence,
        includeRows: options.includeRows,
        ...(comparison !== undefined && { comparison }),
      }
      const { evidence, written } = await makeReport(out, data, session, asked)
      if (out === '-') return
      const view = stdoutView(options)
      const json = { ...reportJson(evidence, written), ...leftOutJson(data, plan.reading) }
      if (options.json) printJson({ ...json, seconds: session.progress.seconds() })
      else printPage([...layoutReport(evidence, written, view), ...leftOutLines(data, plan.reading, view)])
    })
  })
}

interface ReportPlan {
  readonly reading: Reading
  readonly evidence: Pick<
    EvidenceOptions,
    'label' | 'prediction' | 'model' | 'auditors' | 'features' | 'except'
  >
}

async function planReport(options: ReportCommandOptions): Promise<ReportPlan> {
  const { features, label, prediction } = options
  if (options.model !== undefined) return planModelReport(await readModelFile(options.model), options)
  if (label === undefined || prediction === undefined)
    throw new CommandError(2, '--label and --prediction are needed, or --model, which knows its own.')
  const declared = options.groups === undefined ? undefined : groups(await readGroups(options.groups))
  return {
    reading: columnsToFit(options),
    evidence: {
      label,
      prediction,
      ...(features !== undefined && { features }),
      ...(declared !== undefined && { auditors: declared }),
    },
  }
}

/** A model is shown with the columns it was fitted to; whoever names others means another report. */
function planModelReport(model: Model, options: ReportCommandOptions): ReportPlan {
  const { roles, start } = model.data
  const own = { label: roles.label, prediction: start.kind === 'column' ? start.column : undefined }
  for (const role of ['label', 'prediction'] as const) {
    if (options[role] !== undefined && options[role] !== own[role])
      throw new CommandError(
        2,
        `--${role} ${options[role]}: the model was fitted with ${own[role] ?? 'no score'}. Leave the flag out, or leave --model out.`,
      )
  }
  checkScale(model, options.scoreScale)
  if (options.positive !== undefined || options.categorical !== undefined)
    throw new CommandError(
      2,
      '--positive and --categorical are for reports without --model, which has its own.',
    )
  if (options.features !== undefined || options.groups !== undefined)
    throw new CommandError(2, '--features and --groups are for reports without --model, which has its own.')
  const complete = options.dropMissingLabels && { complete: roles.label }
  return { reading: { ...columnsToReport(model), ...complete }, evidence: { model } }
}

/** Keys are part of the interface: they may be added to, not renamed. */
const reportJson = ({ about, verdict }: Evidence, { bytes, file }: WrittenReport) => ({
  file,
  bytes,
  rows: about.rowCount,
  audited: about.auditedCount,
  auditedRows: about.rows,
  verdict: verdict.sentence,
  level: verdict.level,
})

function layoutReport({ verdict }: Evidence, written: WrittenReport, { paint, width }: View): string[] {
  const title = verdict.level === 'good' ? paint.good('Verdict:') : paint.bad('Verdict:')
  return [wrap(`${title} ${visible(verdict.sentence)}`, width), wrap(reportLine(written), width)]
}
