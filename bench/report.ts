// How large a report is, and how long its evidence takes: npx tsx bench/report.ts [rows]. Needs the built template.

import { readFileSync } from 'node:fs'
import { collectEvidence, type Evidence, fitWithTrace, makeTable, reportHtml } from '@featureboost/core'
import { formatCount, makeRandom } from '@featureboost/core/internal'

const rows = Number(process.argv[2] ?? 1_000_000)
const COLUMNS = 10

/** Ten columns of a dozen values: more than a thousand groups of two conditions. */
function makePopulation() {
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

const template = readFileSync(new URL('../packages/cli/dist/studio/report.html', import.meta.url), 'utf8')

function tell(what: string, evidence: Evidence, started: number): void {
  const bytes = Buffer.byteLength(reportHtml(template, evidence))
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const groups = formatCount(evidence.segments.segments.length)
  console.log(`${what}: ${formatCount(bytes)} bytes, ${groups} groups drawn, ${seconds} s`)
}

const table = makePopulation()
console.log(
  `${formatCount(rows)} rows x ${COLUMNS} columns; the empty template: ${formatCount(template.length)} bytes`,
)
let started = performance.now()
tell('a score', await collectEvidence(table, { label: 'y', prediction: 'score' }), started)
const { model } = await fitWithTrace(table, { label: 'y', prediction: 'score' })
started = performance.now()
tell('before and after', await collectEvidence(table, { model }), started)
