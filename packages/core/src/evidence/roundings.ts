// What rounding to K bins does to a score: which scores go together, what they become, and what happened to their rows.

import { fromUnits } from '../common/units.ts'
import { type Engine, FIT } from '../engine/engine.ts'
import type { Rounding } from '../round/discretize.ts'
import { ROOT } from '../update/update.ts'
import { shorten } from './caps.ts'
import type { RoundedLevel } from './evidence.ts'

export async function roundedLevels(engine: Engine, { bins, values }: Rounding): Promise<RoundedLevel[]> {
  const [sums] = await engine.levelSums({ fold: FIT, levels: bins, trees: [ROOT] })
  return values.flatMap((value, level) => {
    const weight = sums.counts[level]
    if (weight === 0) return []
    return {
      from: shorten(level / bins),
      to: shorten((level + 1) / bins),
      value: shorten(fromUnits(value)),
      weight,
      meanLabel: shorten(fromUnits(sums.predictions[level] + sums.residuals[level]) / weight),
    }
  })
}
