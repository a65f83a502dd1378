// Verdicts set against the truth: fits to made-up tables (small, wide, fitted until they overfit, weighted, without held-out rows,
// without a score), and of each the words of its verdict, checked by an independent count on fresh rows whose probabilities are known.
//
//   npx tsx bench/verdicts.ts [--fits 300] [--fresh 50000] [--from 0] [--seed 1] [--json]
//
// better, worse  the loss that the words name is lower, or higher, under the truth of the fresh rows
// unchanged      no fresh row's score is moved
// groups off     the truth of every group that is said to be surely off lies on the side that is said, and within the interval
// new rows       no multicalibration error counted on fresh rows exceeds the bound
// fitting rows   none counted on the fitting rows does
//
// Words that come with a confidence of 95 % may be wrong in 5 % of fits, better and worse in 1 %. A count on fresh rows that is nearer
// to 0 than three of its standard errors decides nothing and is told as "too close".

import { parseArgs } from 'node:util'
import { compareBeforeAfter, fit, type Model, makeTable } from '@featureboost/core'
import { judgeCompared, provenSentence, surelyOff } from '@featureboost/core/internal'
import { type Case, type KnownRows, makeCase } from './verdicts/cases.ts'
import {
  type Asked,
  addedLoss,
  LOSS_NAMES,
  type LossName,
  meanOf,
  membersOf,
  multicalibrationError,
} from './verdicts/count.ts'
import { type Answer, type Found, mistakes, summaryLines } from './verdicts/summary.ts'

/** Standard errors within which a count decides nothing. */
const CLOSE = 3

async function examine(it: Case): Promise<Found> {
  const table = makeTable({
    ...it.rows.columns,
    label: it.rows.label,
    ...(it.fold !== undefined && { fold: [...it.fold] }),
  })
  const model = await fit(table, it.options)
  // As the command does.
  const found = await compareBeforeAfter(model, table, { threads: 1 })
  const verdict = judgeCompared(found.compared, found)
  const proven = provenSentence(model.certificate)
  const fresh = makeTable({ ...it.fresh.columns, label: it.fresh.label })
  const after = model.predict(fresh)
  const before = startOf(model, it.fresh)
  const isKnown = found.rows === 'held-out'
  return {
    index: it.index,
    setting: it.setting,
    kind: it.kind,
    rows: it.rows.label.length,
    words: [...verdict.sentences, proven].join(' '),
    score: verdict.score,
    scoreAnswer: isKnown ? judgeScore(it, verdict.score, verdict.sentences[0], before, after) : 'no claim',
    ...(isKnown ? judgeGroups(it, surelyOff(found.compared.b), after) : NO_GROUPS),
    newRows: judgeNewRows(it, model, proven),
    fittingRows: judgeFittingRows(it, model, proven),
  }
}

const NO_GROUPS = { groupsOff: 0, groupsWrong: 0, groupsOutside: 0 }

/** The score, or the base rate of the fitting rows. */
function startOf(model: Model, { columns, truth }: KnownRows): Float64Array {
  const { start } = model.data
  if (start.kind === 'column') return columns[start.column] as Float64Array
  return new Float64Array(truth.length).fill(start.units / 2 ** 24)
}

function judgeScore(
  { fresh }: Case,
  score: string,
  sentence: string,
  before: Float64Array,
  after: Float64Array,
): Answer {
  if (score === 'unclear') return 'no claim'
  // Scores are counted in units of 2^-24.
  if (score === 'unchanged')
    return after.every((p, row) => Math.abs(p - before[row]) < 2 ** -22) ? 'right' : 'wrong'
  const named = LOSS_NAMES.find(name => sentence.includes(name)) as LossName
  const { error, value } = addedLoss(named, fresh, before, after)
  if (Math.abs(value) < CLOSE * error) return 'too close'
  return value < 0 === (score === 'better') ? 'right' : 'wrong'
}

function judgeGroups({ fresh }: Case, off: ReturnType<typeof surelyOff>, after: Float64Array) {
  let [groupsWrong, groupsOutside] = [0, 0]
  for (const { gap, interval, scores, where } of off) {
    const members = membersOf(fresh, where, scores, after)
    const { weight } = fresh
    const found = meanOf(
      members.length,
      at => fresh.truth[members[at]] - after[members[at]],
      weight && members.map(row => weight[row]),
    )
    const reach = CLOSE * found.error
    if (gap > 0 ? found.value + reach < 0 : found.value - reach > 0) groupsWrong++
    if (found.value + reach < interval.low || found.value - reach > interval.high) groupsOutside++
  }
  return { groupsOff: off.length, groupsWrong, groupsOutside }
}

const boundIn = (words: string, pattern: RegExp): number | undefined => {
  const [, bound] = pattern.exec(words) ?? []
  return bound === undefined ? undefined : Number(bound)
}

function judgeNewRows({ fresh }: Case, model: Model, proven: string): Answer {
  const bound = boundIn(proven, /and at most ([\d.]+) on new rows/)
  if (bound === undefined) return 'no claim'
  const rounded = model.round().predict(makeTable({ ...fresh.columns, label: fresh.label }))
  const rows = Array.from(rounded, (_, row) => row)
  return multicalibrationError(fresh, fresh.truth, rounded, rows, askedOf(model)) <= bound ? 'right' : 'wrong'
}

/** Where a column says which rows these are, or all are. */
function judgeFittingRows({ fold, rows, setting }: Case, model: Model, proven: string): Answer {
  const bound = boundIn(proven, /multicalibration error at most ([\d.]+)/)
  if (bound === undefined || (fold === undefined && setting !== 'no holdout')) return 'no claim'
  const rounded = model.round().predict(makeTable({ ...rows.columns, label: rows.label }))
  const fitted = Array.from(rounded, (_, row) => row).filter(row => fold?.[row] !== 'holdout')
  const found = multicalibrationError(rows, rows.label, rounded, fitted, askedOf(model))
  return found <= bound ? 'right' : 'wrong'
}

/** A bound is about the declared class: its cuts and words alone. */
const askedOf = (model: Model): Asked =>
  new Map(
    model.data.encoding.features.map(feature => {
      const { kind, name } = feature
      if (kind === 'boolean') return [name, []]
      const all: readonly (number | string)[] = kind === 'numeric' ? feature.cuts : feature.categories
      return [name, feature.coarse.map(index => all[index])]
    }),
  )

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      fits: { type: 'string', default: '300' },
      fresh: { type: 'string', default: '50000' },
      from: { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
    },
  })
  const [fits, freshRows, from, seed] = [values.fits, values.fresh, values.from, values.seed].map(Number)
  const started = performance.now()
  const all: Found[] = []
  for (let index = from; index < from + fits; index++) {
    all.push(await examine(makeCase(index, seed, freshRows)))
    for (const line of mistakes(all.at(-1)!)) console.error(line)
    if (all.length % 10 === 0) console.error(`${all.length} of ${fits}`)
  }
  if (values.json) console.log(JSON.stringify(all, null, 2))
  else for (const line of summaryLines(all)) console.log(line)
  console.log(`${all.length} fits, seed ${seed}: ${((performance.now() - started) / 1000).toFixed(0)} s`)
}

await main()
