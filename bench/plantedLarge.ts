// A small group in a large table: forests learn from 2^20 rows, in which it has a few hundred; the rounds that follow see all.
//
//   npx tsx bench/plantedLarge.ts [--rows 10000000] [--group 5000] [--shift 0.1] [--seed 1] [--threads 2]
//
// Build first (`npm run build`). Two categorical columns and six numbers; the score is the truth but for one group of two
// conditions. Prints the groups that were mended, and the mean gap of the planted group on fresh rows, before and after.

import { parseArgs } from 'node:util'
import { fitWithTrace, makeTable, type Table } from '@featureboost/core'
import { formatCount, makeRandom } from '@featureboost/core/internal'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000000' },
    group: { type: 'string', default: '5000' },
    shift: { type: 'string', default: '0.1' },
    seed: { type: 'string', default: '1' },
    threads: { type: 'string', default: '2' },
  },
})
const rows = Number(values.rows)
const shift = Number(values.shift)
const CATEGORIES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
const NUMBERS = 6
/** One category in eight, and so much of the first number, make the group. */
const bound = (8 * Number(values.group)) / rows

interface Drawn {
  readonly table: Table
  readonly score: Float64Array
  readonly truth: Float64Array
  readonly inside: Uint8Array
}

function draw(rowCount: number, seed: number): Drawn {
  const random = makeRandom(seed)
  const codes = [0, 1].map(() => new Int32Array(rowCount))
  const numbers = Array.from({ length: NUMBERS }, () => new Float64Array(rowCount))
  const [score, truth, label] = [0, 1, 2].map(() => new Float64Array(rowCount))
  const inside = new Uint8Array(rowCount)
  for (let row = 0; row < rowCount; row++) {
    for (const column of codes) column[row] = random.integer(CATEGORIES.length)
    for (const column of numbers) column[row] = random.next()
    const logit = -1.5 + 1.5 * numbers[1][row] - numbers[2][row] + 0.1 * codes[1][row]
    score[row] = 1 / (1 + Math.exp(-logit))
    inside[row] = codes[0][row] === 3 && numbers[0][row] < bound ? 1 : 0
    truth[row] = score[row] + shift * inside[row]
    label[row] = random.next() < truth[row] ? 1 : 0
  }
  const table = makeTable({
    ...Object.fromEntries(
      codes.map((each, at) => [
        `c${at}`,
        { kind: 'categorical' as const, codes: each, categories: CATEGORIES },
      ]),
    ),
    ...Object.fromEntries(numbers.map((each, at) => [`x${at}`, { kind: 'numeric' as const, values: each }])),
    label,
    score,
  })
  return { table, score, truth, inside }
}

const seed = Number(values.seed)
const { inside, table } = draw(rows, seed)
const size = inside.reduce((sum, one) => sum + one, 0)
console.log(`${formatCount(rows)} rows, a group of ${formatCount(size)} that is off by ${shift}`)
const began = performance.now()
const { model, trace } = await fitWithTrace(table, {
  label: 'label',
  prediction: 'score',
  threads: Number(values.threads),
})
console.log(
  `fit: ${((performance.now() - began) / 1000).toFixed(1)} s; ${trace.groups!.length} mended, forest ${trace.forest}`,
)
for (const { words } of trace.groups!) console.log(`- ${words}`)
const fresh = draw(2_000_000, seed + 1)
const predictions = model.predict(fresh.table)
const gap = (of: Float64Array) => {
  let [sum, count, outside] = [0, 0, 0]
  for (let row = 0; row < of.length; row++) {
    const distance = fresh.truth[row] - of[row]
    if (fresh.inside[row] === 1) [sum, count] = [sum + distance, count + 1]
    else outside += distance * distance
  }
  return { gap: sum / count, outside: (1e4 * outside) / (of.length - count) }
}
const [before, after] = [gap(fresh.score), gap(predictions)]
console.log(
  `mean of truth less prediction in the group, on 2,000,000 fresh rows: ${before.gap.toFixed(4)} before, ${after.gap.toFixed(4)} after; mean squared distance x 10^4 of everyone else: ${after.outside.toFixed(4)}`,
)
