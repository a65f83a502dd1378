// How long a report takes, and how large it is. Needs a build.
//
//   npx tsx bench/report.ts [rows=1000000]                        evidence of a made-up table, and its bytes
//   npx tsx bench/report.ts adult [--runs 3] [--program FILE]     `fit --report` of a real table, as a process
//
// The second runs `featureboost fit --report` on the table as it is, and with the score of a logistic regression that was fitted to
// 40 % of its rows. `--program` names the main.js of another build to be run in turn with this one.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { collectEvidence, type Evidence, fitWithTrace, makeTable, reportHtml } from '@featureboost/core'
import { formatCount, makeRandom } from '@featureboost/core/internal'
import { findDataset, loadDataset } from './data/dataset.ts'
import { logisticScore } from './data/logistic.ts'
import { type ProcessRun, runProcess } from './data/process.ts'
import { splitRows } from './data/split.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '3' }, program: { type: 'string' } },
})
const [asked = '1000000'] = positionals
const COLUMNS = 10

if (Number.isNaN(Number(asked))) await measureFits(asked)
else await measureEvidence(Number(asked))

async function measureFits(name: string): Promise<void> {
  const own = fileURLToPath(new URL('../packages/cli/bin/featureboost.js', import.meta.url))
  const programs = [own, ...(values.program === undefined ? [] : [values.program])]
  const folder = mkdtempSync(join(tmpdir(), 'featureboost-report-'))
  try {
    const tables = { 'without a score': [findDataset(name)], scored: scoredTable(name, folder) }
    for (const [words, table] of Object.entries(tables)) {
      const taken = programs.map((): ProcessRun[] => [])
      for (let run = 0; run < Number(values.runs); run++)
        for (const [index, program] of programs.entries())
          taken[index].push(await runFit(program, table, folder))
      for (const [index, program] of programs.entries()) {
        const least = (of: 'wall' | 'cpu') => Math.min(...taken[index].map(each => each[of])).toFixed(1)
        const whose = program === own ? 'this build' : program
        console.log(
          `${name}, ${words}, ${whose}: ${least('wall')} s, CPU ${least('cpu')} s (least of ${values.runs} runs)`,
        )
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function scoredTable(name: string, folder: string): string[] {
  const { columns, label, rowCount } = loadDataset(name)
  const [baseRows] = splitRows(rowCount, [0.4, 0.6], 1)
  const score = Array.from(logisticScore({ columns, label, rows: baseRows }))
  const lists = Object.entries({ ...columns, base_score: score })
  const lines = [lists.map(([column]) => column).join()]
  for (let row = 0; row < rowCount; row++) lines.push(lists.map(([, list]) => list[row] ?? '').join())
  const file = join(folder, 'scored.csv')
  writeFileSync(file, lines.join('\n'))
  return [file, '--prediction', 'base_score']
}

/** Of the whole process. */
async function runFit(program: string, table: readonly string[], folder: string): Promise<ProcessRun> {
  const out = ['--out', 'model.json', '--report', 'report.html', '--force', '--quiet', '--json']
  return await runProcess([program, 'fit', ...table, '--label', 'label', ...out], folder)
}

async function measureEvidence(rows: number): Promise<void> {
  const template = readFileSync(new URL('../packages/cli/dist/studio/report.html', import.meta.url), 'utf8')
  const table = makePopulation(rows)
  console.log(
    `${formatCount(rows)} rows x ${COLUMNS} columns; the empty template: ${formatCount(template.length)} bytes`,
  )
  let started = performance.now()
  tell(template, 'a score', await collectEvidence(table, { label: 'y', prediction: 'score' }), started)
  const { model } = await fitWithTrace(table, { label: 'y', prediction: 'score' })
  started = performance.now()
  tell(template, 'before and after', await collectEvidence(table, { model }), started)
}

/** Ten columns of a dozen values: more than a thousand groups of two conditions. */
function makePopulation(rows: number) {
  const random = makeRandom(11)
  const columns: Record<string, Float64Array | string[]> = {}
  for (let index = 0; index < COLUMNS; index++) {
    columns[`column_${index}`] =
      index % 2 === 0
        ? Float64Array.from({ length: rows }, () => random.integer(1000))
        : Array.from({ length: rows }, () => `value ${random.integer(12)}`)
  }
  const score = Float64Array.from({ length: rows }, () => random.next())
  const wrong = (row: number) => (columns.column_1[row] === 'value 3' ? 0.1 : 0)
  const y = score.map((p, row) => Number(random.next() < p * 0.9 + wrong(row)))
  return makeTable({ ...columns, score, y })
}

function tell(template: string, what: string, evidence: Evidence, started: number): void {
  const bytes = Buffer.byteLength(reportHtml(template, evidence))
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const groups = formatCount(evidence.segments.segments.length)
  console.log(`${what}: ${formatCount(bytes)} bytes, ${groups} groups drawn, ${seconds} s`)
}
