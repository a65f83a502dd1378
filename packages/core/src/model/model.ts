// The model: immutable, a menu of small functions. It corrects scores, rounds them, and carries its certificate.

import type { Certificate } from '../certify/facts.ts'
import { FeatureBoostError } from '../common/errors.ts'
import { showValue } from '../data/column.ts'
import { checkArgument, checkOptionsObject, checkTable, isObject } from '../data/given.ts'
import type { Table } from '../data/table.ts'
import type { Row, RowFunctions } from '../quantize/signals.ts'
import type { Rounding } from '../round/discretize.ts'
import type { ModelData } from './data.ts'
import { deepFreeze } from './json.ts'
import { makePredictor, type Predictor } from './predict.ts'
import { parseModel } from './read.ts'
import { hashModel, serializeModel } from './write.ts'

/**
 * A fitted correction with its certificate: it predicts, rounds, describes itself and is written as
 * JSON.
 */
export class Model {
  readonly data: ModelData
  readonly functions: RowFunctions
  readonly #predictor: Predictor
  #hash: string | undefined

  constructor(data: ModelData, functions: RowFunctions = {}) {
    this.data = deepFreeze(data)
    this.functions = functions
    this.#predictor = makePredictor(data, functions)
    Object.freeze(this)
  }

  get certificate(): Certificate {
    return this.data.certificate
  }

  /** SHA-256 of the canonical form: the same for the same model, wherever it was fitted. */
  get hash(): string {
    this.#hash ??= hashModel(this.data)
    return this.#hash
  }

  /** Which kernels `predict` runs on here; a platform without WebAssembly has the twin, several times slower. */
  get kernels(): Predictor['kernels'] {
    return this.#predictor.kernels
  }

  /** Corrected probabilities of all rows. */
  predict(table: Table): Float64Array {
    return this.#predictor.predict(checkTable(table))
  }

  /** The corrected probability of one row; columns that are absent are missing. */
  predictRow(row: Row): number {
    checkArgument('the row', row, isObject(row), 'an object with one value per column')
    return this.#predictor.predictRow(row)
  }

  /** Corrected probabilities of rows as predictRow takes them; for many at once this is several times faster. */
  predictRows(rows: readonly Row[]): Float64Array {
    checkArgument('the rows', rows, Array.isArray(rows) && rows.every(isObject), 'a list of objects')
    return this.#predictor.predictRows(rows)
  }

  /** The same predictions, rounded to the bin means of K bins: the predictor that multicalibration speaks of. */
  round(bins: number = this.certificate.claim.bins): Predictor {
    return makePredictor(this.data, this.functions, findRounding(this.data.roundings, bins))
  }

  toText(): string {
    return serializeModel(this.data, this.hash)
  }
}

/** Reads a model file's text. Models with auditor functions need them again: a file cannot hold code. */
export function readModel(text: string, options: { functions?: RowFunctions } = {}): Model {
  checkArgument('the model', text, typeof text === 'string', 'the text of a model file')
  checkOptionsObject(options)
  return new Model(parseModel(text), options.functions)
}

/** Refuses what is no model, such as the text of one. */
export const checkModel = (model: unknown): void =>
  checkArgument('the model', model, model instanceof Model, 'a model, as fit and readModel give it')

export function findRounding(roundings: readonly Rounding[], bins: number): Rounding {
  const found = roundings.find(rounding => rounding.bins === bins)
  if (found !== undefined) return found
  if (roundings.length === 0)
    throw new FeatureBoostError('FB_ROUNDING', 'the model was imported, and no rounding is stored in it.', {
      found: bins,
      hint: 'Bin means are learned from rows: fit on its predictions to have them (docs/import.md).',
    })
  throw new FeatureBoostError(
    'FB_ROUNDING',
    `no rounding to ${showValue(bins)} bins is stored in the model.`,
    {
      found: bins,
      expected: `one of ${roundings.map(rounding => rounding.bins).join(', ')}`,
      hint: 'Fit with bins set to this number to have it stored.',
    },
  )
}
