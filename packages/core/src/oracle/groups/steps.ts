// How far a group is to move at each score. Scores are parted into a few runs with one step each: as many as the labels can
// tell apart. A step is either one in probability or one on the logit scale, or follows a line on that scale (a group whose score is
// too bold, or not bold enough), whichever explains the labels better, and shrinks by what luck would give it. No prediction
// reaches 0 or 1.

import { expOfStep, lnOf } from '../../common/logistic.ts'
import { ONE } from '../../common/units.ts'

/** Sums of one group at each of some levels of the prediction, in rows. */
export interface GroupLevels {
  readonly rows: Float64Array
  /** Sums of predictions, as probabilities. */
  readonly expected: Float64Array
  /** Sums of labels. */
  readonly labels: Float64Array
}

export type Link = 'logit' | 'probability'

/** Levels from the first up to, not including, the last, that take one step: on the logit scale, or in probability. */
export interface Run {
  readonly first: number
  readonly end: number
  readonly step: number
}

export interface GroupSteps {
  readonly link: Link
  readonly runs: readonly Run[]
  /** Twice the log likelihood that the group's rows gain, less RUN for every run of levels. */
  readonly evidence: number
}

/** Taken off for every run of levels with a step of its own: what its step and its ends gain by luck. */
const RUN = 9

/** Taken off for a line: it has two numbers, but no ends to choose. */
const LINE = 15

/** Runs that a line becomes, at most. */
const LINE_RUNS = 8

/** Twice the log likelihood that a step gains by luck; it shrinks by that share of its evidence. */
const LUCK = 2

/** Added to the information of every step, as forests add it to that of every leaf: rows at even odds times four. */
const RIDGE = 3

/** A step in probability leaves at least this share of the way to 0 or 1. */
export const LEFT = 0.25

/** Of Newton's method. */
const TURNS = 4

/** The largest step on the logit scale. */
const LARGEST = 4

export function fitSteps(levels: GroupLevels): GroupSteps {
  const fitted = [fitRuns(levels, 'logit'), fitRuns(levels, 'probability'), fitLine(levels)]
  return fitted.reduce((best, each) => (each.evidence > best.evidence ? each : best))
}

/** The best way to part the levels into runs, found from the left: that of the first levels is part of that of more. */
function fitRuns(levels: GroupLevels, link: Link): GroupSteps {
  const count = levels.rows.length
  const best = new Float64Array(count + 1).fill(Number.NEGATIVE_INFINITY)
  const lastRun: Run[] = []
  best[0] = 0
  for (let end = 1; end <= count; end++) {
    for (let first = 0; first < end; first++) {
      const { gain, step } = fitRun(levels, link, first, end)
      const total = best[first] + gain - RUN
      if (total <= best[end]) continue
      best[end] = total
      lastRun[end] = { first, end, step }
    }
  }
  const runs: Run[] = []
  for (let end = count; end > 0; end = lastRun[end].first) runs.unshift(lastRun[end])
  return { link, runs, evidence: best[count] }
}

/** Newton's method for one step of all levels, shrunk by its luck. */
function fitRun(levels: GroupLevels, link: Link, start: number, end: number): { gain: number; step: number } {
  let step = 0
  for (let turn = 0; turn < TURNS; turn++) {
    let [slope, information, variance, rows] = [0, 0, 0, 0]
    for (let level = start; level < end; level++) {
      const before = levels.expected[level] / levels.rows[level]
      const mean = landing(link, before, step)
      // What has gone as far as it may says nothing about how far the others should.
      if (link === 'probability' && Math.abs(mean - before - step) > 1e-9) continue
      const spread = mean * (1 - mean)
      const residual = levels.labels[level] - levels.rows[level] * mean
      slope += link === 'logit' ? residual : residual / spread
      information += levels.rows[level] * (link === 'logit' ? spread : 1 / spread)
      variance += levels.rows[level] * spread
      rows += levels.rows[level]
    }
    if (rows === 0) break
    const ridge = link === 'logit' ? RIDGE : RIDGE * (rows / variance) ** 2
    step = Math.max(-LARGEST, Math.min(LARGEST, step + (slope - ridge * step) / (information + ridge)))
  }
  const gain = gainOf(levels, link, start, end, step)
  if (!(gain > LUCK)) return { step: 0, gain: 0 }
  const kept = 1 - LUCK / gain
  return { step: kept * step, gain: kept * (2 - kept) * gain }
}

