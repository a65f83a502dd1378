// Imported models against the packages they come from: MCGrad and scikit-learn are fitted, what they save is imported, and both predict
// the same rows, with missing values, categories that were never seen and scores at the ends.
//
//   npx tsx scripts/check-import.ts [--rows 10000] [--python python3] [--golden]
//
// Prints one line a case and ends with exit code 1 where a prediction differs by more than the import says. --golden writes the file that
// the tests read. The packages are installed as those of the benchmark (bench/versus/environment.ts).

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type ImportOptions, importModel } from '@featureboost/core'
import { defaultCache } from '../bench/versus/cache.ts'
import { prepareEnvironment } from '../bench/versus/environment.ts'

export interface ImportCase {
  readonly name: string
  readonly file: string
  readonly options: Pick<ImportOptions, 'scale'>
  readonly rows: readonly Readonly<Record<string, string | number | null>>[]
  readonly predictions: readonly number[]
}

const GOLDEN = fileURLToPath(new URL('../packages/core/test/import/golden.json', import.meta.url))
const GOLDEN_ROWS = 150
/** The others are too long to be kept. */
const GOLDEN_CASES = [
  'mcgrad small',
  'isotonic logistic',
  'isotonic forest',
  'sigmoid logistic',
  'sigmoid forest',
]

function originals(python: string, rowCount: number): ImportCase[] {
  const folder = mkdtempSync(join(tmpdir(), 'featureboost-import-'))
  try {
    const program = fileURLToPath(new URL('imports/originals.py', import.meta.url))
    execFileSync(python, [program, String(rowCount), folder], {
      stdio: ['ignore', process.stderr, process.stderr],
      env: { ...process.env, OMP_NUM_THREADS: '1' },
    })
    return JSON.parse(readFileSync(join(folder, 'cases.json'), 'utf8')) as ImportCase[]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function check({ file, name, options, predictions, rows }: ImportCase): boolean {
  const { difference, model } = importModel(file, { prediction: 'score', label: 'label', ...options })
  const ours = model.predictRows(rows)
  const largest = ours.reduce((most, value, row) => Math.max(most, Math.abs(value - predictions[row])), 0)
  const passed = largest <= difference.atMost
  console.log(
    `${passed ? 'ok    ' : 'FAILED'} ${name}: ${rows.length} rows, largest difference ${largest.toExponential(1)}, said to be at most ${difference.atMost}`,
  )
  return passed
}

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000' },
    python: { type: 'string', default: 'python3' },
    golden: { type: 'boolean', default: false },
  },
})
const cases = originals(prepareEnvironment(defaultCache(), values.python), Number(values.rows))
if (!cases.map(check).every(Boolean)) process.exitCode = 1
if (values.golden) {
  const kept = cases
    .filter(({ name }) => GOLDEN_CASES.includes(name))
    .map(each => ({
      ...each,
      rows: each.rows.slice(0, GOLDEN_ROWS),
      predictions: each.predictions.slice(0, GOLDEN_ROWS),
    }))
  writeFileSync(GOLDEN, `${JSON.stringify(kept)}\n`)
}
