// Where forests start from: the given score, kept away from 0 and 1, with another slope and intercept where these surely help.
// A score that is too bold everywhere is put right by two numbers, which few rows can tell; trees would need many of both.

import { logitUnits, logLossUnits } from '../common/logistic.ts'
import { ONE } from '../common/units.ts'
import { applyUpdates } from '../update/move.ts'
import { type ForestUpdate, ROOT } from '../update/update.ts'
import { isSure } from './crossFit.ts'
import type { ForestRows } from './forestRows.ts'
import { fitPlatt, plattLoss } from './line/platt.ts'
import { affineUpdates, insideUnits, type LogitPoints, NEAREST } from './line/regression.ts'

/** The logit of the score becomes slope * logit + intercept. */
export interface Recalibration {
  readonly slope: number
  readonly intercept: number
  /** Mean log loss of rows that slope and intercept were not fitted to, over all parts. */
  readonly before: number
  readonly after: number
}

interface ForestStart {
  /** Predictions, in units. */
  readonly start: Int32Array
  /** What leads there. */
  readonly updates: readonly ForestUpdate[]
  /** How far from 0 and 1 the forest has to take predictions to lie. */
  readonly clip: number
  readonly recalibration?: Recalibration
}

/**
 * `weights`: how much each part weighs; `standardErrors`: how many, over the parts, slope and intercept have to gain. Bold
 * scores may want a clip or a slope: what rows that were not fitted to like better.
 */
export function chooseStart(
  rows: ForestRows,
  weights: readonly number[],
  standardErrors: number,
): ForestStart {
  const clips = new Set([NEAREST, chooseClip(rows)])
  const tried = [...clips].map(clip => {
    const start = rows.start.map(score => Math.max(clip, Math.min(ONE - clip, score)))
    return { clip, start, ...judgeLine({ ...rows, start }, weights, standardErrors) }
  })
  const loss = ({ after, before, helps }: Judged) => (helps ? after : before)
  const { clip, helps, start, ...recalibration } = tried.reduce((a, b) => (loss(b) < loss(a) ? b : a))
  if (!helps) return { start, updates: [], clip }
  const { intercept, slope } = recalibration
  const updates = affineUpdates(slope, [{ tree: ROOT, steps: [intercept] }], clip)
  const moved = applyUpdates(updates, { bins: [], binCounts: [] }, start).map(insideUnits)
  return { start: moved, updates, clip: NEAREST, recalibration }
}

/** Clips are powers of two, below this one. */
const MAX_POWER = 23

/** What the best of so many clips may gain by luck, in nats. */
const LUCK = Math.log(MAX_POWER)

type ScoredRows = Pick<ForestRows, 'rowCount' | 'label' | 'start' | 'weight' | 'weightScale'>

/**
 * How far from 0 and 1 scores are taken to lie, at least: what is best in log loss, by more than luck. Hard scores need much.
 * Where a clip reaches a score, the loss depends on the label alone; so scores are counted by the first clip that does.
 */
export function chooseClip({ label, rowCount, start, weight, weightScale = 1 }: ScoredRows): number {
  const [loss, right, wrong] = [0, 1, 2].map(() => new Float64Array(MAX_POWER))
  for (let row = 0; row < rowCount; row++) {
    const score = insideUnits(start[row])
    const isLow = score < ONE / 2
    const first = 32 - Math.clz32(isLow ? score : ONE - score)
    if (first >= MAX_POWER) continue
    const counted = weight === undefined ? 1 : weight[row]
    const ones = counted * label[row]
    loss[first] += counted * lossAt(label[row], score)
    right[first] += isLow ? counted * ONE - ones : ones
    wrong[first] += isLow ? ones : counted * ONE - ones
  }
  // The clip of one unit is what `loss` has. A larger one takes the loss of those it reaches away, and adds its own.
  let best = { power: 0, change: -LUCK * LOSS_UNIT * weightScale }
  let [kept, rightOnes, wrongOnes] = [0, 0, 0]
  for (let power = 1; power < MAX_POWER; power++) {
    kept += loss[power]
    rightOnes += right[power] / ONE
    wrongOnes += wrong[power] / ONE
    const change = rightOnes * lossAt(0, 2 ** power) + wrongOnes * lossAt(ONE, 2 ** power) - kept
    if (change < best.change) best = { power, change }
  }
  return 2 ** best.power
}

/** Sums of all weights times losses in this unit stay whole. */
const LOSS_UNIT = ONE / 16

const lossAt = (label: number, prediction: number): number =>
  Math.floor(logLossUnits(label, prediction) / 16 + 0.5)

interface Judged extends Recalibration {
  /** Surely: rows of all parts agree. */
  readonly helps: boolean
}

