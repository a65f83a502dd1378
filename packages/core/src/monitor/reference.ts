// The reference: what rows look like while nothing is wrong, from which everything is learned that a monitor looks at. Read twice: to learn
// where columns are cut, and to count.

import { type GroupAuditors, groups } from '../classes/auditors.ts'
import { FeatureBoostError } from '../common/errors.ts'
import { joinWords } from '../common/text.ts'
import type { Column } from '../data/column.ts'
import { PresenceTally } from '../data/presence.ts'
import type { LearnableRows } from '../data/roleRows.ts'
import { hashContent } from '../data/rowHash.ts'
import { RowSample } from '../data/rowSample.ts'
import { ChunkGuard, type TableSource } from '../data/source.ts'
import { findColumn, type Table } from '../data/table.ts'
import type { Model } from '../model/model.ts'
import type { FeatureSchema } from '../quantize/schema.ts'
import { learnEncoding } from '../store/encode.ts'
import type { NamedGroup, Reference } from './data.ts'
import { BinTally } from './drift.ts'
import type { MonitorOptions } from './options.ts'
import { readChunks, scoreName, watchedColumns } from './rows.ts'
import { conditionCount, countSearched, MOST_SEARCHED } from './search.ts'
import { watchedGroups } from './watched.ts'

/** Value bins of a column, for drift. */
const DRIFT_BINS = 10

/** Ranges of a number in the search: the most that leave few enough groups. */
const RANGES = [4, 3, 2]

/** Declared groups may name any value and any threshold. */
const NAMED_BINS = { bins: 255, coarseBins: 16, rare: 0.0005 }

/** Categories with a smaller share are one bin. */
const RARE = 0.01

export interface Learned {
  readonly reference: Reference
  readonly named: readonly NamedGroup[]
  readonly searched: readonly number[]
  /** The mean weight; absent where rows have none. */
  readonly usualWeight?: number
}

export async function learnReference(
  model: Model,
  rows: Table | TableSource,
  { auditors, columns, onWarning = () => {}, protect = [], signal }: MonitorOptions,
): Promise<Learned> {
  const declared = declaredGroups(auditors)
  const watched = watchedColumns(model, [...protect, ...columnsOf(declared), ...(columns ?? [])])
  const { label, weight } = model.data.roles
  const score = scoreName([...watched, label, ...(weight === undefined ? [] : [weight])])
  const { learnable, rowCount, usualWeight } = await sampleRows(model, rows, [...watched, score], signal)
  if (rowCount === 0)
    throw new FeatureBoostError('FB_NO_ROWS', 'the reference has no rows.', {
      hint: 'Give rows such as those of the fit, which show what is usual.',
    })
  const learn = (options: { bins: number; coarseBins: number; rare: number }, auditors: GroupAuditors) =>
    learnEncoding(learnable, auditors, options).features
  const named = watchedGroups(model.data, { declared, protect }, learn(NAMED_BINS, declared))
  const given = columns ?? watchedColumns(model, [])
  const places = given.map(name => watched.indexOf(name))
  const features = RANGES.map(coarseBins => learn({ bins: DRIFT_BINS, coarseBins, rare: RARE }, groups([])))
  const chosen =
    features.find(each => searchedGroups(each, places) <= MOST_SEARCHED) ?? features[features.length - 1]
  const searched = fitting(chosen, places)
  if (searched.length < places.length) {
    const left = places.slice(searched.length).map(place => `"${watched[place]}"`)
    onWarning(
      `Groups of two conditions are watched on ${searched.length} columns; these are left out: ${joinWords(left.slice(0, 10))}${left.length > 10 ? ' and more' : ''}. Name the columns to be searched to choose others.`,
    )
  }
  const tally = new BinTally(chosen)
  for await (const { table } of readChunks(model, rows, { labelled: false, score, signal })) tally.add(table)
  return {
    reference: { rowCount, features: chosen, counts: tally.counts },
    named,
    searched,
    ...(usualWeight !== undefined && { usualWeight }),
  }
}

function declaredGroups(auditors: MonitorOptions['auditors']): GroupAuditors {
  if (auditors === undefined) return groups([])
  if (auditors.kind === 'groups') return auditors
  throw new FeatureBoostError(
    'FB_OPTION_VALUE',
    `auditors of the kind "${auditors.kind}" are not watched by name.`,
    {
      found: auditors.kind,
      expected: 'groups(...)',
      hint: 'All groups of two conditions are watched in addition.',
    },
  )
}

/** Columns that declared groups look at. What is no group is left to their compiler to refuse. */
function columnsOf({ groups: specs }: GroupAuditors): string[] {
  const walk = (spec: unknown): string[] => {
    if (typeof spec === 'string') return [spec]
    if (Array.isArray(spec)) return spec.flatMap(walk)
    if (typeof spec !== 'object' || spec === null) return []
    const { column, where } = spec as { readonly column?: unknown; readonly where?: unknown }
    return where === undefined ? walk(column) : walk(where)
  }
  return specs.flatMap(walk)
}

const searchedGroups = (features: readonly FeatureSchema[], places: readonly number[]): number =>
  countSearched(places.map(place => conditionCount(features[place])))

/** The first columns, as many as the groups allow. */
function fitting(features: readonly FeatureSchema[], places: readonly number[]): number[] {
  let count = places.length
  while (searchedGroups(features, places.slice(0, count)) > MOST_SEARCHED) count--
  return places.slice(0, count)
}

async function sampleRows(
  model: Model,
  rows: Table | TableSource,
  watched: readonly string[],
  signal: MonitorOptions['signal'],
): Promise<{ learnable: LearnableRows; rowCount: number; usualWeight?: number }> {
  const guard = new ChunkGuard()
  const sample = new RowSample()
  const presence = new PresenceTally(watched.length)
  const all = () => true
  let [total, weighted] = [0, false]
  for await (const { table, weights } of readChunks(model, rows, {
    labelled: false,
    score: watched.at(-1)!,
    signal,
  })) {
    const columns: Column[] = watched.map(name => findColumn(table, name, 'column to watch'))
    const admitted = guard.admit({ rowCount: table.rowCount, columns }).columns
    sample.add(admitted, hashContent(admitted, 0).b, all)
    presence.add(admitted, all)
    if (weights === undefined) continue
    weighted = true
    for (const weight of weights) total += weight
  }
  const { rowCount } = guard
  return {
    learnable: { features: sample.finish(name => guard.kindOf(name)), presence: presence.finish() },
    rowCount,
    // Few digits: their sum depends on the order of rows in its last ones.
    ...(weighted && total > 0 && { usualWeight: Number((total / rowCount).toPrecision(6)) }),
  }
}
