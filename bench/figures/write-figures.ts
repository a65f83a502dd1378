// Draws the figures of docs/paper.md from the same data that the tests check.
//
//   npm run docs

import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { makeTable } from '@featureboost/core'
import { continuousCalibrationError } from '@featureboost/core/internal'
import { expectedNoise, noisyExample, thresholdExample } from './examples.ts'
import { type ChartOptions, panels } from './svg.ts'

const STRENGTH = 0.1
const BIN_COUNTS = [4, 5, 8, 10, 16, 20, 25, 32, 40, 50, 64, 80, 100]

type Points = [number, number][]

const pairs = (x: ArrayLike<number>, y: ArrayLike<number>): Points =>
  Array.from(x, (value, index): [number, number] => [value, y[index]])

export async function drawNoisy(): Promise<string> {
  const few = await noisyExample({ oscillations: 40, strength: STRENGTH, pointsPerOscillation: 12, bins: 10 })
  const many = await noisyExample({
    oscillations: 640,
    strength: STRENGTH,
    pointsPerOscillation: 6,
    bins: 10,
  })
  const table = makeTable({ x: many.x, start: new Float64Array(many.x.length) })
  const rounded = BIN_COUNTS.map((bins): [number, number] => [
    bins,
    continuousCalibrationError(many.model.round(bins).predict(table), many.truth),
  ])
  const shape: ChartOptions = {
    width: 420,
    height: 330,
    title: 'The noise that no line can follow',
    subtitle: `Truth x ± ${STRENGTH} (drawn with 40 flips), and the fitted f`,
    x: { label: 'x', domain: [0, 1] },
    y: { label: 'probability', domain: [0, 1] },
    series: [
      { kind: 'line', points: pairs(few.x, few.truth), label: 'truth', color: '#56B4E9' },
      {
        kind: 'line',
        points: pairs(many.x, many.fitted).filter((_, index) => index % 40 === 0),
        label: 'fitted f',
        color: '#D55E00',
      },
    ],
  }
  const errors: ChartOptions = {
    width: 420,
    height: 330,
    title: 'Rounding removes the error',
    subtitle: `640 flips: unrounded ${many.unrounded.toFixed(4)}, expected ζ - ζ² = ${expectedNoise(STRENGTH).toFixed(4)}`,
    x: { label: 'bins K', domain: [0, 100] },
    y: { label: 'calibration error', domain: [0, 0.1] },
    series: [
      {
        kind: 'line',
        points: [
          [0, many.unrounded],
          [100, many.unrounded],
        ],
        label: 'unrounded',
        color: '#D55E00',
      },
      { kind: 'line', points: rounded, label: 'rounded to K bins', color: '#0072B2' },
    ],
  }
  return panels([shape, errors], 2)
}

export async function drawThreshold(): Promise<string> {
  const constant = await thresholdExample('constant', 10)
  const intervals = await thresholdExample('intervals', 10)
  const fits: ChartOptions = {
    width: 420,
    height: 330,
    title: 'A line cannot step',
    subtitle: 'Truth 0.4, then 0.6; linear auditors with constant factors and with bins',
    x: { label: 'x', domain: [0, 1] },
    y: { label: 'probability', domain: [0.3, 0.7] },
    series: [
      { kind: 'line', points: pairs(constant.x, constant.truth), label: 'truth', color: '#000000' },
      {
        kind: 'line',
        points: pairs(constant.x, constant.fitted),
        label: 'constant factors',
        color: '#D55E00',
      },
      {
        kind: 'line',
        points: pairs(intervals.x, intervals.fitted),
        label: 'bin indicators',
        color: '#0072B2',
      },
    ],
  }
  const error = (name: string, value: number, color: string, at: number) =>
    ({ kind: 'bars', points: [[at, value]], label: `${name} ${value.toFixed(4)}`, color }) as const
  const errors: ChartOptions = {
    width: 420,
    height: 330,
    title: 'Constant factors stay at 1/24',
    subtitle: 'Calibration error, before and after rounding to 10 bins',
    x: { label: '', domain: [0, 5], ticks: [] },
    y: { label: 'calibration error', domain: [0, 0.05] },
    series: [
      error('constant, unrounded', constant.unrounded, '#D55E00', 1),
      error('constant, rounded', constant.rounded, '#E69F00', 2),
      error('bins, unrounded', intervals.unrounded, '#0072B2', 3),
      error('bins, rounded', intervals.rounded, '#56B4E9', 4),
    ],
  }
  return panels([fits, errors], 2)
}

/** File name under docs/figures -> how it is drawn. */
export const FIGURES = { 'noisy.svg': drawNoisy, 'threshold.svg': drawThreshold } as const

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, draw] of Object.entries(FIGURES)) {
    writeFileSync(new URL(`../../docs/figures/${name}`, import.meta.url), await draw())
    console.log(`wrote docs/figures/${name}`)
  }
}
