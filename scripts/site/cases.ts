// The cases of the gallery. Three are made up, so it is known what is wrong with their scores, and their reports are made with the site.
// Two are real; the evidence of their reports lies in docs/gallery, because the tables do not (scripts/write-gallery.ts makes it).

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { collectEvidence, type Evidence, fit, makeTable, type Table } from '@featureboost/core'
import type { Column } from '../../bench/data/dataset.ts'
import { makeWorld } from '../../bench/planted/world.ts'
import { makePopulation } from '../../bench/versus/populations.ts'
import { makeLendingPopulation } from '../../packages/cli/src/demo/population.ts'
import { ROOT } from './pages.ts'

export interface Case {
  /** Of its report's file. */
  readonly name: string
  readonly title: string
  readonly kind: 'made up' | 'real'
  /** What the table is, and what to look at. */
  readonly words: string
  evidence(): Promise<Evidence>
}

export const CASES: readonly Case[] = [
  {
    name: 'lending',
    title: 'Loans, with four planted errors',
    kind: 'made up',
    words:
      'The population of the demo. The score is right on average and wrong for young gig workers, for first loans in the north, and at both ends for applicants whose income is missing. The report shows the score and its correction on rows that the fit has not seen.',
    evidence: () => beforeAndAfter(lendingTable, 'defaulted', 'loans'),
  },
  {
    name: 'rare',
    title: 'A rare outcome',
    kind: 'made up',
    words:
      'About one row in a hundred has the outcome. The score overlooks a region, a slope that depends on the channel, and a corner of two columns. Look at the reliability diagram on the logit scale, and at how few groups have enough expected events to be tested.',
    evidence: () => beforeAndAfter(rareTable, 'label', 'rare outcome'),
  },
  {
    name: 'nothing-wrong',
    title: 'Nothing is wrong',
    kind: 'made up',
    words:
      'The outcomes are drawn from the score itself, so every group is right. What an audit says then is worth seeing once: the largest of many thousand groups still looks bad, and it is no more than noise.',
    evidence: () =>
      collectEvidence(nothingWrongTable(), { label: 'label', prediction: 'score', name: 'nothing wrong' }),
  },
  {
    name: 'adult',
    title: 'Incomes in the census of 1994',
    kind: 'real',
    words:
      'UCI Adult (CC BY 4.0), 48,842 people. The score is a logistic regression on 40 % of the rows; the correction was fitted on another 30 %, and the report is about the rest.',
    evidence: async () => keptEvidence('adult'),
  },
  {
    name: 'diabetes',
    title: 'Readmissions to hospitals',
    kind: 'real',
    words:
      'UCI Diabetes 130-US hospitals (CC BY 4.0), 101,766 stays of 71,518 patients. The score is a logistic regression on 40 % of the patients; the correction was fitted on another 30 %, and the report is about the stays of the rest.',
    evidence: async () => keptEvidence('diabetes'),
  },
]

const ROWS = 12_000

/** A model fitted to one draw, and what it does on the next. */
async function beforeAndAfter(draw: (seed: number) => Table, label: string, name: string): Promise<Evidence> {
  const model = await fit(draw(7), { label, prediction: 'score' })
  return collectEvidence(draw(8), { model, name })
}

const lendingTable = (seed: number): Table => makeTable(makeLendingPopulation({ rows: 20_000, seed }).columns)

function rareTable(seed: number): Table {
  const { columns, label, score } = makePopulation('rare', 2 * ROWS, seed)
  return makeTable({ ...columns, score, label } as Record<string, Column | Float64Array>)
}

function nothingWrongTable(): Table {
  const { columns, label, score } = makeWorld('null', 1).draw(ROWS, 9)
  return makeTable({ ...columns, score, label })
}

export const keptPath = (name: string): string => join(ROOT, 'docs/gallery', `${name}.json.gz`)

const keptEvidence = (name: string): Evidence =>
  JSON.parse(gunzipSync(readFileSync(keptPath(name))).toString())
