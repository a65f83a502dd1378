// Scores the same data sets with our measures' Python peers and writes what they say to
// packages/core/test/measures/score/golden.json, which the ordinary tests read.
//
//   npx tsx bench/versus/measures.ts [folder of the real data sets] [--python python3] [--check]
//
// With --check nothing is written: the peers are asked again, and must say what the golden file says.
//
// The peers are installed into a virtual environment of their own (environment.ts), made once; it needs a package index that
// pip can reach. Without a folder the real data sets stay as they are in the golden file. They are 1,000 rows each of
// adult and bank_marketing: a logistic score fitted on 40 % of the rows, six digits of it on rows of the rest.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type PeerData, peerData } from '../../packages/core/test/measures/score/populations.ts'
import { type Column, loadDataset } from '../data/dataset.ts'
import { logisticScore } from '../data/logistic.ts'
import { splitRows } from '../data/split.ts'
import { defaultCache } from './cache.ts'
import { prepareEnvironment } from './environment.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const GOLDEN = here('../../packages/core/test/measures/score/golden.json')

interface Golden {
  readonly versions: Record<string, string>
  readonly real: readonly PeerData[]
  readonly results: Record<string, unknown>
}

function main(): void {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { python: { type: 'string', default: 'python3' }, check: { type: 'boolean', default: false } },
  })
  const real = positionals[0] === undefined ? storedReal() : readReal(positionals[0])
  const python = prepareEnvironment(defaultCache(), values.python)
  const scored = scoreWithPeers(python, [...peerData(), ...real])
  const golden: Golden = { versions: scored.versions, real, results: scored.results }
  console.log(
    `${Object.keys(scored.results).length} data sets scored with ${JSON.stringify(scored.versions)}`,
  )
  if (values.check) compareWithGolden(golden)
  else writeFileSync(GOLDEN, `${layout(golden)}\n`)
}

/** Numbers may differ in their last digits: the peers' own libraries are not all pinned. */
function compareWithGolden(found: Golden): void {
  const stored = JSON.parse(readFileSync(GOLDEN, 'utf8')) as Golden
  const differing = Object.keys(stored.results).filter(
    name => !isClose(stored.results[name], JSON.parse(JSON.stringify(found.results[name] ?? null))),
  )
  const count = Object.keys(stored.results).length
  console.log(`${count - differing.length} of ${count} data sets: the peers say what the golden file says`)
  if (differing.length === 0) return
  console.error(`they differ on ${differing.join(', ')}`)
  process.exitCode = 1
}

function isClose(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number') {
    return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a))
  }
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return a === b
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every(key => isClose((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]))
  )
}

const storedReal = (): readonly PeerData[] =>
  existsSync(GOLDEN) ? (JSON.parse(readFileSync(GOLDEN, 'utf8')) as Golden).real : []

function scoreWithPeers(python: string, data: readonly PeerData[]): Pick<Golden, 'versions' | 'results'> {
  const folder = mkdtempSync(join(tmpdir(), 'featureboost-versus-'))
  try {
    const [input, output] = [join(folder, 'input.json'), join(folder, 'output.json')]
    writeFileSync(input, JSON.stringify(data))
    execFileSync(python, [here('measures.py'), input, output], { stdio: 'inherit' })
    return JSON.parse(readFileSync(output, 'utf8'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const REAL = {
  adult: { categorical: ['sex', 'race', 'education'], numerical: ['age', 'hours_per_week'] },
  bank_marketing: { categorical: ['job', 'marital', 'housing'], numerical: ['age', 'balance'] },
} as const
const REAL_ROWS = 1000

function readReal(folder: string): PeerData[] {
  process.env.FEATUREBOOST_DATA = folder
  return Object.entries(REAL).map(([name, { categorical, numerical }]) => {
    const { columns, label } = loadDataset(name)
    const [fitted, rest] = splitRows(columns[label].length, [0.4, 0.6], 1)
    const score = logisticScore({ columns, label, rows: fitted })
    const rows = takeUntied(rest, score)
    const take = (column: Column) => rows.map(row => column[row])
    const pick = (names: readonly string[]) =>
      Object.fromEntries(names.map(each => [each, take(columns[each])]))
    return {
      name,
      predictions: rows.map(row => sixDigits(score[row])),
      labels: take(columns[label]) as number[],
      columns: { categorical: pick(categorical), numerical: pick(numerical) as Record<string, number[]> },
    }
  })
}

const sixDigits = (value: number): number => Number(value.toFixed(6))

/** Rows spread over all of them; a score already met is passed over, because MCGrad cannot take equal ones. */
function takeUntied(rows: readonly number[], score: Float64Array): number[] {
  const met = new Set<number>()
  const taken: number[] = []
  const stride = Math.floor(rows.length / REAL_ROWS / 1.5)
  for (let index = 0; taken.length < REAL_ROWS; index += stride) {
    const value = sixDigits(score[rows[index]])
    if (!met.has(value)) taken.push(rows[index])
    met.add(value)
  }
  return taken
}

/** One line for each column of a real data set and each peer's answer, so that changes can be read. */
function layout({ versions, real, results }: Golden): string {
  const lines = (value: object, indent: string) => {
    const fields = Object.entries(value).map(
      ([key, each]) => `${indent}${JSON.stringify(key)}: ${JSON.stringify(each)}`,
    )
    return `{\n${fields.join(',\n')}\n${indent.slice(2)}}`
  }
  const sets = real.map(each => `    ${lines(each, '      ')}`).join(',\n')
  const answers = Object.entries(results).map(
    ([name, found]) => `    ${JSON.stringify(name)}: ${lines(found as object, '      ')}`,
  )
  return [
    '{',
    `  "versions": ${JSON.stringify(versions)},`,
    `  "real": [\n${sets}\n  ],`,
    `  "results": {\n${answers.join(',\n')}\n  }`,
    '}',
  ].join('\n')
}

main()