/** Another slope and intercept of the logit, by Newton's method; then one step for every few levels. */
function fitLine(levels: GroupLevels): GroupSteps {
  const { expected, labels, rows } = levels
  const count = rows.length
  const place = expected.map((sum, level) => lnOf(sum / (rows[level] - sum)))
  const middle = meanOf(place, rows)
  const places = place.map(each => each - middle)
  const size = Math.max(
    1e-6,
    meanOf(
      places.map(each => each * each),
      rows,
    ),
  )
  let [intercept, slope] = [0, 0]
  for (let turn = 0; turn < TURNS; turn++) {
    let [first, second] = [-RIDGE * intercept, -RIDGE * size * slope]
    let [ofFirst, both, ofSecond] = [RIDGE, 0, RIDGE * size]
    for (let level = 0; level < count; level++) {
      const mean = landing('logit', expected[level] / rows[level], stepAt(intercept, slope, places[level]))
      const residual = labels[level] - rows[level] * mean
      const weight = rows[level] * mean * (1 - mean)
      first += residual
      second += residual * places[level]
      ofFirst += weight
      both += weight * places[level]
      ofSecond += weight * places[level] * places[level]
    }
    const determinant = ofFirst * ofSecond - both * both
    intercept += (ofSecond * first - both * second) / determinant
    slope += (ofFirst * second - both * first) / determinant
  }
  const every = Math.ceil(count / LINE_RUNS)
  const whole = Array.from({ length: Math.ceil(count / every) }, (_, index): Run => {
    const [start, end] = [index * every, Math.min(count, (index + 1) * every)]
    const at = meanOf(places.subarray(start, end), rows.subarray(start, end))
    return { first: start, end, step: stepAt(intercept, slope, at) }
  })
  const gain = whole.reduce((sum, run) => sum + gainOf(levels, 'logit', run.first, run.end, run.step), 0)
  const luck = 2 * LUCK
  if (!(gain > luck)) return { link: 'logit', runs: [{ first: 0, end: count, step: 0 }], evidence: -LINE }
  const kept = 1 - luck / gain
  const runs = whole.map(run => ({ ...run, step: kept * run.step }))
  return { link: 'logit', runs, evidence: kept * (2 - kept) * gain - LINE }
}

const stepAt = (intercept: number, slope: number, place: number): number =>
  Math.max(-LARGEST, Math.min(LARGEST, intercept + slope * place))

function meanOf(values: Float64Array, weights: Float64Array): number {
  let [sum, total] = [0, 0]
  for (let index = 0; index < values.length; index++) {
    sum += weights[index] * values[index]
    total += weights[index]
  }
  return sum / total
}

/** Twice the log likelihood that the labels gain. */
function gainOf(
  { expected, labels, rows }: GroupLevels,
  link: Link,
  start: number,
  end: number,
  step: number,
): number {
  let gain = 0
  for (let level = start; level < end; level++) {
    const mean = expected[level] / rows[level]
    const moved = landing(link, mean, step)
    gain +=
      labels[level] * lnOf(moved / mean) + (rows[level] - labels[level]) * lnOf((1 - moved) / (1 - mean))
  }
  return 2 * gain
}

/** Where a step takes a chance. */
export function landing(link: Link, mean: number, step: number): number {
  if (link === 'probability') return Math.max(LEFT * mean, Math.min(1 - LEFT * (1 - mean), mean + step))
  const odds = mean * expOfStep(step * ONE)
  return odds / (odds + 1 - mean)
}
