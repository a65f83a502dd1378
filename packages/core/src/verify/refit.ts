// The fit repeated from the options that the file records and the rows: fits are deterministic, so the same call gives the same file,
// byte for byte, but for sentences that are now in other words. Nothing in the file is left out of the comparison.

import { type Difference, findDifferences } from '../certify/differences.ts'
import { type FitRows, fit } from '../fit/fit.ts'
import type { FitOptions } from '../fit/settings.ts'
import type { Model } from '../model/model.ts'
import { asJson } from './recompute.ts'
import { recordedFit } from './recordedFit.ts'

export interface Refit {
  readonly matches: boolean
  /** Where the file differs from what the fit gives. */
  readonly differences: readonly Difference[]
  /** Of the model that the fit gives. */
  readonly hash: string
}

/** What a caller may choose for the repetition: it cannot change the model. */
export type RefitOptions = Pick<FitOptions, 'engine' | 'threads' | 'signal' | 'onPhase' | 'onWarning'>

export async function refit(model: Model, rows: FitRows, options: RefitOptions = {}): Promise<Refit> {
  const again = await fit(rows, { ...recordedFit(model), ...options })
  const isSame = again.toText() === model.toText()
  const differences = isSame ? [] : findDifferences(asJson(model.data), asJson(again.data))
  return { matches: differences.length === 0, differences, hash: again.hash }
}
