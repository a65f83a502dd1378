// MCGrad (Tax, Perini, Linder, Haimovich, Karamshuk, Okati, Vojnovic, Apostolopoulos 2026): rounds of gradient boosting on
// the features and the present score. How many rounds is decided by cross-validation; then they are grown on all rows.
//
// Where it differs from the original: folds come from what rows hold and are not balanced by label; rows are counted by
// weight; scores have at most 255 bins of equal width or more, cut at even places; a score of exactly 0 or 1, at which the
// original is stuck, is taken to be as far from it as log loss likes best.

import { chooseClip } from '../boost/forest/crossFit.ts'
import type { ForestRows } from '../boost/forest/rows.ts'
import { throwIfCancelled } from '../common/cancel.ts'
import { logLossUnits } from '../common/logistic.ts'
import { ONE } from '../common/units.ts'
import type { ForestUpdate } from '../engine/update.ts'
import type { Baseline, BaselineRows, BaselineSettings } from './baseline.ts'
import { MCGRAD_RULES, McgradGrower, NOBODY } from './mcgradRound.ts'

const FOLDS = 5
const ROUND_LIMIT = 100

export const mcgrad: Baseline = {
  name: 'mcgrad',
  title: 'MCGrad',
  help: 'Rounds of boosted trees on the features and the score, as many as cross-validation likes (Tax et al. 2026).',
  run: (rows, settings) => runMcgrad(rows, settings).updates,
}

export interface McgradRun {
  readonly updates: readonly ForestUpdate[]
  /** Log loss of rows held apart, the mean over folds: at the start, and after each round tried. */
  readonly losses: readonly number[]
  /** Of the fitting rows, in units. */
  readonly prediction: Int32Array
}

export function runMcgrad(given: BaselineRows, settings: BaselineSettings): McgradRun {
  const rows: ForestRows = { ...given, part: given.part.map(part => part % FOLDS) }
  const rules = { ...MCGRAD_RULES, rate: settings.learningRate ?? MCGRAD_RULES.rate }
  const grower = new McgradGrower(rows, rules)
  const clip = clipFor(rows)
  const losses = crossValidate(rows, grower, clip, settings)
  const updates: ForestUpdate[] = []
  let prediction = rows.start
  for (let round = 1; round <= roundsOf(losses); round++) {
    throwIfCancelled(settings.signal, 'MCGrad')
    const grown = grower.grow(prediction, NOBODY, clipOf(round, clip))
    updates.push(grown.update)
    prediction = grown.prediction
    settings.onRound?.(round)
  }
  return { updates, losses, prediction }
}

/** Rounds up to the first that does not help; the loss after it is told too. */
function crossValidate(
  rows: ForestRows,
  grower: McgradGrower,
  clip: number,
  { roundLimit = ROUND_LIMIT, signal }: BaselineSettings,
): number[] {
  const folds = foldsOf(rows)
  // One fold alone would have nothing to learn from.
  if (folds.length < 2) return []
  const predictions = folds.map(() => rows.start)
  const meanLoss = () =>
    folds.reduce((sum, fold, index) => sum + lossOf(rows, predictions[index], fold), 0) / folds.length
  const losses = [meanLoss()]
  while (losses.length <= roundLimit && roundsOf(losses) === losses.length - 1) {
    for (const [index, fold] of folds.entries()) {
      throwIfCancelled(signal, 'the cross-validation of MCGrad')
      predictions[index] = grower.grow(predictions[index], fold, clipOf(losses.length, clip)).prediction
    }
    losses.push(meanLoss())
  }
  return losses
}

/** The round of the lowest loss, the first of them; 0 is the score as it was given. */
const roundsOf = (losses: readonly number[]): number => Math.max(0, losses.indexOf(Math.min(...losses)))

/** Only scores that are given can be hard; later ones are a unit away from 0 and 1, or count as such. */
const clipOf = (round: number, clip: number): number => (round === 1 ? clip : 1)

function clipFor({ label, start, weight }: ForestRows): number {
  const hard = start.some(score => score <= 0 || score >= ONE)
  return hard ? chooseClip(label, start, weight, logLossUnits) : 1
}

const foldsOf = ({ part }: ForestRows): number[] => [...new Set(part)].sort((a, b) => a - b)

/** The mean log loss of one fold, from losses in whole units of 2^-20. */
function lossOf({ label, part, rowCount, weight }: ForestRows, prediction: Int32Array, fold: number): number {
  let [sum, total] = [0, 0]
  for (let row = 0; row < rowCount; row++) {
    if (part[row] !== fold) continue
    const counted = weight === undefined ? 1 : weight[row]
    sum += counted * Math.floor(logLossUnits(label[row], prediction[row]) / 16 + 0.5)
    total += counted
  }
  return (sum / total) * 2 ** -20
}
