// featureboost audit: how wrong a score is, for whom, and whether that is more than noise; code 4 where a gate fails.

import {
  type Audit,
  type AuditOptions,
  audit,
  type Estimate,
  type Finding,
  formatCount,
  groups,
  type Model,
  type TableSource,
} from '@featureboost/core'
import type { OpenOptions } from '../data/open.ts'
import { CommandError } from '../errors.ts'
import { readModelFile } from '../files.ts'
import { layoutTable, terminalWidth, wrap } from '../terminal/layout.ts'
import { bad, bold, good } from '../terminal/style.ts'
import { interruptibleEngine } from './engine.ts'
import { columnsToFit } from './fit.ts'
import { readGroups } from './groups.ts'
import { columnsToPredict } from './modelColumns.ts'
import { type DataOptions, runSession, withData } from './session.ts'

type AuditFlags = Omit<
  AuditOptions,
  'label' | 'prediction' | 'auditors' | 'signal' | 'onPhase' | 'onWarning' | 'engine'
>

export interface AuditCommandOptions extends AuditFlags, DataOptions {
  readonly label?: string
  readonly prediction?: string
  readonly model?: string
  readonly groups?: string
  readonly failOver?: number
  readonly format: 'text' | 'markdown' | 'json'
  readonly json: boolean
  readonly quiet: boolean
}

const AUDIT_FLAGS = [
  ...(['weight', 'features', 'bins', 'coarseBins', 'rare', 'cellBudget', 'confidence'] as const),
  ...(['significance', 'draws', 'listed', 'segmentDepth', 'seed', 'threads'] as const),
] satisfies (keyof AuditFlags)[]

export async function runAudit(paths: readonly string[], options: AuditCommandOptions): Promise<void> {
  const plan = await planAudit(options)
  const declared = options.groups === undefined ? undefined : groups(await readGroups(options.groups))
  await runSession(options.quiet, async session => {
    const { progress, signal } = session
    await withData(session, paths, options, plan.reading, async data => {
      for (const note of data.notes) progress.tell(note)
      const found = await audit(plan.scored(data.source), {
        ...chosen(options),
        ...plan.roles,
        ...(declared !== undefined && { auditors: declared }),
        signal,
        onPhase: progress.phase,
        onWarning: progress.tell,
        engine: interruptibleEngine({ threads: options.threads, signal, onWarning: progress.tell }),
      })
      const gate = gateOf(found, options.failOver)
      const format = options.json ? 'json' : options.format
      if (format === 'json') {
        const report = { ...auditJson(found, gate), seconds: progress.seconds() }
        process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
      } else {
        process.stdout.write(format === 'markdown' ? markdownAudit(found, gate) : layoutAudit(found, gate))
      }
      if (gate !== undefined && !gate.passed) process.exitCode = 4
    })
  })
}

function chosen(options: AuditCommandOptions): AuditFlags {
  const given = AUDIT_FLAGS.flatMap(name => (options[name] === undefined ? [] : [[name, options[name]]]))
  return Object.fromEntries(given) as AuditFlags
}

interface AuditPlan {
  readonly roles: Pick<AuditOptions, 'label' | 'prediction' | 'features'>
  readonly reading: Pick<OpenOptions, 'only' | 'except' | 'text'>
  /** The rows with the score that is audited. */
  readonly scored: (source: TableSource) => TableSource
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
    roles: { label, prediction: prediction!, ...(features !== undefined && { features }) },
    reading: columnsToFit(options),
    scored: source => source,
  }
}

/** The groups are made of what the model looks at, unless other columns are named. */
function planModelAudit(model: Model, options: AuditCommandOptions): AuditPlan {
  const { encoding, roles } = model.data
  const label = options.label ?? roles.label
  const own = encoding.features.map(({ name }) => name).filter(name => !encoding.functions.includes(name))
  const features = (options.features ?? own).filter(name => !options.except?.includes(name))
  const { only, text } = columnsToPredict(model, [label, options.weight, ...features])
  const taken = new Set(only)
  let prediction = 'corrected'
  while (taken.has(prediction)) prediction = `${prediction} score`
  return {
    roles: { label, prediction, features },
    reading: { only, text },
    scored: source => ({
      async *chunks() {
        for await (const chunk of source.chunks()) {
          const score = { name: prediction, kind: 'numeric', values: model.predict(chunk) } as const
          yield { rowCount: chunk.rowCount, columns: [...chunk.columns, score] }
        }
      },
    }),
  }
}

interface Gate {
  readonly measure: 'multicalibration'
  readonly limit: number
  readonly value: number
  readonly passed: boolean
}

