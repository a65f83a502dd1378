// The state as text: JSON, one top-level key a line, sealed with the SHA-256 of its canonical form; and its reader, which trusts nothing
// of it.

import { FeatureBoostError } from '../common/errors.ts'
import { sha256 } from '../common/hash.ts'
import { showValue } from '../data/column.ts'
import { canonicalJson } from '../model/json.ts'
import { readEncoding, readPredicate } from '../model/parts.ts'
import {
  entriesOf,
  listOf,
  malformed,
  oneOf,
  record,
  type Shape,
  text,
  whole,
  within,
} from '../model/shape.ts'
import { countedBatches, labelledCount } from './advance.ts'
import { GROUP_KINDS, type GroupEntry, MONITOR_FORMAT, MONITOR_VERSION, type MonitorData } from './data.ts'
import { driftBinCount } from './drift.ts'
import { SearchFamily } from './search.ts'
import { NAMED_BETS, SEARCH_BETS } from './tally.ts'
import { MOST_NAMED } from './watched.ts'

/** Longer texts are refused before they are parsed. */
const SIZE_LIMIT = 2 ** 28

/** In this order; a state that was read is written as it was. */
const KEYS: readonly (keyof MonitorData)[] = [
  ...(['modelHash', 'delta', 'maxGap', 'label', 'weight', 'named', 'searched', 'reference'] as const),
  ...(['raised', 'alarms', 'driftAlarms', 'followed'] as const),
  ...(['namedWealth', 'searchedWealth', 'driftWealth', 'batches'] as const),
]

