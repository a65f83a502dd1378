// Which options of a fit a model file records under `options`, and where it has the others, so that whoever has the file and the
// rows can repeat the fit. An option that is new has to be entered here, or this file does not compile.

import { type Method, OPTIONS, type OptionName, type OptionSpec, type OptionValue } from './options.ts'

/** Where a model file has the option; "options" is the key of that name, "nowhere" an option that cannot change the model. */
export const WHERE_RECORDED = {
  label: 'roles',
  prediction: 'start',
  weight: 'roles',
  positive: 'roles',
  scoreScale: 'start',
  categorical: 'encoding',
  dropMissingLabels: 'roles',
  copies: 'roles',
  fold: 'roles',
  groupBy: 'roles',
  features: 'encoding',
  except: 'encoding',
  protect: 'roles',
  method: 'options',
  guarantee: 'certificate',
  epsilon: 'certificate',
  auditors: 'auditors',
  factors: 'factors',
  tolerance: 'options',
  slack: 'options',
  bins: 'options',
  stop: 'options',
  holdout: 'roles',
  patience: 'options',
  learningRate: 'options',
  roundLimit: 'options',
  leaves: 'options',
  ridge: 'options',
  parts: 'options',
  sampleRows: 'options',
  search: 'options',
  cellBudget: 'cellBudget',
  featureBins: 'options',
  coarseBins: 'options',
  rare: 'options',
  confidence: 'certificate',
  chosenFrom: 'options',
  seed: 'options',
  threads: 'nowhere',
  signal: 'nowhere',
  checkpoint: 'nowhere',
  onRound: 'nowhere',
  onTree: 'nowhere',
  onGroup: 'nowhere',
  onStep: 'nowhere',
  onPhase: 'nowhere',
  onWarning: 'nowhere',
  engine: 'nowhere',
} as const satisfies Record<OptionName, string>

export type RecordedName = {
  [Name in OptionName]: (typeof WHERE_RECORDED)[Name] extends 'options' ? Name : never
}[OptionName]

/** What the fit was asked for and no other part of the file says. */
export type RecordedOptions = { readonly method: Method } & {
  readonly [Name in Exclude<RecordedName, 'method'>]?: OptionValue<Name>
}

export const RECORDED_NAMES = (Object.keys(OPTIONS) as OptionName[]).filter(
  (name): name is RecordedName => WHERE_RECORDED[name] === 'options',
)

/**
 * As they are kept: those that the method reads, with defaults filled in, so that a later release with other defaults still knows what
 * was asked. The rules of a forest stay as they were given: with none of them given, its trees are chosen by the rows.
 */
export function recordOptions(given: Partial<Record<OptionName, unknown>>, method: Method): RecordedOptions {
  const entries = RECORDED_NAMES.flatMap(name => {
    const spec: OptionSpec = OPTIONS[name]
    if (name === 'method' || (spec.methods !== undefined && !spec.methods.includes(method))) return []
    const value = given[name] ?? (name === 'ridge' || !('default' in spec) ? undefined : spec.default)
    return value === undefined ? [] : [[name, value]]
  })
  return { method, ...Object.fromEntries(entries) }
}
