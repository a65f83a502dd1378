// audit --baseline: the audit set against an earlier one, read from what `audit --json` printed.

import type { Audit, Estimate } from '@featureboost/core'
import { judge, type MeasureChange, measureOf, measuresOf, SHOWN_MEASURES } from '@featureboost/core/internal'
import { CommandError } from '../errors.ts'
import { readText } from '../files.ts'

export interface Baseline {
  readonly file: string
  readonly rows: number
  /** Before: the baseline. The interval of a change is what both intervals leave; the rows may be other ones. */
  readonly measures: readonly MeasureChange[]
  /** Keys of measures whose intervals lie apart, the new one on the worse side. */
  readonly worse: readonly string[]
  /** Why some numbers may not be comparable. */
  readonly notes: readonly string[]
}

/** What is read of an earlier audit. */
interface EarlierAudit {
  readonly file: string
  readonly rows: number
  readonly label: string
  readonly score: string
  readonly auditors: string
  readonly bins: number
  readonly estimates: ReadonlyMap<string, Estimate>
}

export async function readBaseline(file: string): Promise<EarlierAudit> {
  const refuse = (reason: string): never => {
    throw new CommandError(
      3,
      `${file} is no audit: ${reason}. Expected what \`featureboost audit --json\` prints.`,
      { code: 'FB_FILE_FORMAT' },
    )
  }
  const text = await readText(file)
  let found: unknown
  try {
    found = JSON.parse(text)
  } catch (error) {
    refuse((error as Error).message)
  }
  if (!isRecord(found)) return refuse('it holds no object')
  const number = (key: string) => {
    const value = found[key]
    return typeof value === 'number' && value > 0 ? value : refuse(`"${key}" is no number above 0`)
  }
  const words = (key: string) => {
    const value = found[key]
    return typeof value === 'string' ? value : refuse(`"${key}" is no text`)
  }
  const estimates = new Map<string, Estimate>()
  for (const key of SHOWN_MEASURES) {
    const isOptional = measureOf(key).optional === true
    // MCE stands beside what it is a maximum of.
    const entry = key === 'mce' && isRecord(found.mce) ? found.mce.value : found[key]
    if (isOptional && (entry ?? null) === null) continue
    estimates.set(key, estimateOf(entry) ?? refuse(`"${key}" has no value, low and high`))
  }
  return {
    file,
    rows: number('rows'),
    label: words('label'),
    score: words('score'),
    auditors: words('auditors'),
    bins: number('bins'),
    estimates,
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function estimateOf(value: unknown): Estimate | undefined {
  if (!isRecord(value)) return undefined
  const { high, low, value: middle } = value
  if (typeof middle !== 'number' || typeof low !== 'number' || typeof high !== 'number') return undefined
  return { value: middle, low, high }
}

export function compareWithBaseline(found: Audit, earlier: EarlierAudit): Baseline {
  const measures = measuresOf(found).flatMap(({ estimate, falls, key, name }): MeasureChange[] => {
    const before = earlier.estimates.get(key)
    if (before === undefined) return []
    const { high, low, value } = estimate
    const change = { value: value - before.value, low: low - before.high, high: high - before.low }
    return [{ name, key, before, after: { value, low, high }, change, judged: judge(change, falls) }]
  })
  return {
    file: earlier.file,
    rows: earlier.rows,
    measures,
    worse: measures.filter(({ judged }) => judged === 'worse').map(({ key }) => key),
    notes: notesOn(found, earlier),
  }
}

function notesOn(found: Audit, earlier: EarlierAudit): string[] {
  const differs = (what: string, before: string | number, now: string | number) =>
    before === now ? [] : [`${what}: ${before} then, ${now} now.`]
  return [
    ...differs('The outcome is another one', `"${earlier.label}"`, `"${found.label}"`),
    ...differs('Other groups were searched', kindOf(earlier.auditors), kindOf(found.auditors)),
    ...differs('Groups were looked at in other levels of the score', earlier.bins, found.bins),
  ]
}

/** How many splits there are depends on the rows; what they are made of does not. */
const kindOf = (auditors: string): string => auditors.replace(/ \(.*/, '')
