// A model in the form of where scores are made: SQL, JavaScript, Python or ONNX. Every target is one file, made from the same plan.

import { FeatureBoostError } from '../common/errors.ts'
import { showValue } from '../data/column.ts'
import { checkOptionsObject } from '../data/given.ts'
import { checkModel, type Model } from '../model/model.ts'
import { jsModule, jsTypes } from './js/module.ts'
import { onnxModel } from './onnx/model.ts'
import { planScoring } from './plan.ts'
import { pythonModule } from './python/module.ts'
import { DIALECT_NAMES, type DialectName } from './sql/dialects.ts'
import { checkSqlNames, sqlSelect } from './sql/model.ts'

export const EXPORT_TARGETS = ['sql', 'js', 'python', 'onnx'] as const
export type ExportTarget = (typeof EXPORT_TARGETS)[number]

export interface ExportOptions {
  readonly to: ExportTarget
  /** Round to bin means: true for as many bins as the certificate speaks of. */
  readonly rounded?: number | true
  /** Of SQL, which has no default. */
  readonly dialect?: DialectName
  /** Of SQL: the table or view that holds the rows. Default: "data". */
  readonly table?: string
  /** Of SQL: a view of this name is made. Default: the SELECT alone. */
  readonly view?: string
  /** Of SQL: the columns that stay beside the prediction. Default: all; Snowflake needs some. */
  readonly key?: readonly string[]
  /** Of SQL and ONNX: the name of the corrected score. Default: "corrected". */
  readonly as?: string
}

export interface ExportedModel {
  /** The one file; ONNX is bytes. */
  readonly content: string | Uint8Array
  /** Of JavaScript: its declarations. */
  readonly types?: string
}

/** Options of some targets only. */
const OPTIONS_OF: Readonly<Record<ExportTarget, readonly string[]>> = {
  sql: ['dialect', 'table', 'view', 'key', 'as'],
  js: [],
  python: [],
  onnx: ['as'],
}

/** Writes a model as SQL, JavaScript, Python or ONNX, with the same predictions. */
export function exportModel(model: Model, options: ExportOptions): ExportedModel {
  checkModel(model)
  checkOptionsObject(options)
  checkOptions(options)
  const { as = 'corrected', dialect, key, rounded, table = 'data', to, view } = options
  const plan = planScoring(model, rounded === undefined ? {} : { rounded })
  switch (to) {
    case 'js':
      return { content: jsModule(plan), types: jsTypes(plan) }
    case 'python':
      return { content: pythonModule(plan) }
    case 'onnx':
      return { content: onnxModel(plan, as) }
    case 'sql': {
      const names = { as, table, ...(view !== undefined && { view }), ...(key !== undefined && { key }) }
      checkSqlNames(names, dialect!)
      return { content: sqlSelect(plan, dialect!, names) }
    }
  }
}

function checkOptions(options: ExportOptions): void {
  const { dialect, to } = options
  if (!EXPORT_TARGETS.includes(to)) throw wrongValue('to', to, EXPORT_TARGETS)
  const known = ['to', 'rounded', ...OPTIONS_OF[to]]
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || known.includes(name)) continue
    throw new FeatureBoostError(
      'FB_OPTION_UNKNOWN',
      `an export to ${to} takes no option ${showValue(name)}.`,
      {
        found: name,
        expected: `one of ${known.join(', ')}`,
      },
    )
  }
  if (to === 'sql' && (dialect === undefined || !DIALECT_NAMES.includes(dialect)))
    throw wrongValue('dialect', dialect, DIALECT_NAMES)
}

const wrongValue = (name: string, found: unknown, choices: readonly string[]): FeatureBoostError =>
  new FeatureBoostError('FB_OPTION_VALUE', `option "${name}" is ${showValue(found)}.`, {
    found,
    expected: `one of ${choices.join(', ')}`,
  })