export function serializeMonitor(data: MonitorData): string {
  const head = { format: data.format, version: data.version, seal: sha256(canonicalJson(data)) }
  const lines = [...Object.entries(head), ...KEYS.map(key => [key, data[key]] as const)]
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${JSON.stringify(key)}: ${writeValue(key, value)}`)
  return `{\n${lines.join(',\n')}\n}\n`
}

/** A batch takes a line, so that two states can be compared by eye. */
function writeValue(key: string, value: unknown): string {
  if (key !== 'batches' || !Array.isArray(value) || value.length === 0) return canonicalJson(value)
  return `[\n  ${value.map(canonicalJson).join(',\n  ')}\n ]`
}

export function parseMonitor(json: string): MonitorData {
  try {
    return readState(json)
  } catch (error) {
    // The checkers are those of model files.
    if (!(error instanceof FeatureBoostError) || error.code !== 'FB_MODEL_FORMAT') throw error
    const [, message] = /: (.*?) The file is damaged/s.exec(error.message) ?? []
    throw damaged(message ?? error.message, error.details.path)
  }
}

function readState(json: string): MonitorData {
  if (json.length > SIZE_LIMIT) throw malformed('', `${json.length} characters are more than a state has`)
  const value = parseJson(json)
  const entries = entriesOf(value, '')
  if (entries.format !== MONITOR_FORMAT) throw malformed('format', `expected "${MONITOR_FORMAT}"`)
  if (entries.version !== MONITOR_VERSION)
    throw new FeatureBoostError('FB_MONITOR_FORMAT', `format version ${showValue(entries.version)}.`, {
      path: 'version',
      found: entries.version,
      expected: `version ${MONITOR_VERSION}`,
      hint: 'A newer featureboost wrote this state: update the library.',
    })
  const { seal, ...read } = stateShape(value, '')
  const data = read as unknown as MonitorData
  checkSizes(data)
  if (sha256(canonicalJson(data)) !== seal) throw damaged('the state does not match its own seal.', undefined)
  return data
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    throw malformed('', `not JSON (${(error as Error).message.slice(0, 120)})`)
  }
}

const damaged = (message: string, path: string | undefined): FeatureBoostError =>
  new FeatureBoostError('FB_MONITOR_FORMAT', message, {
    path: path === undefined || path === 'model' ? 'state' : path,
    hint: 'It was changed or damaged, or is not the state of a monitor: restore it from a copy, or start a new one.',
  })

const MOST_BATCHES = 1_000_000
const integer = whole(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
const count = whole(0, Number.MAX_SAFE_INTEGER)
const order = whole(1, MOST_BATCHES)
const index = whole(0, 100_000)

const entry: Shape<GroupEntry> = (value, path) => {
  const [weight, sum, squares, evidence, ...more] = listOf(within(-(2 ** 53), 2 ** 53), 4)(value, path)
  if (evidence === undefined || more.length > 0) throw malformed(path, 'not four numbers')
  return [weight, sum, squares, evidence]
}

const featuresShape: Shape<MonitorData['reference']['features']> = (value, path) =>
  readEncoding({ features: value, signals: [], functions: [] }, path).features

const stateShape = record(
  {
    format: oneOf(MONITOR_FORMAT),
    version: oneOf(MONITOR_VERSION),
    seal: text,
    modelHash: text,
    delta: within(Number.MIN_VALUE, 1),
    maxGap: within(0, 0.5),
    label: text,
    named: listOf(
      record({ kind: oneOf(...GROUP_KINDS), words: text, where: listOf(readPredicate, 1000) }),
      MOST_NAMED,
    ),
    searched: listOf(index, 100_000),
    reference: record({
      rowCount: whole(1, Number.MAX_SAFE_INTEGER),
      features: featuresShape,
      counts: listOf(listOf(count, 1000), 100_000),
    }),
    followed: listOf(record({ group: index, order }), 1000),
    namedWealth: listOf(integer),
    searchedWealth: listOf(integer),
    driftWealth: listOf(integer),
    alarms: listOf(
      record({ group: index, kind: oneOf('named', 'searched'), side: oneOf('low', 'high'), order }),
    ),
    driftAlarms: listOf(record({ feature: index, order })),
    batches: listOf(
      record(
        { name: text, rowCount: count, print: text },
        {
          labelled: record({ print: text, order, groups: listOf(entry, 10_000), evidence: integer }),
          drift: listOf(integer, 100_000),
        },
      ),
      MOST_BATCHES,
    ),
  },
  {
    weight: record({ column: text, usual: within(Number.MIN_VALUE, Number.MAX_VALUE) }),
    raised: order,
  },
)

/** Lists that belong together have the lengths that they must have. */
function checkSizes(data: MonitorData): void {
  const { driftWealth, followed, named, namedWealth, reference, searched, searchedWealth } = data
  const { counts, features } = reference
  const fit = (length: number, wanted: number, path: string, mayBeEmpty = false) => {
    if (length !== wanted && !(mayBeEmpty && length === 0))
      throw malformed(path, `${length} entries where ${wanted} belong`)
  }
  fit(counts.length, features.length, 'reference.counts')
  for (const [at, schema] of features.entries())
    fit(counts[at].length, driftBinCount(schema), `reference.counts[${at}]`)
  if (named.length === 0) throw malformed('named', 'nobody is watched')
  if (searched.some(feature => feature >= features.length)) throw malformed('searched', 'no such column')
  const groupCount = new SearchFamily(features, searched).groups.length
  if (
    [...followed, ...data.alarms.filter(({ kind }) => kind === 'searched')].some(
      each => each.group >= groupCount,
    )
  )
    throw malformed('followed', 'no such group')
  if (data.alarms.some(({ group, kind }) => kind === 'named' && group >= named.length))
    throw malformed('alarms', 'no such group')
  if (data.driftAlarms.some(({ feature }) => feature >= features.length))
    throw malformed('driftAlarms', 'no such column')
  fit(namedWealth.length, named.length * NAMED_BETS.length, 'namedWealth', true)
  fit(searchedWealth.length, groupCount * SEARCH_BETS.length, 'searchedWealth', true)
  const bins = counts.reduce((sum, { length }) => sum + length, 0)
  fit(driftWealth.length, bins * NAMED_BETS.length, 'driftWealth', true)
  const [labelledBatches, counted] = [labelledCount(data), countedBatches(data)]
  if (
    [data.raised ?? 0, ...[...data.alarms, ...followed].map(each => each.order)].some(
      at => at > labelledBatches,
    )
  )
    throw malformed('alarms', 'after a batch that is not there')
  if (data.driftAlarms.some(each => each.order > counted))
    throw malformed('driftAlarms', 'after a batch that is not there')
  const orders = data.batches.flatMap(({ labelled }) => (labelled === undefined ? [] : [labelled.order]))
  if (new Set(orders).size !== labelledBatches) throw malformed('batches', 'not counted one by one')
  for (const [at, { drift, labelled }] of data.batches.entries()) {
    const most = named.length + followed.length
    const entries = labelled?.groups.length ?? most
    if (entries < named.length || entries > most)
      throw malformed(`batches[${at}].labelled.groups`, `${entries} entries where ${most} belong`)
    fit(drift?.length ?? features.length, features.length, `batches[${at}].drift`)
  }
}
