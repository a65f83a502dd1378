// Tables to fit whose truth is known: small, wide, fitted until they overfit, weighted, without held-out rows, without a score.

import type { FitOptions } from '@featureboost/core'
import { makeRandom } from '@featureboost/core/internal'
import { KINDS, makeWorld, type Sample } from '../planted/world.ts'

export const SETTINGS = ['small', 'wide', 'overfitting', 'weights', 'no holdout', 'no score'] as const

export type Setting = (typeof SETTINGS)[number]

/** Wide tables, which take ten times as long, come seldom. */
const TURNS: readonly Setting[] = [...SETTINGS, ...without('wide'), ...without('wide'), ...without('wide')]

function without(left: Setting): Setting[] {
  return SETTINGS.filter(setting => setting !== left)
}

/** Rows with everything that is known of them. The columns are those that a fit is given. */
export interface KnownRows {
  readonly columns: Readonly<Record<string, Float64Array | string[]>>
  readonly truth: Float64Array
  readonly label: Float64Array
  readonly weight?: Float64Array
}

export interface Case {
  readonly index: number
  readonly setting: Setting
  readonly kind: string
  readonly options: FitOptions
  readonly rows: KnownRows
  /** Says of each row whether it is held out, where a column says so. */
  readonly fold?: readonly string[]
  readonly fresh: KnownRows
}

const WIDE_COLUMNS = 60

/** Settings and kinds of worlds take turns. The same seed and index give the same case. */
export function makeCase(index: number, seed: number, freshRows: number): Case {
  const random = makeRandom(seed * 100_003 + index)
  const setting = TURNS[index % TURNS.length]
  const kind = KINDS[Math.floor(index / TURNS.length) % KINDS.length]
  const world = makeWorld(kind, seed * 1000 + index)
  const [least, most] = setting === 'small' ? [200, 1000] : [500, 3000]
  const rowCount = least + random.integer(most - least + 1)
  const distort = drawDistortion(random)
  const dress = (sample: Sample, of: number) => dressRows(sample, makeRandom(of), setting, distort)
  const rows = dress(world.draw(rowCount, 2 * index + 1), 4 * index + 1)
  const folded = setting !== 'no holdout' && random.next() < 0.5
  const share = [0.1, 0.2, 0.3][random.integer(3)]
  const fold = folded
    ? Array.from({ length: rowCount }, () => (random.next() < share ? 'holdout' : 'fit'))
    : undefined
  const options: FitOptions = {
    label: 'label',
    threads: 1,
    ...(setting !== 'no score' && { prediction: 'score' }),
    ...(setting === 'weights' && { weight: 'weight' }),
    ...(setting === 'overfitting' && { method: 'rounds', stop: 'certificate' }),
    ...(setting === 'no holdout' ? { holdout: 0 } : folded ? { fold: 'fold' } : { holdout: share }),
  }
  const fresh = dress(world.draw(freshRows, 2 * index + 2), 4 * index + 2)
  return { index, setting, kind, options, rows, ...(fold !== undefined && { fold }), fresh }
}

type Random = ReturnType<typeof makeRandom>
type Distortion = (score: number) => number

/** In half of the worlds the score is too bold or too timid, and off in the large, beside its planted errors. */
function drawDistortion(random: Random): Distortion {
  if (random.next() < 0.5) return score => score
  const [slope, shift] = [Math.exp(1.4 * random.next() - 0.7), random.next() - 0.5]
  return score => 1 / (1 + Math.exp(-slope * Math.log(score / (1 - score)) - shift))
}

function dressRows(sample: Sample, random: Random, setting: Setting, distort: Distortion): KnownRows {
  const { columns, label, truth } = sample
  const rowCount = label.length
  const numbers = (draw: (row: number) => number) =>
    Float64Array.from({ length: rowCount }, (_, row) => draw(row))
  const noise =
    setting === 'wide'
      ? Array.from({ length: WIDE_COLUMNS - Object.keys(columns).length }, (_, column) => [
          `noise${column + 1}`,
          numbers(() => random.next()),
        ])
      : []
  // Weights go with a column, so that the weighted rows are another population.
  const first = columns.c1 as string[]
  const weight =
    setting === 'weights'
      ? numbers(row => (first[row] === 'a' ? 1 : 3) * -Math.log(1 - random.next()))
      : undefined
  return {
    columns: {
      ...columns,
      ...Object.fromEntries(noise),
      ...(setting !== 'no score' && { score: sample.score.map(distort) }),
      ...(weight !== undefined && { weight }),
    },
    truth,
    label,
    ...(weight !== undefined && { weight }),
  }
}
