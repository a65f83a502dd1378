// What an exported JavaScript module holds besides its tables: the library's own way from one row to its prediction.
// scripts/build-kernels.ts makes one script of it, as text.

import { checkArgument, isObject } from '../../data/given.ts'
import { makeRowPredictor } from '../../model/predictRow.ts'
import type { Row } from '../../quantize/signals.ts'
import type { ScoringPlan } from '../plan.ts'

export function openScorer({ features, rounding, signals, start, updates }: ScoringPlan) {
  const encoding = { features, signals, functions: [] }
  const predictRow = makeRowPredictor({ start, encoding, updates }, {}, rounding)
  const predict = (row: Row): number => {
    checkArgument('the row', row, isObject(row), 'an object with one value per column')
    return predictRow(row)
  }
  const predictAll = (rows: Iterable<Row>): Float64Array => Float64Array.from(rows, predict)
  return { predict, predictAll }
}
