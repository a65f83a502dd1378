// A monitor: is a model still right, batch after batch, however often one looks? Immutable: adding a batch gives the next one.

import { matchRows } from '../classes/matches.ts'
import { FeatureBoostError } from '../common/errors.ts'
import { formatCount } from '../common/text.ts'
import { protectedColumns } from '../compare/beforeAfter.ts'
import { checkArgument, checkOptionsObject, checkRows } from '../data/given.ts'
import type { TableSource } from '../data/source.ts'
import { isSource } from '../data/source.ts'
import { findColumn, type Table } from '../data/table.ts'
import { deepFreeze } from '../model/json.ts'
import { checkModel, type Model } from '../model/model.ts'
import { checkOptions } from '../options/check.ts'
import { advanceColumns, advanceLabels } from './advance.ts'
import { type Batch, MONITOR_FORMAT, MONITOR_VERSION, type MonitorData } from './data.ts'
import { BinTally } from './drift.ts'
import type { MonitorReport } from './facts.ts'
import { parseMonitor, serializeMonitor } from './file.ts'
import { BATCH_OPTIONS, type BatchOptions, MONITOR_OPTIONS, type MonitorOptions } from './options.ts'
import { BatchPrint } from './prints.ts'
import { learnReference } from './reference.ts'
import { reportOf } from './report.ts'
import { type ReadingOptions, readChunks } from './rows.ts'
import { SearchFamily } from './search.ts'
import { BatchTally, relativeWeight, type Won } from './tally.ts'

/** Watches a model over batches of rows: it may be looked at after each of them. */
export class Monitor {
  readonly data: MonitorData
  readonly model: Model

  /** Who has rows starts one (`startMonitor`), who has a state reads it (`readMonitor`). */
  constructor(data: MonitorData, model: Model) {
    this.data = deepFreeze(data)
    this.model = model
    Object.freeze(this)
  }

  /** The monitor after one more batch. A batch that was recorded before is refused, unless its labels are what is new. */
  async add(rows: Table | TableSource, options: BatchOptions = {}): Promise<Monitor> {
    checkOptionsObject(options)
    checkOptions({ ...options }, BATCH_OPTIONS)
    return new Monitor(await addBatch(this.data, this.model, checkRows(rows), options), this.model)
  }

  report(): MonitorReport {
    return reportOf(this.data)
  }

  toText(): string {
    return serializeMonitor(this.data)
  }
}

/**
 * Starts to watch a model. `reference` holds rows that show what is usual, such as those of the fit;
 * their outcomes are not looked at.
 */
export async function startMonitor(
  model: Model,
  reference: Table | TableSource,
  options: MonitorOptions = {},
): Promise<Monitor> {
  checkModel(model)
  checkOptionsObject(options)
  checkOptions({ ...options }, MONITOR_OPTIONS)
  const protect = protectedColumns(model, options)
  const { usualWeight, ...learned } = await learnReference(model, checkRows(reference), {
    ...options,
    protect,
  })
  const { label, weight } = model.data.roles
  const data: MonitorData = {
    format: MONITOR_FORMAT,
    version: MONITOR_VERSION,
    modelHash: model.hash,
    delta: options.delta ?? MONITOR_OPTIONS.delta.default,
    maxGap: options.maxGap ?? MONITOR_OPTIONS.maxGap.default,
    label,
    ...(weight !== undefined &&
      usualWeight !== undefined && { weight: { column: weight, usual: usualWeight } }),
    ...learned,
    ...{ followed: [], namedWealth: [], searchedWealth: [], driftWealth: [] },
    ...{ alarms: [], driftAlarms: [], batches: [] },
  }
  return new Monitor(data, model)
}

/** Reads the text of a monitor's state, which belongs to one model. */
export function readMonitor(text: string, model: Model): Monitor {
  checkArgument('the state', text, typeof text === 'string', 'the text of a state')
  checkModel(model)
  const data = parseMonitor(text)
  if (data.modelHash === model.hash) return new Monitor(data, model)
  throw new FeatureBoostError('FB_MONITOR_MODEL', 'this monitor was started with another model.', {
    found: model.hash,
    expected: `the model with the hash ${data.modelHash}`,
    hint: 'A new model needs its own monitor: start one.',
  })
}

