// How often a verdict's "better" and "worse" would be wrong, by the interval that decides: the table of docs/decisions/0023.
//
//   npx tsx bench/sureChanges.ts [--fits 150] [--from 0] [--seed 2] [--samples 400]
//
// The fits are those of bench/verdicts.ts that hold rows out, without wide tables. Of each, as many held-out rows as it has are drawn anew from
// fresh rows, again and again, with labels drawn from the truth. Numbers of fits are expected ones: each sample counts one part of one.

import { parseArgs } from 'node:util'
import { fit, type Model, makeTable } from '@featureboost/core'
import { makeRandom } from '@featureboost/core/internal'
import { type Case, type KnownRows, makeCase } from './verdicts/cases.ts'
import { addedLoss, type LOSS_NAMES, type Mean } from './verdicts/count.ts'

const FRESH = 20_000
/** Standard errors within which the truth of the fresh rows decides nothing. */
const CLOSE = 3
/** Confidence in percent, and the quantile of the normal that goes with it. */
const LEVELS = [
  [95, 1.959964],
  [98, 2.326348],
  [99, 2.575829],
  [99.5, 2.807034],
  [99.9, 3.290527],
] as const

/** A mean difference of one loss on sampled rows: in standard errors, with its skewness, from so many rows. */
interface Deviation {
  readonly t: number
  readonly skewness: number
  readonly rows: number
}

/** What a deviation is held against the quantile as. */
const RULES: Readonly<Record<string, (z: number, deviation: Deviation) => number>> = {
  normal: (_, { t }) => t,
  // The quantile of Student's t by its expansion, put to the other side.
  "Student's t": (z, { rows, t }) => t / (1 + (z ** 2 + 1) / (4 * (rows - 1))),
  "Hall's": (_, { skewness: g, t }) => t + (g * t ** 2) / 3 + (g ** 2 * t ** 3) / 27 + g / 6,
}

interface Tally {
  better: number
  worse: number
  wronglyBetter: number
  wronglyWorse: number
}

function startOf(model: Model, { columns, truth }: KnownRows): Float64Array {
  const { start } = model.data
  if (start.kind === 'column') return columns[start.column] as Float64Array
  return new Float64Array(truth.length).fill(start.units / 2 ** 24)
}

const logOf = (p: number): number => Math.log(Math.max(p, 2 ** -52))
const LOSSES = [
  (label: number, p: number) => -logOf(label === 1 ? p : 1 - p),
  (label: number, p: number) => (label - p) ** 2,
]

function heldOutCount({ fold, options, rows }: Case): number {
  if (fold !== undefined) return fold.filter(each => each === 'holdout').length
  return Math.round((options.holdout as number) * rows.label.length)
}

/** Of log loss and of Brier score, on rows drawn anew. */
function drawDeviations(
  { truth, weight }: KnownRows,
  [before, after]: readonly [Float64Array, Float64Array],
  count: number,
  random: ReturnType<typeof makeRandom>,
): Deviation[] {
  const labels: number[] = []
  const rows = Array.from({ length: count }, () => {
    const row = random.integer(FRESH)
    labels.push(Number(random.next() < truth[row]))
    return row
  })
  const weights = rows.map(row => weight?.[row] ?? 1)
  const sumOf = (read: (at: number) => number) => rows.reduce((sum, _, at) => sum + read(at), 0)
  const total = sumOf(at => weights[at])
  const effective = total ** 2 / sumOf(at => weights[at] ** 2)
  return LOSSES.map(loss => {
    const added = rows.map((row, at) => loss(labels[at], after[row]) - loss(labels[at], before[row]))
    const mean = sumOf(at => weights[at] * added[at]) / total
    const squares = sumOf(at => (weights[at] * (added[at] - mean)) ** 2)
    const cubes = sumOf(at => (weights[at] * (added[at] - mean)) ** 3)
    const error = (Math.sqrt(squares) / total) * Math.sqrt(effective / (effective - 1))
    if (error === 0) return { t: 0, skewness: 0, rows: effective }
    return { t: mean / error, skewness: cubes / squares ** 1.5, rows: effective }
  })
}

/** As a verdict has it: worse where any loss is, and the loss that is named is the first that says so. */
function count(
  tally: Tally,
  held: readonly number[],
  z: number,
  truth: readonly Mean[],
  share: number,
): void {
  const worse = held.findIndex(t => t > z)
  const named = worse >= 0 ? worse : held.findIndex(t => t < -z)
  if (named < 0) return
  const { error, value } = truth[named]
  const isWrong = Math.abs(value) >= CLOSE * error && value > 0 !== worse >= 0
  if (worse >= 0) {
    tally.worse += share
    if (isWrong) tally.wronglyWorse += share
  } else {
    tally.better += share
    if (isWrong) tally.wronglyBetter += share
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      fits: { type: 'string', default: '150' },
      from: { type: 'string', default: '0' },
      seed: { type: 'string', default: '2' },
      samples: { type: 'string', default: '400' },
    },
  })
  const [fits, from, seed, samples] = [values.fits, values.from, values.seed, values.samples].map(Number)
  const tallies = new Map<string, Tally>()
  let [tried, moved] = [0, 0]
  for (let index = from; index < from + fits; index++) {
    const it = makeCase(index, seed, FRESH)
    if (it.setting === 'no holdout' || it.setting === 'wide') continue
    tried++
    const fold = it.fold === undefined ? {} : { fold: [...it.fold] }
    const model = await fit(makeTable({ ...it.rows.columns, label: it.rows.label, ...fold }), it.options)
    const after = model.predict(makeTable({ ...it.fresh.columns, label: it.fresh.label }))
    const before = startOf(model, it.fresh)
    if (after.every((p, row) => Math.abs(p - before[row]) < 2 ** -22)) continue
    moved++
    const truth = (['log loss', 'Brier score'] satisfies typeof LOSS_NAMES).map(name =>
      addedLoss(name, it.fresh, before, after),
    )
    const random = makeRandom(seed * 7 + index)
    for (let sample = 0; sample < samples; sample++) {
      const deviations = drawDeviations(it.fresh, [before, after], heldOutCount(it), random)
      for (const [rule, hold] of Object.entries(RULES))
        for (const [percent, z] of LEVELS) {
          const name = `${rule}, ${percent} %`
          const tally = tallies.get(name) ?? { better: 0, worse: 0, wronglyBetter: 0, wronglyWorse: 0 }
          tallies.set(name, tally)
          const held = deviations.map(each => hold(z, each))
          count(tally, held, z, truth, 1 / samples)
        }
    }
  }
  console.log(`${tried} fits, seed ${seed}, ${moved} of which moved a score; expected numbers of fits`)
  for (const [name, { better, worse, wronglyBetter, wronglyWorse }] of tallies) {
    const cells = [better.toFixed(1), wronglyBetter.toFixed(3), worse.toFixed(1), wronglyWorse.toFixed(3)]
    console.log(name.padEnd(22) + cells.map(cell => cell.padStart(9)).join(''))
  }
}

await main()
