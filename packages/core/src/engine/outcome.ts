// What stands for the label in a question. An audit asks three things of the same rows: how far labels are from what is predicted,
// how far noise alone would put them, and what one draw of that noise looks like. All three are sums of whole numbers, so every
// engine draws the same.

import { FeatureBoostError } from '../common/errors.ts'
import { ONE } from '../common/units.ts'

/**
 * What the predictions say of the labels, if they are right:
 * labels  each lies between 0 and 1 and has the predicted mean. What is drawn is 1 with the predicted probability, else 0: no labels
 *         of that mean vary more (docs/decisions/0019), so the variance is f(1 - f) at most
 * errors  the same of predictions that are kept at least so many units from 0 and 1. For hard scores: they leave nothing to chance,
 *         and yet are wrong at some rate
 */
export type Noise = 'labels' | { readonly errors: number }

export type Outcome =
  | { readonly kind: 'label' }
  /** The label against the chance that the noise gives it, which need not be the prediction. */
  | { readonly kind: 'centred'; readonly noise: Noise }
  /**
   * "Residuals" are variances; weights count squared, divided by 2^shift so that sums stay exact. `squares`: the squares of the
   * residuals as they are, in the place of a variance.
   */
  | { readonly kind: 'variance'; readonly noise: Noise | 'squares'; readonly shift: number }
  /** Draw number `draw` of what labels might have been, against their chance. */
  | { readonly kind: 'drawn'; readonly noise: Noise; readonly draw: number }

export const LABEL: Outcome = { kind: 'label' }

/** What draws of this noise are compared with. */
export const observedOf = (noise: Noise): Outcome => (noise === 'labels' ? LABEL : { kind: 'centred', noise })

/** In units; together with the prediction it makes the number that stands for the label. */
export function varianceOf(noise: Noise | 'squares', label: number, prediction: number): number {
  const residual = label - prediction
  if (noise === 'squares') return Math.floor((residual * residual) / ONE)
  const chance = chanceOf(noise, prediction)
  return Math.floor((chance * (ONE - chance)) / ONE)
}

/** The chance of a label of 1, in units. */
function chanceOf(noise: Noise, prediction: number): number {
  if (noise === 'labels') return prediction
  return Math.max(noise.errors, Math.min(ONE - noise.errors, prediction))
}

/** Less the prediction it is the label less its chance. */
export const centredLabel = (noise: Noise, label: number, prediction: number): number =>
  label + prediction - chanceOf(noise, prediction)

/** A positive weight never counts as nothing. */
export const squareWeight = (weight: number, shift: number): number =>
  weight === 0 ? 0 : Math.max(1, Math.round((weight * weight) / 2 ** shift))

/** The shift at which all squared weights together stay below 2^29, and so the sums of their variances below 2^53. */
export const shiftFor = (squaredWeight: number): number =>
  Math.max(0, Math.ceil(Math.log2(squaredWeight)) - 28)

/** `key` belongs to the row (data/rowHash.ts), so the draw does not depend on where the row stands. */
export function drawnLabel(noise: Noise, prediction: number, key: number, draw: number): number {
  const hash = finish(key ^ finish(draw + 0x9e3779b9)) >>> 0
  const label = hash < chanceOf(noise, prediction) * 256 ? ONE : 0
  return centredLabel(noise, label, prediction)
}

/** The last mixing of a 32-bit hash, as in MurmurHash3. */
function finish(hash: number): number {
  let mixed = hash ^ (hash >>> 16)
  mixed = Math.imul(mixed, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

export const needsKeys = (use: 'noise is drawn' | 'a sample is chosen'): FeatureBoostError =>
  new FeatureBoostError('FB_OPTION_VALUE', `these rows carry no keys, and ${use} by them.`, {
    hint: 'Make the engine from rows with keys.',
  })
