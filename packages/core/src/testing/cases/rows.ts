// Rows as they came in: samples and checksums of them, and weights.

import type { Random } from '../../common/random.ts'
import { ONE } from '../../common/units.ts'
import type { EngineRows } from '../../engine/engine.ts'
import type { SampledRows, SampleRequest } from '../../engine/sample.ts'
import { ROOT } from '../../update/update.ts'
import { expectList, expectSame, questionText } from '../compare.ts'
import {
  between,
  generateLevels,
  generateRows,
  indexesTo,
  pick,
  shuffle,
  takeRows,
  withKeys,
} from '../generate.ts'
import { generateRun, generateUpdate } from '../generateRun.ts'
import { naivePart, naiveSampled, naiveWeight } from '../naive.ts'
import type { Property } from '../property.ts'

const sample: Property = {
  title:
    'gives a sample of its fitting rows that depends on their keys alone, and stays as it was when predictions move',
  async check({ open, random, rowLimit }) {
    const run = generateRun(random, { rowLimit })
    const rows = withKeys(run.rows)
    const request = { rowLimit: between(random, 1, 9), parts: 3 }
    const engine = await open(rows, run.updates)
    if (engine.sample === undefined) return
    const found = sampledTexts(await engine.sample(request))
    const nameOf = (index: number) => `sampled row ${index} in the order of their texts`
    expectList(questionText('sample', request), found, expectedTexts(rows, request), nameOf)
  },
}

/** Rows of a sample in an order of their own: bins; label, start, weight and part. */
function sampledTexts({ bins, label, part, rowCount, start, weight }: SampledRows): string[] {
  const textOf = (row: number) => rowText(bins, row, [label[row], start[row], weight?.[row] ?? 1, part[row]])
  return indexesTo(rowCount).map(textOf).sort()
}

function expectedTexts(rows: EngineRows, request: SampleRequest): string[] {
  const { bins, label, rowCount, start } = rows
  const textOf = (row: number) =>
    rowText(bins, row, [label[row], start[row], naiveWeight(rows, row), naivePart(request, rows, row)])
  return indexesTo(rowCount)
    .filter(row => naiveSampled(request, rows, row))
    .map(textOf)
    .sort()
}

const rowText = (bins: readonly Uint8Array[], row: number, more: readonly number[]): string =>
  `${bins.map(column => column[row])}; ${more}`

const fingerprint: Property = {
  title: 'has a fingerprint that ignores row order, and sees any change of a row',
  async check({ open, random, rowLimit }) {
    const rows = withKeys(generateRows(random, { rowLimit }))
    const original = await (await open(rows)).fingerprint()
    const order = shuffle(random, indexesTo(rows.rowCount))
    const shuffled = await open(takeRows(rows, order), [generateUpdate(random, rows)])
    expectSame('fingerprint() of the rows in another order, moved', await shuffled.fingerprint(), original)
    const counted = order.filter(row => naiveWeight(rows, row) > 0)
    if (counted.length === 0) return
    const [column, changed] = changeRow(random, rows, counted[0])
    if ((await (await open(changed)).fingerprint()) !== original) return
    throw new Error(`fingerprint() after a change of ${column}: expected another, found ${original} again`)
  },
}

/** Changes one number of a row, and says of which column. */
function changeRow(random: Random, rows: EngineRows, row: number): [column: string, changed: EngineRows] {
  const { bins, binCounts, fold, label, signals, start, weight } = rows
  const [feature, signal] = [random.integer(bins.length), random.integer(signals.length)]
  const otherBin = (bins[feature][row] + 1) % binCounts[feature]
  const otherUnits = (units: number) => (units === ONE ? 0 : units + 1)
  const changes: Record<string, Partial<EngineRows>> = {
    bins: { bins: bins.with(feature, bins[feature].with(row, otherBin)) },
    signals: { signals: signals.with(signal, signals[signal].with(row, otherUnits(signals[signal][row]))) },
    label: { label: label.with(row, otherUnits(label[row])) },
    start: { start: start.with(row, otherUnits(start[row])) },
    ...(fold && { fold: { fold: fold.with(row, 1 - fold[row]) } }),
    ...(weight && { weight: { weight: weight.with(row, weight[row] + 1) } }),
  }
  const [column, change] = pick(random, Object.entries(changes))
  return [column, { ...rows, ...change }]
}

const weightOfTwo: Property = {
  title: 'counts a weight of two like the row twice',
  async check({ open, random, rowLimit }) {
    const rows = generateRows(random, { rowLimit, heaviest: 3 })
    const copies = indexesTo(rows.rowCount).flatMap(row =>
      new Array<number>(naiveWeight(rows, row)).fill(row),
    )
    if (copies.length === 0) return
    const { weight: _, ...unweighted } = takeRows(rows, copies)
    const [one, other] = [await open(rows), await open(unweighted)]
    const request = { fold: 0, levels: generateLevels(random), trees: [ROOT] }
    const [[found], [expected]] = [await one.levelSums(request), await other.levelSums(request)]
    for (const sums of ['counts', 'residuals', 'predictions'] as const) {
      const what = `${questionText('levelSums', request)}, ${sums} of weighted rows and of copies`
      expectList(what, found[sums], expected[sums], level => `level ${level}`)
    }
    expectSame(
      'fingerprint() of weighted rows and of copies',
      await one.fingerprint(),
      await other.fingerprint(),
    )
  },
}

export const ROWS = [sample, fingerprint, weightOfTwo]
