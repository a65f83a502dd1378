// The paper's sample size with every constant explicit (Theorems 7.5 and 7.14, THEORY section 6(a)): how many rows
// make the error measured on them hold for the population, and what a given number of rows is good for.

import type { FactorKind, Guarantee } from '../classes/factors.ts'
import { FeatureBoostError } from '../common/errors.ts'
import { formatCount } from '../common/text.ts'
import { showValue } from '../data/column.ts'
import { checkNumbers } from '../data/given.ts'
import { type BoundTerms, boundTerms } from './bounds.ts'
import {
  binFunctionSize,
  clippedUpdateSize,
  type EvaluationSize,
  pseudodimensionBound,
  tableUpdateSize,
  treeSize,
  unrolledSize,
} from './dimension.ts'

interface RequiredRowsOptions {
  /** d: the pseudodimension of the class of boosted predictors. */
  readonly dimension: number
  /** xi: how far a loss on the rows may be from the loss in the population, for every predictor of the class. */
  readonly deviation: number
  /** 1 - delta */
  readonly confidence: number
}

/** The smallest n that supports the deviation. */
export function requiredRows({ dimension, deviation, confidence }: RequiredRowsOptions): number {
  requireOption('deviation', deviation, isShare(deviation), 'a number between 0 and 1, both excluded')
  requireCommon(dimension, confidence)
  return Math.ceil(rowsFor(dimension, deviation, confidence))
}

interface DeviationAtRowsOptions {
  readonly dimension: number
  readonly rows: number
  readonly confidence: number
}

/** The smallest deviation below 1 that the rows support, or undefined when there is none: the bound is vacuous. */
export function deviationAtRows({ dimension, rows, confidence }: DeviationAtRowsOptions): number | undefined {
  requireOption('rows', rows, rows > 0 && rows < Infinity, 'a number above 0')
  requireCommon(dimension, confidence)
  if (rowsFor(dimension, 1, confidence) >= rows) return undefined
  // The logarithms sum to more than 1, so this deviation asks for more than the rows there are.
  let unsupported = Math.sqrt(32 / rows)
  let supported = 1
  for (let step = 0; step < 100; step++) {
    const middle = (unsupported + supported) / 2
    if (rowsFor(dimension, middle, confidence) <= rows) supported = middle
    else unsupported = middle
  }
  return supported
}

/** Corollary 7.3 solved for n: decreasing in the deviation. */
function rowsFor(dimension: number, deviation: number, confidence: number): number {
  const logFailure = Math.log(4 / (1 - confidence))
  const logCover = 1 + Math.log(dimension + 1) + dimension * Math.log((32 * Math.E) / deviation)
  return (32 / deviation ** 2) * (logFailure + logCover)
}

interface TreeBoostOptions {
  readonly depth: number
  readonly features: number
  readonly bins: number
  /** What is to hold in the population; default: multicalibration. */
  readonly guarantee?: Guarantee
  /** Of the updates; default: weighted bins, as in Theorem 7.14. */
  readonly factors?: FactorKind
  /** T: the most updates that can be accepted, known before the run. */
  readonly rounds: number
  /** alpha, reached on the rows. */
  readonly tolerance: number
  readonly confidence: number
  /** The rows there are, to be told what they support. */
  readonly rows?: number
}

/** Ask for a deviation, or for the error in the population from which it follows. */
type PaperSampleSizeOptions = TreeBoostOptions &
  (
    | { readonly deviation: number; readonly epsilonTarget?: never }
    | { readonly epsilonTarget: number; readonly deviation?: never }
  )

export interface PaperSampleSize {
  /** W */
  readonly parameters: number
  /** k */
  readonly operations: number
  /** d */
  readonly dimension: number
  /** xi */
  readonly deviation: number
  /** alpha + 2 xi, which takes the place of alpha in the population (Corollary 7.7). */
  readonly gamma: number
  /**
   * The error in the population: sqrt(gamma) + 1/K for multicalibration (Theorem 7.14), sqrt(gamma) for multiaccuracy, which is not
   * rounded (Theorem 7.8); bin indicators and level sets pay for every bin (Lemmas 5.2 and 5.8).
   */
  readonly bound: number
  readonly rowsRequired: number
  /** The bound at the best deviation that the given rows support; undefined without rows, or when none is. */
  readonly boundAtRows: number | undefined
  /** No bound below 1, which every predictor meets: at the given rows, or without rows at the deviation asked for. */
  readonly vacuous: boolean
  readonly sentence: string
}

/** Theorem 7.14 for trees and any factors, started from a tree of the same depth. */
export function paperSampleSize(options: PaperSampleSizeOptions): PaperSampleSize {
  checkNumbers(options, 'guarantee', 'factors')
  const { depth, features, bins, rounds, tolerance, confidence, rows } = options
  requireOption('bins', bins, Number.isInteger(bins) && bins >= 1, 'a whole number from 1')
  requireOption('tolerance', tolerance, tolerance >= 0 && tolerance < 1, 'a number from 0, below 1')
  const terms = termsOf(options)
  const size = unrolledSize(treeSize(depth, features), updateSize(options), rounds)
  const dimension = pseudodimensionBound(size)
  const deviation = options.deviation ?? deviationForTarget(options.epsilonTarget, tolerance, terms)
  const boundAt = (xi: number) => errorAt(terms, tolerance + 2 * xi)
  const supported = rows === undefined ? undefined : deviationAtRows({ dimension, rows, confidence })
  const boundAtRows = supported === undefined ? undefined : boundAt(supported)
  const bound = boundAt(deviation)
  const best = rows === undefined ? bound : (boundAtRows ?? 1)
  const numbers = {
    ...size,
    dimension,
    deviation,
    gamma: tolerance + 2 * deviation,
    bound,
    rowsRequired: requiredRows({ dimension, deviation, confidence }),
    boundAtRows,
    vacuous: best >= 1,
  }
  return { ...numbers, sentence: describe(numbers, rows) }
}

