// A model of another package as a model of ours, to be audited, exported, served and watched like any other. Its certificate is empty:
// nothing is known of it until it meets rows.

import { certifiesNothing } from '../certify/empty.ts'
import { FeatureBoostError } from '../common/errors.ts'
import { sha256 } from '../common/hash.ts'
import { showValue } from '../data/column.ts'
import { checkArgument, checkOptionsObject } from '../data/given.ts'
import { SCORE_SCALES, type ScoreScale } from '../data/scoreScale.ts'
import { type Imported, MODEL_FORMAT, MODEL_VERSION, type ModelData } from '../model/data.ts'
import { Model } from '../model/model.ts'
import { MODEL_SIZE_LIMIT, parseModel } from '../model/read.ts'
import { entriesOf, record } from '../model/shape.ts'
import { OPTIONS } from '../options/options.ts'
import type { FeatureSchema } from '../quantize/schema.ts'
import type { Update } from '../update/update.ts'
import {
  type CalibratedScale,
  isotonicShape,
  isotonicUpdate,
  sigmoidShape,
  sigmoidUpdate,
} from './calibration.ts'
import type { ImportDifference } from './difference.ts'
import { readMcgrad } from './mcgrad.ts'
import { notReadable, readForeign } from './refuse.ts'

export interface ImportOptions {
  /** The column of the score that the model corrects. The files do not say. */
  readonly prediction: string
  /** The column of the outcome, for audits and monitors. */
  readonly label: string
  /** How the score is written; log odds are also what an isotonic or sigmoid calibration is then about. Default: probability. */
  readonly scale?: ScoreScale
}

export interface ImportedModel {
  readonly model: Model
  readonly from: Imported['from']
  /** Between its predictions and those of the package that it comes from. */
  readonly difference: ImportDifference
}

/** `text`: what MCGrad's serialize() gives, or the parameters of scikit-learn's isotonic or sigmoid calibration (docs/import.md). */
export function importModel(text: string, options: ImportOptions): ImportedModel {
  checkArgument('the file', text, typeof text === 'string', 'the text of a file to import')
  checkOptionsObject(options)
  checkOptions(options)
  const { from, ...read } = readForeign(() => readParts(parse(text), options.scale ?? 'probability'))
  const model = makeModel(read, { from, sha256: sha256(text) }, options)
  return { model, from, difference: read.difference }
}

function checkOptions({ label, prediction, scale, ...others }: ImportOptions): void {
  const [unknown] = Object.keys(others)
  if (unknown !== undefined)
    throw new FeatureBoostError('FB_OPTION_UNKNOWN', `an import takes no option ${showValue(unknown)}.`, {
      found: unknown,
      expected: 'one of prediction, label, scale',
    })
  for (const [name, value] of Object.entries({ label, prediction }))
    if (typeof value !== 'string' || value === '')
      throw new FeatureBoostError('FB_OPTION_VALUE', `option "${name}" is ${showValue(value)}.`, {
        found: value,
        expected: 'the name of a column',
      })
  if (scale !== undefined && !SCORE_SCALES.includes(scale))
    throw new FeatureBoostError('FB_OPTION_VALUE', `option "scale" is ${showValue(scale)}.`, {
      found: scale,
      expected: `one of ${SCORE_SCALES.join(', ')}`,
    })
}

function parse(text: string): unknown {
  if (text.length > MODEL_SIZE_LIMIT)
    throw notReadable('file', `${text.length} characters are more than are read`)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw notReadable('file', `not JSON (${(error as Error).message.slice(0, 120)})`)
  }
}

interface Parts {
  readonly from: Imported['from']
  readonly features: readonly FeatureSchema[]
  readonly updates: readonly Update[]
  readonly difference: ImportDifference
  readonly caveats: readonly string[]
}

function readParts(value: unknown, scale: ScoreScale): Parts {
  const file = entriesOf(value, '')
  const known = ['mcgrad', 'isotonic', 'sigmoid'].filter(key => Object.hasOwn(file, key))
  if (known.length !== 1)
    throw notReadable('file', 'expected exactly one of the keys "mcgrad", "isotonic" and "sigmoid"')
  const [from] = known as [Imported['from']]
  if (from === 'mcgrad') return { from, ...readMcgrad(value) }
  const { difference, update } =
    from === 'isotonic'
      ? isotonicUpdate(record({ isotonic: isotonicShape })(value, '').isotonic, calibratedScale(scale))
      : sigmoidUpdate(record({ sigmoid: sigmoidShape })(value, '').sigmoid, calibratedScale(scale))
  return { from, features: [], updates: [update], difference, caveats: [] }
}

function calibratedScale(scale: ScoreScale): CalibratedScale {
  if (scale !== 'percent') return scale
  throw new FeatureBoostError(
    'FB_OPTION_VALUE',
    'parameters of scikit-learn are about probabilities or log odds.',
    {
      found: scale,
      expected: 'scale probability or logit',
    },
  )
}

function makeModel(
  { caveats, features, updates }: Omit<Parts, 'from'>,
  imported: Imported,
  { label, prediction, scale }: ImportOptions,
): Model {
  checkNames(features, { label, prediction })
  const data: ModelData = {
    format: MODEL_FORMAT,
    version: MODEL_VERSION,
    imported,
    roles: { label },
    start: {
      kind: 'column',
      column: prediction,
      ...(scale !== undefined && scale !== 'probability' && { scale }),
    },
    encoding: { features, signals: [], functions: [] },
    auditors: { kind: 'trees', depth: 2 },
    factors: 'table',
    cellBudget: OPTIONS.cellBudget.default,
    updates,
    roundings: [],
    certificate: certifiesNothing(updates.length, [NOTHING_KNOWN, ...caveats]),
  }
  // Read like any other file: what an import says is held to the same limits.
  return new Model(parseModel(new Model(data).toText()))
}

const NOTHING_KNOWN =
  'This model was imported. How right its predictions are, and for whom, is not known until it is audited on rows; nothing is certified.'

function checkNames(features: readonly FeatureSchema[], roles: Readonly<Record<string, string>>): void {
  const seen = new Set<string>()
  for (const name of [...features.map(feature => feature.name), ...Object.values(roles)]) {
    if (seen.has(name))
      throw new FeatureBoostError('FB_COLUMN_TWICE', 'the column has two roles.', {
        column: name,
        hint: 'Columns of the model, the score and the label have names of their own.',
      })
    if (name === '') throw notReadable('file', 'a column has no name')
    seen.add(name)
  }
}
