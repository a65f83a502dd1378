// Streams of batches whose truth is known, and what each way of watching makes of them, day after day.

import {
  advanceLabels,
  BatchTally,
  type MonitorData,
  makeRandom,
  ONE,
  type Random,
  SearchFamily,
} from '@featureboost/core/internal'

export const BATCHES = 100
export const BATCH_ROWS = 1000
/** A value of a column that one row in ten has, ten of them; everyone; and the group that goes wrong, one row in twenty. */
const REGIONS = 10
const NAMED = REGIONS + 2
const SHIFTED = 1
const COLUMNS = 4
export const SHIFTED_SHARE = 0.05
export const DELTA = 0.05

const FEATURES = Array.from(
  { length: COLUMNS },
  (_, index) =>
    ({ name: `x${index}`, kind: 'numeric', missing: false, cuts: [0, 1, 2], coarse: [0, 1, 2] }) as const,
)
const FAMILY = new SearchFamily(
  FEATURES,
  FEATURES.map((_, index) => index),
)
export const GROUPS = { named: NAMED, searched: FAMILY.groups.length }

export interface Shift {
  readonly by: number
  /** The first batch that is wrong, counted from 1. */
  readonly from: number
}

/** The batch after which each way of watching first raised an alarm; undefined where it never did. */
export type Alarms = Readonly<Record<Way, number | undefined>>

export const WAYS = [
  'monitor',
  'daily, day alone',
  'daily, day alone, for all groups',
  'daily, day alone, for all groups and days',
  'daily, all rows so far, for all groups',
  'daily, all rows so far, for all groups and days',
  'day beyond 3 deviations',
] as const
export type Way = (typeof WAYS)[number]

/** The quantile of the normal for a two-sided level, by bisection on the tail, which falls. */
function quantileOf(alpha: number): number {
  let [low, high] = [0, 10]
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    if (2 * tail(middle) > alpha) low = middle
    else high = middle
  }
  return high
}

/** P(N > x), by Simpson's rule. */
function tail(x: number): number {
  const [steps, end] = [2000, 12]
  const width = (end - x) / steps
  const density = (at: number) => Math.exp((-at * at) / 2) / Math.sqrt(2 * Math.PI)
  let sum = density(x) + density(end)
  for (let step = 1; step < steps; step++) sum += (step % 2 === 0 ? 2 : 4) * density(x + step * width)
  return (sum * width) / 3
}

/** Sums of residuals and of p (1 - p) for the named groups. */
interface Sums {
  readonly residual: Float64Array
  readonly variance: Float64Array
}

const emptySums = (): Sums => ({ residual: new Float64Array(NAMED), variance: new Float64Array(NAMED) })

const isBeyond = ({ residual, variance }: Sums, z: number): boolean =>
  residual.some((sum, group) => variance[group] > 0 && Math.abs(sum) > z * Math.sqrt(variance[group]))

const Z = {
  one: quantileOf(DELTA),
  groups: quantileOf(DELTA / NAMED),
  all: quantileOf(DELTA / (NAMED * BATCHES)),
}

/** One stream. */
export function watchStream(seed: number, shift: Shift | undefined): Alarms {
  const random = makeRandom(seed)
  const alarms: Record<Way, number | undefined> = Object.fromEntries(
    WAYS.map(way => [way, undefined]),
  ) as Record<Way, undefined>
  let data = {
    ...{ delta: DELTA, maxGap: 0, batches: [], alarms: [], followed: [] },
    ...{ namedWealth: [], searchedWealth: [] },
  } as unknown as MonitorData
  const soFar = emptySums()
  for (let batch = 1; batch <= BATCHES; batch++) {
    const isOff = shift !== undefined && batch >= shift.from
    const { day, rows } = drawBatch(random, isOff ? shift.by : 0)
    if (alarms.monitor === undefined) {
      const tally = new BatchTally(NAMED, FAMILY, 0)
      tally.add(rows)
      const { named, searched } = tally.finish()
      const { labelled, ...next } = advanceLabels(data, named, searched)
      data = { ...data, ...next, batches: [{ labelled } as never] }
    }
    for (const part of ['residual', 'variance'] as const)
      for (let group = 0; group < NAMED; group++) soFar[part][group] += day[part][group]
    const raised: Record<Way, boolean> = {
      monitor: data.raised !== undefined,
      'daily, day alone': isBeyond(day, Z.one),
      'daily, day alone, for all groups': isBeyond(day, Z.groups),
      'daily, day alone, for all groups and days': isBeyond(day, Z.all),
      'daily, all rows so far, for all groups': isBeyond(soFar, Z.groups),
      'daily, all rows so far, for all groups and days': isBeyond(soFar, Z.all),
      'day beyond 3 deviations': isBeyond(day, 3),
    }
    for (const way of WAYS) if (raised[way]) alarms[way] ??= batch
  }
  return alarms
}

/** Scores from 0.05 to 0.55; everything that groups look at is independent of them. */
function drawBatch(random: Random, shift: number) {
  const day = emptySums()
  const [labels, scores] = [new Int32Array(BATCH_ROWS), new Int32Array(BATCH_ROWS)]
  const members = Array.from({ length: NAMED - 1 }, () => new Uint8Array(BATCH_ROWS))
  const bins = FEATURES.map(() => new Uint8Array(BATCH_ROWS))
  for (let row = 0; row < BATCH_ROWS; row++) {
    const score = Math.round((0.05 + 0.5 * random.next()) * ONE)
    const p = score / ONE
    const inShifted = Number(random.next() < SHIFTED_SHARE)
    const region = 2 + random.integer(REGIONS)
    const label = Number(random.next() < p + inShifted * shift)
    scores[row] = score
    labels[row] = label * ONE
    members[0][row] = inShifted
    members[region - 1][row] = 1
    let bits = random.integer(4 ** COLUMNS)
    for (const column of bins) {
      column[row] = bits & 3
      bits >>= 2
    }
    for (const group of inShifted === 1 ? [0, SHIFTED, region] : [0, region]) {
      day.residual[group] += label - p
      day.variance[group] += p * (1 - p)
    }
  }
  return { day, rows: { rowCount: BATCH_ROWS, labels, scores, members: [undefined, ...members], bins } }
}
