// How long `compare` takes with every method on a real table: a logistic base score fitted on 40 % of the rows, and all rows
// compared, cross-fitted.
//
//   npm run build && npx tsx bench/compare.ts [dataset=adult] [--threads 2] [--except fnlwgt] [--methods platt,...] [--json]

import { parseArgs } from 'node:util'
import { compareMethods, type Method, makeTable } from '@featureboost/core'
import { layoutTable } from '../packages/cli/src/terminal/layout.ts'
import { loadDataset } from './data/dataset.ts'
import { logisticScore } from './data/logistic.ts'
import { splitRows } from './data/split.ts'

const WANTED_SECONDS = 60

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    threads: { type: 'string' },
    except: { type: 'string', default: 'fnlwgt' },
    methods: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})
const [name = 'adult'] = positionals
const { columns, label, rowCount } = loadDataset(name)
const [baseRows] = splitRows(rowCount, [0.4, 0.6], 1)
const score = Array.from(logisticScore({ columns, label, rows: baseRows }))
const found = await compareMethods(makeTable({ ...columns, base_score: score }), {
  label,
  prediction: 'base_score',
  except: values.except.split(',').filter(column => column in columns),
  ...(values.threads !== undefined && { threads: Number(values.threads) }),
  ...(values.methods !== undefined && { methods: values.methods.split(',') as Method[] }),
})

const { methods, rows, seconds } = found
if (values.json) console.log(JSON.stringify({ dataset: name, rows, seconds, methods }, null, 2))
else {
  const lines = methods.map(({ fitSeconds, measures, method, predictSeconds }) => [
    method,
    measures.logLoss?.value.toFixed(4) ?? '',
    fitSeconds.toFixed(1),
    predictSeconds.toFixed(2),
  ])
  console.log(layoutTable(['method', 'log loss', 'fit s', 'predict s'], lines))
  console.log(
    `${name}, ${rows.toLocaleString('en-US')} rows, ${methods.length} methods: ${seconds.total.toFixed(1)} s ` +
      `(fitting ${seconds.fitting.toFixed(1)}, scoring ${seconds.scoring.toFixed(1)}); wanted: under ${WANTED_SECONDS} on 2 cores`,
  )
}
