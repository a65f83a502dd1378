// The one discretization, at the end (Definition 2.5): every prediction becomes the mean PREDICTION of its bin, on
// the fitting rows. K is chosen after boosting.

import { levelOf, ONE } from '../common/units.ts'
import { type Engine, FIT } from '../engine/engine.ts'
import { ROOT } from '../update/update.ts'

export interface Rounding {
  readonly bins: number
  /** v_S in units, one per bin; each lies in its bin. */
  readonly values: readonly number[]
}

export async function discretize(engine: Engine, bins: number): Promise<Rounding> {
  const [sums] = await engine.levelSums({ fold: FIT, levels: bins, trees: [ROOT] })
  const values = Array.from(sums.counts, (count, bin) =>
    count > 0 ? Math.round(sums.predictions[bin] / count) : emptyBinValue(bin, bins),
  )
  return { bins, values }
}

/** A bin that holds no prediction is represented by its middle. */
const emptyBinValue = (bin: number, bins: number): number => Math.floor(((bin + 0.5) / bins) * ONE)

export const roundUnits = (rounding: Rounding, units: number): number =>
  rounding.values[levelOf(units, rounding.bins)]
