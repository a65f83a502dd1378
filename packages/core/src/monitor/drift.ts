// Drift of columns and of the score, without labels: how many rows fall into each bin, beside the reference rows. The claim for a bin is
// that its share is one that the reference leaves possible; it is bet against as scores are (bets.ts), so looking again and again costs
// nothing. The population stability index says how large a change is; whether it is more than chance, the bets say.

import { lnOf } from '../common/logistic.ts'
import type { Column } from '../data/column.ts'
import { findColumn, type Table } from '../data/table.ts'
import { convertColumn } from '../quantize/convert.ts'
import { quantizeColumn } from '../quantize/quantize.ts'
import { binCount, type FeatureSchema } from '../quantize/schema.ts'
import type { Claim } from './alarms.ts'
import { betOnCount } from './bets.ts'
import { shareBounds } from './binomial.ts'
import type { Reference } from './data.ts'
import { NAMED_BETS } from './tally.ts'
import { addLogs, evidenceOf, logUnits, NOTHING } from './wealth.ts'

/** Value bins, the missing bin, and one for categories that the reference does not have. */
export const driftBinCount = (schema: FeatureSchema): number => binCount(schema) + 1

/** Counts of rows in the bins of all columns. */
export class BinTally {
  readonly features: readonly FeatureSchema[]
  readonly counts: readonly number[][]
  rowCount = 0

  constructor(features: readonly FeatureSchema[]) {
    this.features = features
    this.counts = features.map(schema => new Array<number>(driftBinCount(schema)).fill(0))
  }

  /** Gives the bins of every row, column by column, for who needs them. */
  add(table: Table): Uint8Array[] {
    this.rowCount += table.rowCount
    return this.features.map((schema, index) => {
      const column = convertColumn(schema, findColumn(table, schema.name, 'column to watch'))
      const bins = quantizeColumn(schema, column)
      const counts = this.counts[index]
      const isNew = newCategories(schema, column)
      for (let row = 0; row < bins.length; row++) counts[isNew(row) ? counts.length - 1 : bins[row]]++
      return bins
    })
  }
}

function newCategories(schema: FeatureSchema, column: Column): (row: number) => boolean {
  if (schema.kind !== 'categorical' || column.kind !== 'categorical') return () => false
  const known = new Set([...schema.categories, ...schema.pooled])
  const isNew = column.categories.map(category => !known.has(category))
  const { codes } = column
  return row => codes[row] >= 0 && isNew[codes[row]]
}

/** Half of the level is for the reference, which is a sample, too; the other half for the bets. */
export const driftLevel = (delta: number): number => delta / 2

/** What the rows of a batch make of the bets, at [column, bin, bet] one after the other. */
export function driftWon(
  reference: Reference,
  counts: readonly (readonly number[])[],
  delta: number,
): number[] {
  const binTotal = reference.counts.reduce((sum, { length }) => sum + length, 0)
  const level = driftLevel(delta) / (2 * binTotal)
  return reference.counts.flatMap((before, index) => {
    const rowCount = counts[index].reduce((sum, count) => sum + count, 0)
    return before.flatMap((known, bin) => {
      const { high, low } = shareBounds(known, reference.rowCount, level)
      return betOnCount(NAMED_BETS, { count: counts[index][bin], rowCount, low, high })
    })
  })
}

/** One claim per column: that it is as it was. The score, which is the last, weighs as much as all others together. */
export function driftClaims(reference: Reference, wealth: readonly number[], batches: number): Claim[] {
  const columns = reference.counts.length
  let from = 0
  return reference.counts.map(({ length }, index) => {
    const share = logUnits(1 / length)
    let evidence = NOTHING
    for (let bin = 0; bin < length; bin++)
      evidence = addLogs(evidence, share + evidenceOf(wealth, from + bin, NAMED_BETS.length, batches))
    from += length
    const weight = columns === 1 ? 1 : index === columns - 1 ? 1 / 2 : 1 / (2 * (columns - 1))
    return { weight, evidence }
  })
}

/** Half a row is added to every bin of either side, so that empty ones count. */
export function stabilityIndex(before: readonly number[], after: readonly number[]): number {
  const shares = (counts: readonly number[]) => {
    const total = counts.reduce((sum, count) => sum + count, 0) + counts.length / 2
    return counts.map(count => (count + 0.5) / total)
  }
  const [old, now] = [shares(before), shares(after)]
  return old.reduce((sum, share, bin) => sum + (now[bin] - share) * lnOf(now[bin] / share), 0)
}

/** What the index comes to by chance alone, about, in a batch of so many rows: bins that no reference row is in do not count. */
export function chanceIndex(
  { counts, rowCount: before }: Reference,
  feature: number,
  rowCount: number,
): number {
  const used = counts[feature].filter(count => count > 0).length
  return (used - 1) * (1 / before + 1 / rowCount)
}
