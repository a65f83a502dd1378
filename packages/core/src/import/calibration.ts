// What scikit-learn's isotonic regression and its sigmoid have learned, as one update: both are functions of the score alone.

import { lnOfUnits, MAX_SCALE, MAX_STEP } from '../common/logistic.ts'
import { ONE } from '../common/units.ts'
import { probabilityOf } from '../data/scoreScale.ts'
import { listOf, real, record, type Shape, within } from '../model/shape.ts'
import { lowerBound } from '../quantize/search.ts'
import type { CurveUpdate, ForestUpdate, Update } from '../update/update.ts'
import { differenceOfCurve, differenceOfRounds, type ImportDifference } from './difference.ts'
import { notImportable, notReadable } from './refuse.ts'

/** What the numbers are about: scores as probabilities, or as log odds. */
export type CalibratedScale = 'probability' | 'logit'

export interface ImportedUpdate {
  readonly update: Update
  readonly difference: ImportDifference
}

const POINTS = 2 ** 20

export const isotonicShape = record({ x: listOf(real, POINTS), y: listOf(within(0, 1), POINTS) })
export const sigmoidShape = record({ a: real, b: real })

type Shaped<S> = S extends Shape<infer T> ? T : never

/** A curve that differs from the function it follows by at most so many units. */
const FITTED = 1

/** Between neighbouring points linear, beyond the first and the last level: as out_of_bounds "clip" has it. */
export function isotonicUpdate(
  { x, y }: Shaped<typeof isotonicShape>,
  scale: CalibratedScale,
): ImportedUpdate {
  if (x.length === 0) throw notReadable('isotonic.x', 'there are no points')
  if (y.length !== x.length) throw notReadable('isotonic.y', `${y.length} values for ${x.length} points`)
  if (x.some((value, index) => index > 0 && value <= x[index - 1]))
    throw notReadable('isotonic.x', 'points do not ascend')
  if (scale === 'probability' && (x[0] < 0 || x[x.length - 1] > 1))
    throw notReadable(
      'isotonic.x',
      `${x[0] < 0 ? x[0] : x[x.length - 1]} is no probability`,
      'Where the scores are log odds, say scale "logit".',
    )
  const at = (units: number): number => {
    const score = scoreOf(units, scale)
    const right = lowerBound(x, score)
    if (right === 0) return y[0]
    if (right === x.length) return y[x.length - 1]
    const share = (score - x[right - 1]) / (x[right] - x[right - 1])
    return y[right - 1] + share * (y[right] - y[right - 1])
  }
  return curveUpdate(
    at,
    x.map(point => Math.floor(probabilityOf(point, scale)! * ONE)),
  )
}

/** 1 / (1 + exp(a * score + b)). */
export function sigmoidUpdate({ a, b }: Shaped<typeof sigmoidShape>, scale: CalibratedScale): ImportedUpdate {
  if (scale === 'probability')
    return curveUpdate(units => probabilityOf(-a * scoreOf(units, scale) - b, 'logit')!, [])
  const [factor, step] = [-a, b / a]
  const units = Math.round(factor * ONE)
  if (!(units > 0 && units <= MAX_SCALE && Math.abs(step * ONE) < MAX_STEP))
    throw notImportable('sigmoid', `a = ${a} and b = ${b}: such log odds cannot be said`)
  const update: ForestUpdate = {
    kind: 'forest',
    clip: 1,
    trees: [{ tree: { leaf: 0 }, steps: [Math.round(step * ONE) + 0] }],
    scale: units,
  }
  // There are no trees that ask for the prediction, so nothing comes near a branch.
  const { atMost } = differenceOfRounds([{ scale: factor, trees: [{ nodes: [], leafValues: [step] }] }])
  return { update, difference: { atMost } }
}

/** 0 and 1 have the log odds of a unit beyond the last that have any. */
const scoreOf = (units: number, scale: CalibratedScale): number =>
  scale === 'probability'
    ? units / ONE
    : units === 0
      ? Number.NEGATIVE_INFINITY
      : units === ONE
        ? Number.POSITIVE_INFINITY
        : lnOfUnits(units) - lnOfUnits(ONE - units)

function curveUpdate(at: (units: number) => number, edges: readonly number[]): ImportedUpdate {
  const update = curveThrough(units => at(units) * ONE, edges)
  return { update, difference: differenceOfCurve(update, FITTED) }
}

/** Both neighbours of an edge are points of the curve, and between points it is halved until it follows the function. */
function curveThrough(at: (units: number) => number, edges: readonly number[]): CurveUpdate {
  const inside = edges.flatMap(edge => [edge, edge + 1]).filter(units => units > 0 && units < ONE)
  const corners = [...new Set([0, ...inside, ONE])].sort((a, b) => a - b)
  const from: number[] = [0]
  const between = (low: number, high: number): void => {
    if (high - low > 1 && !follows(at, low, high)) {
      const middle = (low + high) >> 1
      between(low, middle)
      between(middle, high)
    } else from.push(high)
  }
  for (let corner = 1; corner < corners.length; corner++) between(corners[corner - 1], corners[corner])
  return { kind: 'curve', from, to: from.map(units => Math.round(at(units))) }
}

const PROBES = 8

function follows(at: (units: number) => number, low: number, high: number): boolean {
  const [start, end] = [at(low), at(high)]
  for (let probe = 1; probe < PROBES; probe++) {
    const units = low + Math.round(((high - low) * probe) / PROBES)
    const line = start + ((end - start) * (units - low)) / (high - low)
    if (Math.abs(at(units) - line) > FITTED / 2) return false
  }
  return true
}
