// Our baselines against their originals: both are fitted to the same small rows and predict the same unseen ones.
//
//   npx tsx bench/versus/parity/parity.ts [--python python3] [--only method]
//
// Prints one line for each comparison of comparisons.ts and ends with exit code 1 where one is farther off than it says. The
// originals are installed as those of the benchmark (../environment.ts).

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { fitWithTrace, tableFromRows } from '@featureboost/core'
import { defaultCache } from '../cache.ts'
import { prepareEnvironment } from '../environment.ts'
import { COMPARISONS, type Comparison } from './comparisons.ts'
import { PARITY_DATA } from './rows.ts'

interface Answer {
  readonly versions: Record<string, string>
  readonly predictions: readonly (readonly number[])[]
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { python: { type: 'string', default: 'python3' }, only: { type: 'string' } },
  })
  const asked = COMPARISONS.filter(({ method }) => values.only === undefined || method === values.only)
  const { predictions, versions } = askOriginals(prepareEnvironment(defaultCache(), values.python), asked)
  console.log(`originals: ${JSON.stringify(versions)}`)
  let failed = 0
  for (const [index, comparison] of asked.entries()) {
    const labels = PARITY_DATA[comparison.data].unseen.map(({ label }) => label)
    const distance = distanceOf(comparison, await predictWithOurs(comparison), predictions[index], labels)
    const near = distance <= comparison.tolerance
    if (!near) failed++
    console.log(lineOf(comparison, distance, near))
  }
  console.log(`${asked.length - failed} of ${asked.length} baselines are what their originals are`)
  if (failed > 0) process.exitCode = 1
}

function askOriginals(python: string, asked: readonly Comparison[]): Answer {
  const folder = mkdtempSync(join(tmpdir(), 'featureboost-parity-'))
  try {
    const [input, output] = [join(folder, 'input.json'), join(folder, 'output.json')]
    writeFileSync(input, JSON.stringify({ data: PARITY_DATA, asked }))
    const program = fileURLToPath(new URL('parity.py', import.meta.url))
    execFileSync(python, [program, input, output], { stdio: 'inherit' })
    return JSON.parse(readFileSync(output, 'utf8')) as Answer
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function predictWithOurs({ data, method, options, part }: Comparison): Promise<Float64Array> {
  if (part !== undefined) return part(PARITY_DATA[data])
  const { fitted, unseen, weighted } = PARITY_DATA[data]
  const { model } = await fitWithTrace(tableFromRows(fitted), {
    label: 'label',
    prediction: 'score',
    features: ['region', 'member', 'age'],
    ...(weighted && { weight: 'weight' }),
    // Theirs take every row for an observation.
    copies: 'independent',
    method,
    holdout: 0,
    rare: 0,
    // Declared groups of a column are its coarse bins: here every category.
    coarseBins: 64,
    epsilon: 0.3,
    ...options,
  })
  return model.predict(tableFromRows(unseen))
}

function distanceOf(
  { by }: Comparison,
  ours: Float64Array,
  theirs: readonly number[],
  labels: readonly number[],
): number {
  const distances = theirs.map((value, row) => Math.abs(value - ours[row]))
  // A prediction that is not a number is no near one.
  if (distances.some(Number.isNaN) || ours.length !== theirs.length) return Number.POSITIVE_INFINITY
  if (by === 'largest') return Math.max(...distances)
  if (by === 'mean') return meanOf(distances)
  const errorOf = (predictions: ArrayLike<number>) =>
    meanOf(labels.map((label, row) => (label - predictions[row]) ** 2))
  return Math.abs(errorOf(ours) - errorOf(theirs))
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

const lineOf = (
  { because, by, data, method, original, tolerance }: Comparison,
  distance: number,
  near: boolean,
): string =>
  [
    near ? 'same ' : 'OTHER',
    method.padEnd(24),
    original.padEnd(24),
    data.padEnd(9),
    `${by} difference ${distance.toExponential(1)}, at most ${tolerance}: ${because}`,
  ].join(' ')

await main()
