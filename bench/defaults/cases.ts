// Tables with a score to correct, and rows to judge the correction by. Poor scores are a logistic regression, strong ones a default
// fit from the base rate, both on rows of their own; bold ones are the strong with 1.6 times their logit.

import { fitWithTrace, makeTable, type Table } from '@featureboost/core'
import type { Column } from '../data/dataset.ts'
import { logisticScore } from '../data/logistic.ts'
import { DATA, loadSplit, type SplitData } from '../versus/datasets.ts'

export interface Case {
  readonly name: string
  readonly calibration: Table
  readonly test: Table
  /** Of the test rows. */
  readonly label: Float64Array
  readonly given: Float64Array
}

const BOLDNESS = 1.6

/** The names of the two cannot meet those of columns. */
export const ROLES = { label: ' label', prediction: ' score' } as const

export interface Asked {
  readonly bases: readonly string[]
  /** Calibration rows; absent: all. */
  readonly rows?: number
}

export async function drawCases(data: string, seed: number, { bases, rows }: Asked): Promise<Case[]> {
  if (DATA[data] === undefined)
    throw new Error(`There is no data set "${data}"; there are ${Object.keys(DATA).join(', ')}.`)
  const split = loadSplit(DATA[data], seed, rows)
  return Object.entries(await scoresOf(split, bases)).map(([base, score]) => ({
    name: `${data}, ${base}, seed ${seed}`,
    calibration: tableOf(split, split.parts.calibration, score),
    test: tableOf(split, split.parts.test, score),
    label: Float64Array.from(split.parts.test, row => split.label[row]),
    given: Float64Array.from(split.parts.test, row => score[row]),
  }))
}

async function scoresOf(split: SplitData, asked: readonly string[]): Promise<Record<string, Float64Array>> {
  if (split.given !== undefined) return { given: split.given.score }
  const strong = asked.some(base => base !== 'poor') ? await strongScore(split) : new Float64Array()
  const scores: Record<string, () => Float64Array> = {
    poor: () => poorScore(split),
    strong: () => strong,
    bold: () => strong.map(chance => 1 / (1 + ((1 - chance) / chance) ** BOLDNESS)),
  }
  return Object.fromEntries(asked.map(base => [base, scores[base]()]))
}

function poorScore({ columns, label, parts }: SplitData): Float64Array {
  const all: Record<string, Column> = { ...columns, ' label': Array.from(label) }
  return Float64Array.from(logisticScore({ columns: all, label: ' label', rows: [...parts.base] }))
}

async function strongScore(split: SplitData): Promise<Float64Array> {
  const { base } = split.parts
  const rate = base.reduce((sum, row) => sum + split.label[row], 0) / base.length
  const constant = new Float64Array(split.label.length).fill(rate)
  const { model } = await fitWithTrace(tableOf(split, base, constant), { ...ROLES, holdout: 0 })
  const all = Array.from({ length: split.label.length }, (_, row) => row)
  return model.predict(tableOf(split, all, constant))
}

function tableOf({ columns, label }: SplitData, rows: readonly number[], score: Float64Array): Table {
  const take = (column: ArrayLike<Column[number]>): Column => rows.map(row => column[row])
  return makeTable({
    ...Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, take(column)])),
    ' label': take(label),
    ' score': take(score),
  })
}
