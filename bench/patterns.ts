// Are the patterns of an audit what was planted? Populations whose score is the truth but for one to three groups of two conditions, and of
// each, as many patterns as groups, every one sharing 80 % of its rows with its group: the figure of docs/audit.md.
//
//   npx tsx bench/patterns.ts [--worlds 100] [--rows 8000] [--from 1]

import { parseArgs } from 'node:util'
import { isRecovered, plantWorld, recover } from '../packages/core/test/audit/worst/planted.ts'

const { values } = parseArgs({
  options: {
    worlds: { type: 'string', default: '100' },
    rows: { type: 'string', default: '8000' },
    from: { type: 'string', default: '1' },
  },
})
const [worlds, rows, from] = [values.worlds, values.rows, values.from].map(Number)

let [recovered, findings, explained] = [0, 0, 0]
for (let seed = from; seed < from + worlds; seed++) {
  const world = plantWorld(seed, rows, [0.08, 0.2])
  const found = await recover(world)
  findings += found.findings
  explained += found.explained
  if (isRecovered(found)) recovered++
  else {
    const overlaps = found.overlaps.map(each => each.toFixed(2)).join(', ')
    console.log(`seed ${seed}: ${found.found} patterns, ${found.planted} planted, overlaps ${overlaps}`)
    for (const { shift, words } of world.planted) console.log(`  ${words}: ${shift.toFixed(2)}`)
  }
}
console.log(
  `${recovered} of ${worlds} worlds recovered; their patterns explain ${explained} of ${findings} findings`,
)
