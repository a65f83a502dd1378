// What every model file must come to: it is refused with a code, or it is a model that predicts probabilities. Throws where
// it comes to anything else.

import { FeatureBoostError, type Model, readModel } from '../../src/index.ts'
import { describeUpdate } from '../../src/internal.ts'
import { canonicalJson } from '../../src/model/json.ts'
import { ROW_FUNCTIONS } from '../fit/tables.ts'
import { FIXED_ROWS, fixedTable } from './models.ts'

const REFUSALS = ['FB_MODEL_FORMAT', 'FB_MODEL_VERSION', 'FB_MODEL_HASH']

/** The code of the refusal; "same" where the change does not count (white space, the order of keys); or "loaded". */
export function outcomeOf(text: string, original: Model): string {
  const prototypes = prototypesAsText()
  const outcome = read(text, original)
  if (prototypesAsText() !== prototypes) throw new Error('a prototype was changed')
  return outcome
}

function read(text: string, original: Model): string {
  const model = attempt(() => readModel(text, { functions: ROW_FUNCTIONS }))
  if (model instanceof FeatureBoostError) {
    if (!REFUSALS.includes(model.code)) throw new Error(`refused with ${model.message}`)
    return model.code
  }
  const same = canonicalJson(model.data) === canonicalJson(original.data)
  if (same !== (model.hash === original.hash)) throw new Error('two models share a hash, or one has two')
  checkModel(model)
  return same ? 'same' : 'loaded'
}

function checkModel(model: Model): void {
  const all = attempt(() => model.predict(fixedTable))
  checkProbabilities(all)
  for (const [index, row] of FIXED_ROWS.slice(0, 6).entries()) {
    const one = attempt(() => model.predictRow(row))
    if (one instanceof FeatureBoostError) continue
    checkProbabilities([one])
    if (!(all instanceof FeatureBoostError) && all[index] !== one) throw new Error('a row predicts otherwise')
  }
  for (const { bins } of model.data.roundings.slice(0, 3))
    checkProbabilities(attempt(() => model.round(bins).predict(fixedTable)))
  for (const update of model.data.updates) describeUpdate(update, model.data.encoding)
  if (readModel(model.toText(), { functions: ROW_FUNCTIONS }).hash !== model.hash)
    throw new Error('another hash')
}

/** Does the work, unless one of our own errors says why not. */
function attempt<T>(work: () => T): T | FeatureBoostError {
  try {
    return work()
  } catch (error) {
    if (error instanceof FeatureBoostError) return error
    throw error
  }
}

function checkProbabilities(values: ArrayLike<number> | FeatureBoostError): void {
  if (values instanceof FeatureBoostError) return
  for (let index = 0; index < values.length; index++) {
    if (!(values[index] >= 0 && values[index] <= 1)) throw new Error(`predicts ${values[index]}`)
  }
}

const prototypesAsText = (): string =>
  [Object.prototype, Array.prototype, Function.prototype, String.prototype, Number.prototype]
    .map(prototype => Reflect.ownKeys(prototype).map(String).join())
    .join('; ')
