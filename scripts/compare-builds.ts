// Does this build answer as another one does? Models, audits and evidence of made-up tables, byte for byte: for changes of the
// house that are to change nothing else.
//
//   npx tsx scripts/compare-builds.ts --other FOLDER [--tables 50] [--seed 1]
//
// FOLDER is another clone, built; so is this one. Every table has columns, missing values, copies, weights, folds, a score or none
// and options as chance has it; it comes whole, or in chunks. Ends with 1 where an answer differs.

import { createHash } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import * as ours from '@featureboost/core'
import { type FitOptions, type Method, makeTable, type Table } from '@featureboost/core'
import { makeRandom, type Random } from '@featureboost/core/internal'
import { sliceColumn } from '../packages/core/src/data/column.ts'

const { values } = parseArgs({
  options: {
    other: { type: 'string' },
    tables: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
  },
})

type Library = Pick<typeof ours, 'audit' | 'collectEvidence' | 'fit'>

if (values.other === undefined) throw new Error('Name the other build: --other FOLDER.')
const theirs: Library = await import(pathToFileURL(`${values.other}/packages/core/dist/index.js`).href)

/** The default twice as often as any other. */
const METHODS: readonly (Method | undefined)[] = [undefined, undefined, ...ours.METHODS]

let differing = 0
for (let index = 0; index < Number(values.tables); index++) {
  const made = makeCase(makeRandom(1000 * Number(values.seed) + index))
  const [one, two] = [await answersOf(ours, made), await answersOf(theirs, made)]
  const different = Object.keys(one).filter(name => one[name] !== two[name])
  if (different.length > 0) differing++
  const told = different.length === 0 ? 'same' : `differs in ${different.join(', ')}`
  console.log(`${index + 1}: ${made.words}: ${told} (${Object.values(one).join(' ')})`)
}
console.log(`${differing} of ${values.tables} tables differ`)
process.exitCode = differing > 0 ? 1 : 0

interface Case {
  readonly words: string
  readonly table: Table
  readonly chunkRows: number | undefined
  readonly options: FitOptions
}

/** Hashes of what was answered; a refusal is an answer, too. */
async function answersOf(
  { audit, collectEvidence, fit: fitModel }: Library,
  { chunkRows, options, table }: Case,
): Promise<Record<string, string>> {
  const rows = chunkRows === undefined ? table : inChunks(table, chunkRows)
  const answers: Record<string, string> = {}
  const note = async (name: string, answer: () => Promise<unknown>) => {
    const text = await answer().then(
      found => JSON.stringify(found),
      (error: unknown) => String(error),
    )
    answers[name] = createHash('sha256').update(text).digest('hex').slice(0, 8)
  }
  const { except, label, prediction, weight } = options
  let model: ours.Model | undefined
  await note('model', async () => {
    model = await fitModel(rows, options)
    return model.data
  })
  if (model === undefined) return answers
  await note('predictions', async () => Array.from(model!.predict(table)))
  await note('evidence of the model', () => collectEvidence(rows, { model: model! }))
  if (prediction === undefined) return answers
  const roles = { label, prediction, ...(weight !== undefined && { weight }), ...(except && { except }) }
  await note('audit', () => audit(rows, roles))
  await note('evidence of the score', () => collectEvidence(rows, roles))
  return answers
}

function makeCase(random: Random): Case {
  const rowCount = 60 + random.integer(random.integer(3) === 0 ? 8000 : 900)
  const [weighted, folded, scored] = [random.integer(3) === 0, random.integer(4) === 0, random.integer(5) > 0]
  const method = METHODS[random.integer(METHODS.length)]
  const table = makeRows(random, rowCount, weighted, folded)
  const options: FitOptions = {
    label: 'label',
    ...(scored ? { prediction: 'score' } : { except: ['score'] }),
    ...(weighted && { weight: 'weight' }),
    ...(folded ? { fold: 'fold' } : random.integer(2) === 0 && { holdout: 0.2 }),
    ...(method !== undefined && { method }),
    ...(random.integer(3) === 0 && { seed: random.integer(100) }),
    epsilon: 0.1,
  }
  const chunkRows = random.integer(2) === 0 ? undefined : 1 + random.integer(rowCount)
  const words = [
    `${rowCount} rows`,
    method ?? 'default',
    ...(weighted ? ['weights'] : []),
    ...(folded ? ['folds'] : []),
    ...(chunkRows === undefined ? [] : [`chunks of ${chunkRows}`]),
  ]
  return { words: words.join(', '), table, chunkRows, options }
}

function makeRows(random: Random, rowCount: number, weighted: boolean, folded: boolean): Table {
  const rows = Array.from({ length: rowCount }, () => {
    const [age, city] = [18 + random.integer(60), random.integer(5)]
    const score = Math.round(1000 * (0.05 + 0.9 * random.next())) / 1000
    const wrong = age < 30 && city === 2 ? 0.25 : city === 4 ? -0.15 : 0
    return {
      age: random.integer(12) === 0 ? null : age,
      income: random.integer(20) === 0 ? null : Math.round(5000 * random.next() ** 2),
      city: random.integer(15) === 0 ? null : ['Aachen', 'Bonn', 'Celle', 'Dessau', 'Emden'][city],
      member: random.integer(10) === 0 ? null : random.integer(2) === 0,
      score,
      label: Number(random.next() < Math.max(0, Math.min(1, score + wrong))),
      weight: random.integer(4) / 2 + 0.25,
      fold: random.integer(4) === 0 ? 'holdout' : 'fit',
    }
  })
  // Some rows twice: copies are told apart by their number.
  for (let row = 0; row < rowCount; row += 7) rows[row] = rows[random.integer(rowCount)]
  const names = ['age', 'income', 'city', 'member', 'score', 'label'] as const
  const more = [...(weighted ? ['weight' as const] : []), ...(folded ? ['fold' as const] : [])]
  return makeTable(Object.fromEntries([...names, ...more].map(name => [name, rows.map(row => row[name])])))
}

function inChunks(table: Table, chunkRows: number): ours.TableSource {
  return { chunks: () => chunksOf(table, chunkRows) }
}

function* chunksOf(table: Table, chunkRows: number): Generator<Table> {
  for (let from = 0; from < table.rowCount; from += chunkRows) {
    const to = Math.min(table.rowCount, from + chunkRows)
    const columns = table.columns.map(column => sliceColumn(column, from, to))
    yield { rowCount: to - from, columns }
  }
}