async function addBatch(
  data: MonitorData,
  model: Model,
  rows: Table | TableSource,
  { again = false, name, onWarning, signal, unlabelled = false }: BatchOptions,
): Promise<MonitorData> {
  const labelled = !unlabelled && (await hasColumn(rows, data.label))
  const seen = await readBatch(data, model, rows, { labelled, onWarning, signal })
  if (seen.rowCount === 0)
    throw new FeatureBoostError('FB_NO_ROWS', 'the batch has no rows.', { hint: 'Nothing was recorded.' })
  const known = again ? -1 : data.batches.findIndex(({ print }) => print === seen.prints.rows)
  if (known >= 0 && (!labelled || data.batches[known].labelled !== undefined))
    throw recorded(data.batches[known], seen.prints.labelled, labelled)
  if (seen.copyCount > COPIES_WORTH_SAYING * seen.rowCount) onWarning?.(copySentence(seen))
  const columns = known >= 0 ? undefined : advanceColumns(data, seen.counts)
  const outcomes = seen.won === undefined ? undefined : advanceLabels(data, seen.won.named, seen.won.searched)
  const before: Batch =
    known >= 0
      ? data.batches[known]
      : { name: name ?? String(data.batches.length + 1), rowCount: seen.rowCount, print: seen.prints.rows }
  const batch: Batch = {
    ...before,
    ...(outcomes !== undefined && { labelled: { print: seen.prints.labelled, ...outcomes.labelled } }),
    ...(columns !== undefined && { drift: columns.drift }),
  }
  const { labelled: _, ...afterLabels } = outcomes ?? { labelled: undefined }
  const { drift: __, ...afterColumns } = columns ?? { drift: undefined }
  const batches =
    known >= 0 ? data.batches.map((each, at) => (at === known ? batch : each)) : [...data.batches, batch]
  return { ...data, ...afterLabels, ...afterColumns, batches }
}

/** A smaller share of the rows is not worth a line. */
const COPIES_WORTH_SAYING = 0.01

const copySentence = ({ copyCount, rowCount }: SeenBatch): string =>
  `${formatCount(copyCount)} of ${formatCount(rowCount)} rows of the batch are exact copies of another one. They count as different people who are alike; if they are not, leave all but one out: no promise holds for copies of one outcome.`

async function hasColumn(rows: Table | TableSource, name: string): Promise<boolean> {
  for await (const { columns } of isSource(rows) ? rows.chunks() : [rows])
    return columns.some(column => column.name === name)
  return false
}

interface SeenBatch {
  readonly rowCount: number
  readonly prints: { readonly rows: string; readonly labelled: string }
  readonly copyCount: number
  readonly counts: readonly (readonly number[])[]
  readonly won?: { readonly named: Won; readonly searched: Won }
}

async function readBatch(
  { label, maxGap, named, reference, searched, weight }: MonitorData,
  model: Model,
  rows: Table | TableSource,
  asked: Omit<ReadingOptions, 'score'>,
): Promise<SeenBatch> {
  const tally = new BatchTally(named.length, new SearchFamily(reference.features, searched), maxGap)
  const bins = new BinTally(reference.features)
  const print = new BatchPrint()
  const score = reference.features.at(-1)!.name
  for await (const { labels, scores, table, weights } of readChunks(model, rows, { ...asked, score })) {
    const binned = bins.add(table)
    const content = [
      ...reference.features.map(({ name }) => name),
      ...(weight === undefined ? [] : [weight.column]),
    ]
    print.add(
      content.map(column => findColumn(table, column)),
      labels === undefined ? undefined : findColumn(table, label),
    )
    if (labels === undefined) continue
    tally.add({
      ...{ rowCount: table.rowCount, labels, scores },
      ...(weights !== undefined &&
        weight !== undefined && { weights: Array.from(weights, each => relativeWeight(each, weight.usual)) }),
      members: named.map(({ where }) => (where.length === 0 ? undefined : matchRows(table, where))),
      bins: searched.map(feature => binned[feature]),
    })
  }
  return {
    ...{ rowCount: bins.rowCount, prints: print.finish(), counts: bins.counts, copyCount: print.copyCount },
    ...(asked.labelled && { won: tally.finish() }),
  }
}

function recorded(batch: Batch, print: string, labelled: boolean): FeatureBoostError {
  const other = labelled && batch.labelled?.print !== print ? ', with other outcomes' : ''
  return new FeatureBoostError(
    'FB_MONITOR_BATCH',
    `these rows were recorded before, as batch ${batch.name}${other}.`,
    {
      found: batch.name,
      expected: 'rows that were not recorded yet, or the outcomes of rows that were recorded without',
      hint: 'Rows that count twice make bets win twice. If these are different rows that look the same, pass --again (in the library: again).',
    },
  )
}
