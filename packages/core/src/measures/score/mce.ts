// MCE: the worst ECCE over segments, in units of its own noise. Segments are all combinations of one level of each of up
// to `depth` columns (none: everyone), as in MCGrad; ties are safe, and by default no segment is left out.
//
// With N_s the ECCE of segment s, sigma_s its null sigma and sd_s = sqrt(sum w^2 r^2) / sum w within it:
// sigma = max N_s / sigma_s; value = sigma * (sigma of everyone), which is not the largest ECCE of a segment.
// Limits, the sigma_s taken as fixed. Lower: all N_s(D) >= N_s(D^) - x sd_s - b_s at once, x the quantile of the Brownian range
// at delta/2 over the number of segments, and b_s = (2/3) ln(2 count / delta) w / W_s, w the largest weight, the second term of
// Bernstein's bound at both ends of an interval: with few events sums are skewed, and sd_s says too little of that. So the
// largest of these bounds. Upper: the segment that is worst in the
// population is not random, nor is the interval of predictions that makes it so; its bound z sd_s is a normal one, and the
// largest of all N_s(D^) + z sd_s is above it.
//
// A p-value of one segment assumes many rows: among 10 rows at f = 0.001 a single positive reads as 10 sigma. Neither
// correction below repairs that; `simulations` does: it draws labels from the predictions and repeats the whole search.

import { makeRandom } from '../../common/random.ts'
import { makeSorter } from '../../kernels/sorter.ts'
import { brownianRangeQuantile } from './brownianRange.ts'
import { normalMultiple } from './normal.ts'
import { isWhole, requireOption } from './options.ts'
import { sortByKeys } from './order.ts'
import { checkRows, type Estimate, type ScoredRows } from './scoredRows.ts'
import { makeWalkRows, type Segment, type SegmentGroup, searchSegments } from './segmentSearch.ts'
import { inOrderOfAppearance, levelColumn, type SegmentColumn } from './segments.ts'
import { cellsOfRows, type WalkRows, walkRanges } from './segmentWalks.ts'
import { canonicalKeys, countedRows, toKey } from './steps.ts'

export interface MceOptions {
  /** Columns in one segment, at most. Default 3. */
  readonly depth?: number
  /** Levels of a column, at most. Default 3. */
  readonly values?: number
  /** Segments with fewer rows are left out. Default 10. */
  readonly minRows?: number
  /** Default: all. */
  readonly maxSegments?: number
  /** Whether walks are looked at after each tie or after each row, ties then in the order given. Default 'ties'. */
  readonly walk?: 'ties' | 'rows'
  /** Order of levels, hence of segments. Default 'value'; 'score' is that of first appearance in the order of scores. */
  readonly levelOrder?: 'value' | 'score'
  /** Default 0.95. */
  readonly confidence?: number
  /** Searches repeated on labels drawn from the predictions. Default 0. */
  readonly simulations?: number
  readonly seed?: number
}

/** MCGrad's own cap and order, and its walk inside ties. (It checks the cap only after every 50 segments.) */
export const MCGRAD_RULES: MceOptions = { maxSegments: 1000, walk: 'rows', levelOrder: 'score' }

export interface MulticalibrationError {
  /** In the order of the search; everyone first. */
  readonly segments: readonly Segment[]
  readonly worst: Segment
  /** The largest ratio of a segment's ECCE to its sigma. */
  readonly sigma: Estimate
  /** In units of the sigma of everyone. */
  readonly value: Estimate
  /** 100 value / min(mean label, 1 - mean label); undefined if all labels are 0 or all are 1. */
  readonly relative: number | undefined
  /** Five sigmas of everyone: MCGrad's smallest detectable value. */
  readonly detectable: number
  /** Smallest p-value of a segment, blind to how many were searched. */
  readonly pValue: number
  /** Corrected for the number of segments: times it, and 1 - (1-p)^count. */
  readonly bonferroni: number
  readonly sidak: number
  /** (1 + searches on drawn labels that found as much) / (1 + searches); undefined without simulations. */
  readonly simulatedPValue: number | undefined
}

type MceSettings = Required<Omit<MceOptions, 'maxSegments'>> & { readonly maxSegments: number }

const DEFAULTS: MceSettings = {
  depth: 3,
  values: 3,
  minRows: 10,
  maxSegments: Number.POSITIVE_INFINITY,
  walk: 'ties',
  levelOrder: 'value',
  confidence: 0.95,
  simulations: 0,
  seed: 1,
}