function termsOf({ bins, depth, factors = 'weighted', guarantee = 'multicalibration' }: TreeBoostOptions) {
  const terms = boundTerms(guarantee, factors, bins, 2 ** depth)
  if (terms !== undefined) return terms
  throw new FeatureBoostError('FB_PLAN', `${factors} factors cannot give the ${guarantee} guarantee.`, {
    found: factors,
    hint: 'Table factors give every guarantee.',
  })
}

const errorAt = ({ rounding, scale }: BoundTerms, gamma: number): number =>
  scale * Math.sqrt(gamma) + rounding

/** A table has a value for each leaf and bin; every other kind is a tree times a function of the bin. */
function updateSize({ bins, depth, factors = 'weighted', features }: TreeBoostOptions): EvaluationSize {
  if (factors === 'table') return tableUpdateSize(depth, features, bins)
  return clippedUpdateSize(treeSize(depth, features), binFunctionSize(factors === 'constant' ? 1 : bins))
}

/** The xi at which the error with alpha + 2 xi in the place of alpha is the target. */
function deviationForTarget(target: number, tolerance: number, terms: BoundTerms): number {
  requireOption('epsilonTarget', target, isShare(target), 'a number between 0 and 1, both excluded')
  const root = (target - terms.rounding) / terms.scale
  const deviation = (root ** 2 - tolerance) / 2
  // Below that the deviation is rounding of doubles, not room.
  if (root > 0 && deviation > Number.EPSILON) return deviation
  throw new FeatureBoostError('FB_PLAN', `No number of rows brings the error to ${target}.`, {
    found: target,
    expected: `more than ${errorAt(terms, tolerance)}, what tolerance ${tolerance} reaches on the rows`,
    hint: 'Use more bins or a smaller tolerance.',
  })
}

type Numbers = Omit<PaperSampleSize, 'sentence'>

function describe({ bound, boundAtRows, rowsRequired, vacuous }: Numbers, rows: number | undefined): string {
  const needs = `needs n >= ${showRows(rowsRequired)}`
  if (bound >= 1)
    return `vacuous at every n for this deviation: the bound ${bound.toPrecision(3)} is not below 1`
  if (rows === undefined) return `an error of at most ${bound.toPrecision(3)} ${needs}`
  const at = `n = ${formatCount(rows)}`
  if (vacuous || boundAtRows === undefined) return `vacuous at ${at}; ${needs}`
  if (rows >= rowsRequired) return `${at} is enough for an error of at most ${bound.toPrecision(3)}`
  return `an error of at most ${boundAtRows.toPrecision(3)} at ${at}; ${bound.toPrecision(3)} ${needs}`
}

/** 3.1e9 */
export const showRows = (rows: number): string => roundRowsUp(rows).toExponential(1).replace('+', '')

/** Two digits, rounded up so that the number of rows named is enough. Through text, which is exact in every engine. */
export function roundRowsUp(rows: number): number {
  const [digits, exponent] = rows.toExponential(1).split('e')
  const near = Number(`${digits}e${exponent}`)
  return near >= rows ? near : Number(`${Number(digits.replace('.', '')) + 1}e${Number(exponent) - 1}`)
}

const isShare = (value: number): boolean => value > 0 && value < 1

function requireCommon(dimension: number, confidence: number): void {
  requireOption('dimension', dimension, dimension >= 0 && dimension < Infinity, 'a number from 0')
  requireOption('confidence', confidence, isShare(confidence), 'a number between 0 and 1, both excluded')
}

/** Refuses an option that is out of range: a logarithm of it would be NaN, and NaN would pass for a bound. */
export function requireOption(name: string, found: number, fits: boolean, expected: string): void {
  if (!fits)
    throw new FeatureBoostError('FB_OPTION_VALUE', `${name} is ${showValue(found)}.`, { found, expected })
}

interface OneAuditor {
  /** 1 - delta */
  readonly confidence: number
  /** J: predictors that the same rows helped to choose between. */
  readonly candidates?: number
}

/**
 * How much the worst error on new rows can be above the largest one measured on n' held-out rows: t = sqrt(2 ln(J/delta) / n'), by
 * Hoeffding's inequality for one mean of values in [-1,1]. The worst auditor of the population is one fixed auditor, and the
 * measured maximum is no smaller than its measured error: nothing is paid for the others. Certificates, which know the rows, have
 * a sharper one (oneMean.ts).
 */
export function oneAuditorSlack({ rows, ...auditor }: OneAuditor & { readonly rows: number }): number {
  requireOption('rows', rows, rows > 0, 'a number above 0')
  return Math.sqrt((2 * oneExponent(auditor)) / rows)
}

/** The smallest number of rows whose slack for one auditor is no more than the one asked for. */
export function rowsForOneAuditor({ slack, ...auditor }: OneAuditor & { readonly slack: number }): number {
  requireOption('slack', slack, slack > 0, 'a number above 0')
  const exponent = oneExponent(auditor)
  let rows = Math.max(1, Math.floor((2 * exponent) / slack ** 2) - 1)
  while (rows < Number.MAX_SAFE_INTEGER && Math.sqrt((2 * exponent) / rows) > slack) rows += 1
  return rows
}

function oneExponent({ candidates = 1, confidence }: OneAuditor): number {
  requireOption('confidence', confidence, isShare(confidence), 'a number between 0 and 1, both excluded')
  requireOption('candidates', candidates, candidates >= 1, 'a number from 1')
  return Math.log(candidates / (1 - confidence))
}