/** The error as measured. A maximum over groups, it is too large on average, the more so the fewer the rows. */
function gateOf({ multicalibration }: Audit, limit: number | undefined): Gate | undefined {
  if (limit === undefined) return undefined
  const { value } = multicalibration
  return { measure: 'multicalibration', limit, value, passed: value <= limit }
}

/** Keys are part of the interface: they may be added to, not renamed. `passed` is null where no gate was set. */
function auditJson(found: Audit, gate: Gate | undefined) {
  const { measures } = found
  return {
    rows: found.rows.rowCount,
    weight: found.rows.weight,
    fingerprint: found.rows.fingerprint,
    label: found.label,
    score: found.score,
    auditors: found.auditors,
    bins: found.bins,
    brier: measures.brier,
    logLoss: measures.logLoss,
    auc: measures.auc ?? null,
    prAuc: measures.prAuc ?? null,
    ece: measures.eceWidth,
    eceMass: measures.eceMass,
    smoothEce: measures.smoothEce,
    ecce: measures.ecce,
    multiaccuracy: found.multiaccuracy,
    multicalibration: found.multicalibration,
    levelSet: found.levelSet,
    swapRegret: found.swapRegret,
    mce: mceJson(found),
    worst: found.worst,
    tooLow: found.tooLow,
    tooHigh: found.tooHigh,
    notEnoughEvidence: found.notEnoughEvidence,
    significance: found.significance,
    verdict: found.verdict,
    gate: gate ?? null,
    passed: gate?.passed ?? null,
  }
}

/** Without the list of all segments, which can be long. */
function mceJson({ mce }: Audit) {
  if (mce === undefined) return null
  const { segments, ...rest } = mce
  return { ...rest, segmentCount: segments.length }
}

function measuresOf(found: Audit): [name: string, estimate: Estimate][] {
  const { measures } = found
  const list: [string, Estimate | undefined][] = [
    ['Brier score', measures.brier],
    ['log loss', measures.logLoss],
    ['AUC', measures.auc],
    ['ECE, equal width', measures.eceWidth],
    ['smooth ECE', measures.smoothEce],
    ['multiaccuracy error', found.multiaccuracy],
    ['multicalibration error', found.multicalibration],
    ['level-set error', found.levelSet],
    ['MCE', found.mce?.value],
  ]
  return list.filter((entry): entry is [string, Estimate] => entry[1] !== undefined)
}

const number = (value: number): string => value.toFixed(4)

const subjectOf = ({ label, rows, score }: Audit): string =>
  `"${score}" against "${label}" on ${formatCount(rows.rowCount)} rows`

function layoutAudit(found: Audit, gate: Gate | undefined): string {
  const width = terminalWidth()
  const table = layoutTable(
    ['measure', 'value', 'from', 'to'],
    measuresOf(found).map(([name, { high, low, value }]) => [name, ...[value, low, high].map(number)]),
  )
  const worst = found.worst.map((finding: Finding) => wrap(`- ${finding.sentence}`, width, 2))
  const passed = gate && [
    wrap(`${gate.passed ? good('Passed.') : bad('Failed.')} ${gateSentence(gate)}`, width),
  ]
  return `${[
    wrap(`${bold('Audit')} of ${subjectOf(found)}: ${found.auditors}.`, width),
    wrap(found.verdict, width),
    table,
    [bold('Worst groups'), ...worst].join('\n'),
    ...(passed ?? []),
  ].join('\n\n')}\n`
}

function markdownAudit(found: Audit, gate: Gate | undefined): string {
  const rows = measuresOf(found).map(
    ([name, { high, low, value }]) => `| ${name} | ${number(value)} | ${number(low)} to ${number(high)} |`,
  )
  return `${[
    `# Audit of ${escapeMarkdown(subjectOf(found))}`,
    escapeMarkdown(found.verdict),
    ['| measure | value | interval |', '|---|---:|---:|', ...rows].join('\n'),
    '## Worst groups',
    found.worst.map(({ sentence }) => `- ${escapeMarkdown(sentence)}`).join('\n'),
    ...(gate === undefined ? [] : [`**${gate.passed ? 'Passed' : 'Failed'}.** ${gateSentence(gate)}`]),
  ].join('\n\n')}\n`
}

const gateSentence = ({ limit, passed, value }: Gate): string =>
  `The multicalibration error ${number(value)} is ${passed ? 'within' : 'over'} ${limit}.`

/** Names of columns and categories come from the data. */
const escapeMarkdown = (text: string): string =>
  text.replace(/[\\`*_[\]<>|#]/g, character => `\\${character}`)