/** Slope and intercept, and what they do to rows that they were not fitted to. */
export function judgeLine(rows: ForestRows, weights: readonly number[], standardErrors: number): Judged {
  const sums = sumByLogit(rows, weights.length)
  const all = pointsOf(sums.logit, sums.all)
  const [slope, intercept] = fitLine(all)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const before = plattLoss(all, AS_IT_IS).value
  const gain = (before - plattLoss(all, [slope, intercept]).value) * (total / (rows.weightScale ?? 1))
  if (gain < WORTH_JUDGING) return { slope, intercept, before, after: before, helps: false }
  const parts = weights.flatMap((weight, part) => (weight > 0 ? [part] : []))
  const losses = parts.map(apart => {
    const learned = pointsOf(sums.logit, sums.all, sums.parts[apart])
    const held = pointsOf(sums.logit, sums.parts[apart])
    return [AS_IT_IS, fitLine(learned)].map(line => plattLoss(held, line).value)
  })
  const after = losses.reduce((sum, [, moved], index) => sum + (weights[parts[index]] / total) * moved, 0)
  const gains = losses.map(([given, moved]) => given - moved)
  return { slope, intercept, before, after, helps: after < before && isSure(gains, standardErrors) }
}

const AS_IT_IS = [1, 0]

/** Nats that a line has to gain on the rows it is fitted to. Two numbers gain one by luck: less is never sure elsewhere. */
const WORTH_JUDGING = 2

/** One label alone would send the line to infinity. */
const fitLine = (points: LogitPoints): Iterable<number> => (hasOneLabel(points) ? AS_IT_IS : fitPlatt(points))

const hasOneLabel = ({ mean }: LogitPoints): boolean =>
  mean.every(label => label === 0) || mean.every(label => label === 1)

/** Logits that are no farther apart than a 32nd count as their mean. */
const LOGIT_WIDTH = ONE / 32
const LOGIT_BINS = 2 ** 11

/** Of all rows, and of those of each part: weight and label, in units, at each mean logit. */
interface LogitSums {
  readonly logit: Float64Array
  readonly all: WeightAndLabel
  readonly parts: readonly WeightAndLabel[]
}

interface WeightAndLabel {
  readonly weight: Float64Array
  readonly label: Float64Array
}

/** Sums of whole numbers: the order of rows does not matter. */
function sumByLogit(rows: ForestRows, parts: number): LogitSums {
  const { label, part, rowCount, start, weight } = rows
  const bins = new Int32Array(rowCount)
  const [counts, beyond] = [new Float64Array(LOGIT_BINS), new Float64Array(LOGIT_BINS)]
  for (let row = 0; row < rowCount; row++) {
    const logit = logitUnits(insideUnits(start[row]))
    const bin = Math.floor(logit / LOGIT_WIDTH)
    const counted = weight === undefined ? 1 : weight[row]
    bins[row] = bin + LOGIT_BINS / 2
    counts[bins[row]] += counted
    beyond[bins[row]] += counted * (logit - bin * LOGIT_WIDTH)
  }
  const used = Int32Array.from({ length: LOGIT_BINS }, (_, bin) => bin).filter(bin => counts[bin] > 0)
  const places = new Int32Array(LOGIT_BINS)
  for (const [place, bin] of used.entries()) places[bin] = place
  const empty = () => ({ weight: new Float64Array(used.length), label: new Float64Array(used.length) })
  const sums = { all: empty(), parts: Array.from({ length: parts }, empty) }
  for (let row = 0; row < rowCount; row++) {
    const counted = weight === undefined ? 1 : weight[row]
    const ofPart = sums.parts[part[row]]
    const place = places[bins[row]]
    ofPart.weight[place] += counted
    ofPart.label[place] += counted * label[row]
    sums.all.weight[place] += counted
    sums.all.label[place] += counted * label[row]
  }
  const meanOf = (bin: number) => ((bin - LOGIT_BINS / 2) * LOGIT_WIDTH + beyond[bin] / counts[bin]) / ONE
  return { logit: Float64Array.from(used, meanOf), ...sums }
}

/** As a regression takes them; those of `less` do not count. Logits that no row has are left out. */
function pointsOf(
  logit: Float64Array,
  { label, weight }: WeightAndLabel,
  less?: WeightAndLabel,
): LogitPoints {
  const [at, shares, means] = [0, 1, 2].map(() => new Float64Array(logit.length))
  let [count, total] = [0, 0]
  for (let place = 0; place < logit.length; place++) {
    const left = weight[place] - (less === undefined ? 0 : less.weight[place])
    if (left === 0) continue
    at[count] = logit[place]
    shares[count] = left
    means[count++] = (label[place] - (less === undefined ? 0 : less.label[place])) / left / ONE
    total += left
  }
  for (let place = 0; place < count; place++) shares[place] /= total
  return {
    logit: at.subarray(0, count),
    weight: shares.subarray(0, count),
    mean: means.subarray(0, count),
  }
}
