// Sums of all rows by narrow levels of the prediction, kept while predictions do not move. A claim tries one number of levels after the other for
// its rounding, and a database would read all rows each time; levels of equal width are made of narrower ones, exactly, where their numbers divide.

import type { LevelSums, LevelSumsRequest } from '@featureboost/core/internal'
import { type LabelSums, residualIn } from './labelSums.ts'

/** What all numbers of levels that a rounding tries divide: 2^6 * 3 * 5^2. */
export const RUNGS = 4800

export class Ladders {
  readonly #ask: (fold: number) => Promise<LabelSums>
  readonly #kept = new Map<number, Promise<LabelSums>>()

  /** `ask`: sums of a fold, by RUNGS levels. */
  constructor(ask: (fold: number) => Promise<LabelSums>) {
    this.#ask = ask
  }

  /** Predictions have moved. */
  forget(): void {
    this.#kept.clear()
  }

  /** Undefined where rows are told apart by more than their levels, or these are not made of rungs. */
  async answer({
    fold,
    levels,
    levelValues,
    outcome,
    trees,
  }: LevelSumsRequest): Promise<LevelSums[] | undefined> {
    if (outcome !== undefined && outcome.kind !== 'label') return undefined
    if (RUNGS % levels !== 0 || !trees.every(tree => 'leaf' in tree)) return undefined
    const known = await (this.#kept.get(fold) ?? this.#count(fold))
    return trees.map(() => sumsOver(known, levels, levelValues))
  }

  #count(fold: number): Promise<LabelSums> {
    const sums = this.#ask(fold)
    this.#kept.set(fold, sums)
    // What failed is asked for again.
    sums.catch(() => this.#kept.delete(fold))
    return sums
  }
}

function sumsOver(known: LabelSums, levels: number, levelValues: Int32Array | undefined): LevelSums {
  const empty = () => new Float64Array(levels)
  const sums = { counts: empty(), residuals: empty(), predictions: empty() }
  for (let rung = 0; rung < RUNGS; rung++) {
    const level = Math.floor((rung * levels) / RUNGS)
    sums.counts[level] += known.weights[rung]
    sums.residuals[level] += residualIn(known, rung, levelValues?.[level])
    sums.predictions[level] += known.predictions[rung]
  }
  return sums
}
