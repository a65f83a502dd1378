// Histogram binning: bins of the score that hold about equally many rows, each predicting its mean label. Equal scores stay
// together; between two bins the cut is halfway.

import type { Baseline } from './baseline.ts'
import { meanUnits, type ScoreSums, stepCurve, sumByScore } from './rows/scores.ts'

const DEFAULT_BINS = 10

export const histogram: Baseline = {
  name: 'histogram',
  title: 'Histogram binning',
  help: 'Bins of equally many rows, 10 unless bins says otherwise, each predicting its mean label (Zadrozny and Elkan 2001).',
  run(rows, { bins = DEFAULT_BINS }) {
    if (rows.rowCount === 0) return []
    const pieces = equalMassBins(sumByScore(rows, rows.start), bins)
    return [
      stepCurve(
        pieces.map(({ first, label, weight }, index) => ({
          start: index === 0 ? 0 : Math.ceil((pieces[index - 1].last + first) / 2),
          value: meanUnits(label, weight),
        })),
      ),
    ]
  },
}

interface ScoreBin {
  readonly first: number
  last: number
  weight: number
  label: number
}

/** A score goes to the bin in which the middle of its rows lies. */
export function equalMassBins({ label, score, weight }: ScoreSums, count: number): ScoreBin[] {
  const total = weight.reduce((sum, one) => sum + one, 0)
  const bins: ScoreBin[] = []
  let [before, current] = [0, -1]
  for (let index = 0; index < score.length; index++) {
    const place = Math.floor(((2 * before + weight[index]) * count) / (2 * total))
    if (place !== current) bins.push({ first: score[index], last: 0, weight: 0, label: 0 })
    current = place
    before += weight[index]
    const bin = bins[bins.length - 1]
    bin.last = score[index]
    bin.weight += weight[index]
    bin.label += label[index]
  }
  return bins
}