export function segmentError(
  given: ScoredRows,
  columns: readonly SegmentColumn[],
  options: MceOptions = {},
): MulticalibrationError {
  const settings = resolve(options)
  checkRows(given)
  const keys = settings.walk === 'ties' ? canonicalKeys(given) : [toKey(given.predictions)]
  const order = sortByKeys(countedRows(given), keys)
  const rows = makeWalkRows(given, order, settings.walk)
  // The kernels' own memory is worth its while for many rows only.
  const sort = order.length > MANY_ROWS ? makeSorter().sort : undefined
  const leveled = columns.map(column => {
    const levels = levelColumn(column, order, settings.values, given.predictions.length, sort)
    return settings.levelOrder === 'score' ? inOrderOfAppearance(levels) : levels
  })
  const groups = searchSegments(rows, leveled, settings)
  const found = summarize(
    groups.flatMap(group => group.segments),
    settings.confidence,
    rows.weights.reduce((most, weight) => Math.max(most, weight), 0),
  )
  const rarer = rarerShare(rows)
  return {
    ...found,
    relative: rarer > 0 ? (100 * found.value.value) / rarer : undefined,
    simulatedPValue: simulateSearch(rows, groups, found.sigma.value, settings),
  }
}

const MANY_ROWS = 2 ** 16

function resolve(options: MceOptions): MceSettings {
  const settings = { ...DEFAULTS, ...options }
  const { depth, values, minRows, maxSegments, confidence, simulations } = settings
  requireOption('depth', depth, isWhole(depth, 0, 8), 'a whole number from 0 to 8')
  requireOption('values', values, isWhole(values, 2, 1000), 'a whole number from 2 to 1000')
  requireOption('minRows', minRows, minRows >= 1, 'at least 1')
  requireOption('maxSegments', maxSegments, maxSegments >= 1, 'at least 1')
  requireOption('confidence', confidence, confidence >= 0.5 && confidence < 1, '0.5 to less than 1')
  requireOption(
    'simulations',
    simulations,
    isWhole(simulations, 0, 100_000),
    'a whole number from 0 to 100000',
  )
  return settings
}

function summarize(segments: readonly Segment[], confidence: number, largestWeight: number) {
  const worst = segments.reduce((most, segment) => (segment.ratio > most.ratio ? segment : most))
  const below = brownianRangeQuantile((1 - confidence) / 2 / segments.length)
  const above = normalMultiple(confidence)
  const skew = (2 / 3) * Math.log((2 * segments.length) / (1 - confidence)) * largestWeight
  const lowest = ({ residualError, value, weight }: Segment) => value - below * residualError - skew / weight
  const sigma = {
    value: worst.ratio,
    low: largest(segments, segment => over(lowest(segment), segment.sigma)),
    high: largest(segments, segment => over(segment.value + above * segment.residualError, segment.sigma)),
  }
  const unit = segments[0].sigma
  return {
    segments,
    worst,
    sigma,
    value: { value: sigma.value * unit, low: sigma.low * unit, high: sigma.high * unit },
    detectable: 5 * unit,
    pValue: worst.pValue,
    bonferroni: Math.min(1, worst.pValue * segments.length),
    sidak: -Math.expm1(segments.length * Math.log1p(-worst.pValue)),
  }
}

const largest = (segments: readonly Segment[], of: (segment: Segment) => number): number =>
  segments.reduce((most, segment) => Math.max(most, of(segment)), 0)

const over = (top: number, bottom: number): number => (top > 0 ? top / bottom : 0)

/** min(mean label, 1 - mean label). */
function rarerShare({ residuals, weights, predictions }: WalkRows): number {
  let [ones, weight] = [0, 0]
  for (let index = 0; index < weights.length; index++) {
    ones += residuals[index] + weights[index] * predictions[index]
    weight += weights[index]
  }
  return Math.min(ones, weight - ones) / weight
}

/**
 * Labels of 0 and 1 are drawn from the predictions, so the p-value holds for any number of rows; no labels of the same means vary
 * more, so it is conservative for others (docs/decisions/0019). Only walks change: segments, weights and sigmas stay.
 */
function simulateSearch(
  rows: WalkRows,
  groups: readonly SegmentGroup[],
  found: number,
  { simulations, seed }: MceSettings,
): number | undefined {
  if (simulations === 0) return undefined
  const random = makeRandom(seed)
  const residuals = new Float64Array(rows.residuals.length)
  let asMuch = 0
  for (let search = 0; search < simulations; search++) {
    for (let index = 0; index < residuals.length; index++) {
      const prediction = rows.predictions[index]
      residuals[index] = rows.weights[index] * (Number(random.next() < prediction) - prediction)
    }
    if (groups.some(group => largestRatio(residuals, rows, group) >= found)) asMuch++
  }
  return (1 + asMuch) / (1 + simulations)
}

function largestRatio(
  residuals: Float64Array,
  rows: WalkRows,
  { columns, cells, segments }: SegmentGroup,
): number {
  const ranges = walkRanges(residuals, rows.steps, cellsOfRows(columns, residuals.length))
  return cells.reduce((most, cell, index) => {
    const { weight, sigma } = segments[index]
    return Math.max(most, over(ranges[cell] / weight, sigma))
  }, 0)
}
