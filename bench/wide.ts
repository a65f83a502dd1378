// Audits of wide tables: time and peak memory, each in a process of its own.
//
//   npx tsx bench/wide.ts [--rows 5000] [--columns 30,60,120,300,2000] [--draws 199] [--values 4] [--gap 0.25]
//
// Half of the columns are numbers, half have five values; with --values all have 2 up to so many. The score is too low by --gap where the
// first is large and the second small: as much as 0.25 is plain without draws of the noise, near nothing is plain after a few.
// Build first.

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { audit, makeTable } from '@featureboost/core'
import { formatCount, makeRandom } from '@featureboost/core/internal'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '5000' },
    columns: { type: 'string', default: '30,60,120,300,2000' },
    draws: { type: 'string', default: '199' },
    values: { type: 'string', default: '0' },
    gap: { type: 'string', default: '0.25' },
    /** Set by this script for its own processes. */
    alone: { type: 'boolean', default: false },
  },
})

const rows = Number(values.rows)
const most = Number(values.values)
if (values.alone) await measure(Number(values.columns))
else {
  console.log(`audits of ${formatCount(rows)} rows, up to ${values.draws} draws`)
  for (const columns of values.columns.split(',')) {
    const { alone, columns: _, ...others } = values
    const given = Object.entries({ ...others, columns }).flatMap(([name, value]) => [`--${name}`, value])
    const script = fileURLToPath(import.meta.url)
    const { stderr, stdout } = spawnSync(process.execPath, ['--import', 'tsx', script, ...given, '--alone'], {
      encoding: 'utf8',
    })
    process.stdout.write(stdout || stderr)
  }
}

async function measure(columns: number): Promise<void> {
  const table = wideTable(columns)
  const [begun, used] = [performance.now(), process.cpuUsage()]
  const found = await audit(table, { label: 'y', prediction: 'score', draws: Number(values.draws) })
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  const { system, user } = process.cpuUsage(used)
  const cpu = ((system + user) / 1e6).toFixed(1)
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1024)
  console.log(
    `${formatCount(columns)} columns: ${seconds} s, CPU ${cpu} s, ${megabytes} MB at most, ${found.significance.draws} draws. ${found.verdict}`,
  )
}

function wideTable(columns: number) {
  const random = makeRandom(12)
  const draw = (column: number) => {
    if (most > 0) return random.integer(2 + (column % (most - 1)))
    return column % 2 === 0 ? random.next() : random.integer(5)
  }
  const features = Array.from({ length: columns }, (_, column) =>
    Float64Array.from({ length: rows }, () => draw(column)),
  )
  const score = Float64Array.from({ length: rows }, () => 0.05 + 0.7 * random.next())
  const y = score.map((chance, row) => {
    const isOff = features[0][row] > 0.7 && features[1][row] < 2
    return Number(random.next() < chance + (isOff ? Number(values.gap) : 0))
  })
  return makeTable({
    ...Object.fromEntries(features.map((column, index) => [`x${index}`, column])),
    score,
    y,
  })
}
