// A world as a case of the benchmark: calibration rows and fresh ones as arrays on disk, and what a method left of the
// planted errors.

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { audit, makeTable } from '@featureboost/core'
import type { Column } from '../data/dataset.ts'
import { hashFiles, hashFolder, keepFolder, keyOf } from '../versus/cache.ts'
import type { SplitData } from '../versus/datasets.ts'
import { type Prepared, writeCase } from '../versus/prepare.ts'
import { type Kind, makeWorld, type Sample } from './world.ts'

export interface PlantedCase {
  readonly kind: Kind
  readonly rows: number
  readonly seed: number
  readonly prepared: Prepared
  readonly fresh: Sample
}

/** What is measured of predictions for the fresh rows, against the truth itself but for the groups that are off. */
export interface Figures {
  /** Mean |truth - prediction| over the rows of each planted group: the mean of the groups, and the worst. */
  readonly gap: number
  readonly worst: number
  /** Different groups that an audit of the fresh rows finds off by more than noise, at most 10; NaN where it was not asked. */
  readonly off: number
  /** Mean of (truth - prediction)^2 over all rows. */
  readonly distance: number
}

export const FRESH_ROWS = 200_000

const SOURCES = ['case', 'world'].map(name => fileURLToPath(new URL(`${name}.ts`, import.meta.url)))

export async function openCase(cache: string, kind: Kind, rows: number, seed: number): Promise<PlantedCase> {
  const world = makeWorld(kind, seed)
  const fresh = world.draw(FRESH_ROWS, 2 * seed + 1_000_000)
  const key = keyOf({ kind, rows, seed, sources: hashFiles(SOURCES) })
  const folder = join(cache, 'prepared', `planted-${kind}-${rows}-${seed}-${key}`)
  await keepFolder(folder, false, into => {
    const split = splitOf(world.draw(rows, 2 * seed + 2_000_001), fresh)
    writeCase(into, { data: `planted ${kind}`, seed }, split)
  })
  return { kind, rows, seed, prepared: { folder, content: hashFolder(folder) }, fresh }
}

/** No base rows: the score comes with the world. */
function splitOf(calibration: Sample, fresh: Sample): SplitData {
  const join = (name: string): Column => [...calibration.columns[name], ...fresh.columns[name]] as Column
  const numbers = (of: (sample: Sample) => Float64Array) =>
    Float64Array.from([...of(calibration), ...of(fresh)])
  const names = Object.keys(calibration.columns)
  const count = calibration.label.length
  const range = (from: number, length: number) => Array.from({ length }, (_, index) => from + index)
  return {
    columns: Object.fromEntries(names.map(name => [name, join(name)])),
    label: numbers(sample => sample.label),
    parts: { base: [], calibration: range(0, count), test: range(count, fresh.label.length) },
    groupColumns: names,
    given: { score: numbers(sample => sample.score), truth: numbers(sample => sample.truth) },
  }
}

/** An audit takes longer than all the rest: `audits` says whether it is done. */
export async function measure(
  fresh: Sample,
  predictions: Float64Array,
  { audits, threads }: { audits: boolean; threads: number },
): Promise<Figures> {
  const { group, truth } = fresh
  const planted = group.reduce((most, one) => Math.max(most, one), -1) + 1
  const [gaps, counts] = [new Float64Array(planted), new Float64Array(planted)]
  let squares = 0
  for (let row = 0; row < truth.length; row++) {
    const distance = Math.abs(truth[row] - predictions[row])
    squares += distance * distance
    if (group[row] < 0) continue
    gaps[group[row]] += distance
    counts[group[row]]++
  }
  const means = Array.from(gaps, (gap, index) => gap / counts[index])
  return {
    gap: planted === 0 ? 0 : means.reduce((sum, gap) => sum + gap, 0) / planted,
    worst: Math.max(0, ...means),
    off: audits ? await countOff(fresh, predictions, threads) : Number.NaN,
    distance: squares / truth.length,
  }
}

async function countOff(
  { columns, label }: Sample,
  predictions: Float64Array,
  threads: number,
): Promise<number> {
  const table = makeTable({ ...columns, ' label': label, ' score': predictions })
  const { worst } = await audit(table, { label: ' label', prediction: ' score', threads })
  return worst.filter(({ p }) => p <= 0.05).length
}
