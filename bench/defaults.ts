// Settings of forests against each other, on the same rows: what the defaults were chosen by (docs/decisions/0009). Splits are
// those of other seeds than docs/versus.md has, but of the same tables: whoever chooses by this page has seen their rows.
//
//   npx tsx bench/defaults.ts [--data adult,bank,diabetes,rare,tiny,hard] [--seeds 101,102] [--rows 2000]
//     [--bases poor,strong,bold] [--variants default,slow,...] [--json]
//
// Poor scores are a logistic regression, strong ones a default fit from the base rate, both on rows of their own; bold ones are the
// strong with 1.6 times their logit. Figures are means
// over cases, on test rows; then differences to the default, best and worst case, and the worst to the score as it was given.

import { parseArgs } from 'node:util'
import type { Table } from '@featureboost/core'
import { layoutTable } from '../packages/cli/src/terminal/layout.ts'
import { loadEngine } from '../packages/core/src/fit/fit.ts'
import { readSettings } from '../packages/core/src/fit/settings.ts'
import type { ForestRows } from '../packages/core/src/forest/forestRows.ts'
import {
  countInformativeRows,
  growForest,
  partsFor,
  rulesFor,
} from '../packages/core/src/forest/growForest.ts'
import type { ForestRules } from '../packages/core/src/forest/trainer.ts'
import { makePredictor } from '../packages/core/src/model/predict.ts'
import { type Case, drawCases, ROLES } from './defaults/cases.ts'

interface Variant {
  readonly parts?: number
  readonly rules?: Partial<ForestRules>
  /** Times as many leaves. */
  readonly leaves?: number
}

/** What `fit` does is the first; of the others only what differs. */
const VARIANTS: Readonly<Record<string, Variant>> = {
  default: {},
  slow: { rules: { rate: 0.2, patience: 10 } },
  slower: { rules: { rate: 0.1, patience: 20 } },
  fast: { rules: { rate: 0.4, patience: 5 } },
  'four parts': { parts: 4 },
  'ten parts': { parts: 10 },
  'patience 4': { rules: { patience: 4 } },
  '0.7 of the leaves': { leaves: 0.7 },
  'half the leaves': { leaves: 0.5 },
  'a quarter of the leaves': { leaves: 0.25 },
  'twice the leaves': { leaves: 2 },
  'four times the leaves': { leaves: 4 },
  'ridge 1': { rules: { ridge: 1 } },
  'ridge 10': { rules: { ridge: 10 } },
  'gain 1': { rules: { leastGain: 1 } },
  'sure 0': { rules: { standardErrors: 0 } },
  'sure 1': { rules: { standardErrors: 1 } },
  'sure 2': { rules: { standardErrors: 2 } },
  'sure 3': { rules: { standardErrors: 3 } },
  'no line': { rules: { lineStandardErrors: Infinity } },
  'line 1': { rules: { lineStandardErrors: 1 } },
  'line 2': { rules: { lineStandardErrors: 2 } },
}

interface Figures {
  readonly logLoss: number
  readonly brier: number
  readonly milliseconds: number
}

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: 'adult,bank,diabetes,rare,tiny,hard' },
    seeds: { type: 'string', default: '101,102' },
    rows: { type: 'string' },
    bases: { type: 'string', default: 'poor,strong' },
    variants: { type: 'string', default: Object.keys(VARIANTS).join(',') },
    json: { type: 'boolean', default: false },
  },
})

const names = ['default', ...values.variants.split(',').filter(name => name !== 'default')]
const unknown = names.find(name => VARIANTS[name] === undefined)
if (unknown !== undefined)
  throw new Error(`There is no variant "${unknown}"; there are ${Object.keys(VARIANTS).join(', ')}.`)

const asked = {
  bases: values.bases.split(','),
  ...(values.rows !== undefined && { rows: Number(values.rows) }),
}
const bases: number[] = []
const found = new Map<string, Figures[]>(names.map(name => [name, []]))
for (const data of values.data.split(',')) {
  for (const seed of values.seeds.split(',').map(Number)) {
    for (const one of await drawCases(data, seed, asked)) {
      const rows = await open(one.calibration)
      bases.push(judge(rows.predict([], one.test), one.label).logLoss)
      for (const name of names) found.get(name)!.push(await tryVariant(rows, one, VARIANTS[name]))
      console.error(
        `${one.name}: base ${bases.at(-1)!.toFixed(4)}, ${names.map(name => found.get(name)!.at(-1)!.logLoss.toFixed(4)).join(' ')}`,
      )
    }
  }
}

if (values.json) console.log(JSON.stringify(Object.fromEntries(found), null, 2))
else
  console.log(
    layoutTable(
      [
        'variant',
        'log loss',
        'Brier',
        'ms, one thread',
        'log loss - default',
        'best',
        'worst',
        'worst - base',
      ],
      names.map(line),
    ),
  )

function line(name: string): string[] {
  const figures = found.get(name)!
  const mean = (of: (one: Figures) => number) =>
    figures.reduce((sum, one) => sum + of(one), 0) / figures.length
  const differences = figures.map((one, index) => one.logLoss - found.get('default')![index].logLoss)
  const meanDifference = differences.reduce((sum, difference) => sum + difference, 0) / differences.length
  const harm = Math.max(...figures.map((one, index) => one.logLoss - bases[index]))
  const shown = [meanDifference, Math.min(...differences), Math.max(...differences), harm]
  return [
    name,
    mean(one => one.logLoss).toFixed(4),
    mean(one => one.brier).toFixed(5),
    mean(one => one.milliseconds).toFixed(0),
    ...shown.map(difference => (difference < 0 ? '' : '+') + difference.toFixed(4)),
  ]
}

interface Opened {
  readonly rows: ForestRows
  predict(updates: Parameters<typeof makePredictor>[0]['updates'], table: Table): Float64Array
}

/** As a baseline takes them: in sixty parts, of which fewer can be made. */
async function open(table: Table): Promise<Opened> {
  const loaded = await loadEngine(table, readSettings({ ...ROLES, holdout: 0, method: 'platt' }))
  const rows = await loaded.learningRows()
  await loaded.close()
  const { compiled, start } = loaded
  return {
    rows,
    predict: (updates, asked) =>
      makePredictor({ encoding: compiled.encoding, start, updates }, {}).predict(asked),
  }
}

async function tryVariant({ predict, rows }: Opened, one: Case, variant: Variant): Promise<Figures> {
  const { leaves, parts = partsFor(rows.rowCount), rules } = variant
  const usual = rulesFor(rows.rowCount, countInformativeRows(rows)).leaves
  // Where nothing differs, few rows may try rules of two kinds.
  const other =
    leaves === undefined && rules === undefined
      ? undefined
      : { leaves: Math.round((leaves ?? 1) * usual), ...rules }
  const started = performance.now()
  const { updates } = await growForest(
    { ...rows, part: rows.part.map(part => part % parts) },
    { threads: 1, ...(other !== undefined && { rules: other }) },
  )
  const milliseconds = performance.now() - started
  return { ...judge(predict(updates, one.test), one.label), milliseconds }
}

function judge(predicted: Float64Array, labels: Float64Array): Pick<Figures, 'logLoss' | 'brier'> {
  let [logLoss, brier] = [0, 0]
  for (const [row, label] of labels.entries()) {
    const inside = Math.max(2 ** -52, Math.min(1 - 2 ** -52, predicted[row]))
    logLoss -= Math.log(label === 1 ? inside : 1 - inside) / labels.length
    brier += (label - predicted[row]) ** 2 / labels.length
  }
  return { logLoss, brier }
}
