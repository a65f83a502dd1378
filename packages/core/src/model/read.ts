// The reader of model files. It trusts nothing: size, format, version and hash first, then every value, range and
// index; only what passed is copied into the model.

import { isCertified } from '../certify/empty.ts'
import { FACTOR_KINDS } from '../classes/factors.ts'
import { FeatureBoostError } from '../common/errors.ts'
import { joinWords } from '../common/text.ts'
import { ONE } from '../common/units.ts'
import { showValue } from '../data/column.ts'
import { COPIES } from '../data/copies.ts'
import { type Imported, MODEL_FORMAT, MODEL_VERSIONS, type ModelData } from './data.ts'
import { readAuditors, readCertificate, readEncoding, readRounding } from './parts.ts'
import { readRecordedOptions } from './recordedOptions.ts'
import { byKind, entriesOf, listOf, malformed, oneOf, record, text, whole, within, yes } from './shape.ts'
import { readUpdate } from './updates.ts'
import { hashModel } from './write.ts'

/** Longer texts are refused before they are parsed. */
export const MODEL_SIZE_LIMIT = 2 ** 28

/** More trees, of all updates together, are refused before any is looked at: 60 forests, the longest there are, have 240,000. */
const TREE_LIMIT = 250_000

export function parseModel(json: string): ModelData {
  if (json.length > MODEL_SIZE_LIMIT)
    throw malformed('', `${json.length} characters are more than a model has`)
  const { hash, data } = readTop(parseJson(json))
  const found = hashModel(data)
  if (found !== hash) {
    throw new FeatureBoostError('FB_MODEL_HASH', 'the model does not match its own hash.', {
      found,
      expected: `hash ${hash}`,
      hint: 'The file was changed or damaged: get it again from where it was written.',
    })
  }
  return data
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    throw malformed('', `not JSON (${(error as Error).message.slice(0, 120)})`)
  }
}

function readTop(value: unknown): { hash: string; data: ModelData } {
  const entries = entriesOf(value, '')
  if (entries.format !== MODEL_FORMAT) throw malformed('format', `expected "${MODEL_FORMAT}"`)
  const version = MODEL_VERSIONS.find(known => known === entries.version)
  if (version === undefined) {
    throw new FeatureBoostError('FB_MODEL_VERSION', `format version ${showValue(entries.version)}.`, {
      found: entries.version,
      expected: `version ${joinWords(MODEL_VERSIONS.map(String), 'or')}`,
      hint: 'A newer featureboost wrote this file: update the library.',
    })
  }
  const { hash, ...top } = topShape(value, '')
  const trees = countTrees(top.updates)
  if (trees > TREE_LIMIT) throw malformed('updates', `${trees} trees where at most ${TREE_LIMIT} fit`)
  const encoding = readEncoding(top.encoding, 'encoding')
  const updates = listOf((update, path) => readUpdate(update, path, encoding))(top.updates, 'updates')
  const data: ModelData = {
    format: MODEL_FORMAT,
    version,
    ...(top.imported !== undefined && { imported: readImported(top.imported, version) }),
    roles: top.roles,
    start: top.start,
    encoding,
    auditors: readAuditors(top.auditors, 'auditors', encoding, top.factors),
    factors: top.factors,
    cellBudget: top.cellBudget,
    ...readOptions(top.options, version, top.imported !== undefined),
    updates,
    roundings: listOf(readRounding)(top.roundings, 'roundings'),
    certificate: readCertificate(top.certificate, 'certificate', encoding, version),
  }
  if (data.imported !== undefined && isCertified(data.certificate))
    throw malformed('certificate.rows', 'an imported model was held against no rows')
  return { hash, data }
}

/** Of whatever it may be. */
const countTrees = (updates: unknown): number =>
  !Array.isArray(updates)
    ? 0
    : updates.reduce((sum: number, update) => {
        const { trees } = Object(update) as { readonly trees?: unknown }
        return sum + (Array.isArray(trees) ? trees.length : 0)
      }, 0)

/** From version 3 on. */
function readImported(value: unknown, version: ModelData['version']): Imported {
  if (version < 3) throw malformed('imported', `version ${version} has no imported models`)
  return importedShape(value, 'imported')
}

/** From version 3 on, and there wherever there was a fit: without them it could not be repeated. */
function readOptions(
  value: unknown,
  version: ModelData['version'],
  imported: boolean,
): Pick<ModelData, 'options'> {
  if (imported && value !== undefined) throw malformed('options', 'an imported model was not fitted')
  if (!imported && (value === undefined) !== version < 3)
    throw malformed(
      'options',
      value === undefined ? '"options" is absent' : `version ${version} has no options`,
    )
  return value === undefined ? {} : { options: readRecordedOptions(value, 'options') }
}

const importedShape = record({ from: oneOf('mcgrad', 'isotonic', 'sigmoid'), sha256: text })

const anything = (value: unknown): unknown => value

const topShape = record(
  {
    format: oneOf(MODEL_FORMAT),
    version: oneOf(...MODEL_VERSIONS),
    hash: text,
    roles: record(
      { label: text },
      {
        positive: text,
        dropMissingLabels: yes,
        weight: text,
        fold: text,
        holdout: record({ fraction: within(0, 1), seed: whole(0, 2 ** 32 - 1) }, { groupBy: text }),
        copies: oneOf(...COPIES),
        protect: listOf(text, 100_000),
      },
    ),
    start: byKind<ModelData['start']>({
      column: record({ kind: oneOf('column'), column: text }, { scale: oneOf('percent', 'logit') }),
      constant: record({ kind: oneOf('constant'), units: whole(0, ONE) }),
    }),
    encoding: anything,
    auditors: anything,
    factors: oneOf(...FACTOR_KINDS),
    cellBudget: whole(0, Number.MAX_SAFE_INTEGER),
    updates: anything,
    roundings: anything,
    certificate: anything,
  },
  { options: anything, imported: anything },
)
