// The audit measured: how long it takes, how often it finds a planted group, how often it raises a false alarm.
//
//   npx tsx bench/audit.ts speed   [--rows 1000000]
//   npx tsx bench/audit.ts planted [--seeds 100] [--rows 200000] [--search trees|groups]
//   npx tsx bench/audit.ts null    [--seeds 100] [--rows 200000] [--search trees|groups]
//   npx tsx bench/audit.ts example [--rows 20000]
//
// planted: 500 random groups of two conditions, each with at least 2 % of the rows; the labels of one of them are shifted
// by 0.05. Is it, or a group that shares 80 % of the rows of either, ranked first? null: the same without a shift.
// example: the audit that docs/audit.md reads, of the demo's lending population.

import { parseArgs } from 'node:util'
import { audit, type Estimate, groups, makeTable, type Predicate, type Table } from '@featureboost/core'
import { makeRandom, type Random } from '@featureboost/core/internal'
import { makeLendingPopulation } from '../packages/cli/src/demo/population.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string' },
    seeds: { type: 'string', default: '100' },
    search: { type: 'string', default: 'trees' },
    shift: { type: 'string', default: '0.05' },
    json: { type: 'boolean', default: false },
  },
})
const FEATURES = 10
const GROUPS = 500
const LEAST_SHARE = 0.02
const OVERLAP = 0.8

type Columns = Readonly<Record<string, Float64Array>>

function drawColumns(random: Random, rowCount: number): Record<string, Float64Array> {
  const draw = () => Float64Array.from({ length: rowCount }, () => random.next())
  const features = Array.from({ length: FEATURES }, (_, index) => [`x${index}`, draw()])
  return { ...Object.fromEntries(features), score: draw().map(u => 0.1 + 0.8 * u) }
}

/** Labels drawn from the scores, shifted for the rows of one group. */
function drawLabels(random: Random, { score }: Columns, isShifted: (row: number) => boolean, shift: number) {
  return score.map((probability, row) => Number(random.next() < probability + (isShifted(row) ? shift : 0)))
}

interface Group {
  readonly where: readonly Predicate[]
  readonly members: (row: number) => boolean
}

/** Two conditions on different columns, each side as likely as the other. */
function drawGroup(random: Random, columns: Columns, rowCount: number): Group {
  for (;;) {
    const one = random.integer(FEATURES)
    const other = (one + 1 + random.integer(FEATURES - 1)) % FEATURES
    const tests = [one, other].map(feature => ({
      column: `x${feature}`,
      cut: Math.round((0.05 + 0.9 * random.next()) * 100) / 100,
      below: random.next() < 0.5,
    }))
    const members = (row: number) =>
      tests.every(({ below, column, cut }) => columns[column][row] <= cut === below)
    let size = 0
    for (let row = 0; row < rowCount; row++) if (members(row)) size++
    if (size < LEAST_SHARE * rowCount) continue
    const where = tests.map(({ below, column, cut }) =>
      below ? { column, atMost: cut } : { column, above: cut },
    )
    return { where, members }
  }
}

const satisfies = (columns: Columns, row: number) => (predicate: Predicate) => {
  const value = columns[predicate.column][row]
  if ('atMost' in predicate) return value <= Number(predicate.atMost)
  if ('above' in predicate) return value > Number(predicate.above)
  throw new Error('another kind of predicate')
}

/** Rows in both over rows in either. */
function overlapOf(columns: Columns, rowCount: number, planted: Group, where: readonly Predicate[]): number {
  let [both, either] = [0, 0]
  for (let row = 0; row < rowCount; row++) {
    const found = where.every(satisfies(columns, row))
    const own = planted.members(row)
    if (found && own) both++
    if (found || own) either++
  }
  return both / either
}

async function measurePlanted(shift: number): Promise<void> {
  const rowCount = Number(values.rows ?? 200_000)
  const seeds = Number(values.seeds)
  let [first, alarms, seconds] = [0, 0, 0]
  const overlaps: number[] = []
  for (let seed = 1; seed <= seeds; seed++) {
    const random = makeRandom(seed)
    const columns = drawColumns(random, rowCount)
    const declared = Array.from({ length: values.search === 'groups' ? GROUPS : 1 }, () =>
      drawGroup(random, columns, rowCount),
    )
    const planted = declared[random.integer(declared.length)]
    const label = drawLabels(random, columns, planted.members, shift)
    const started = performance.now()
    const result = await audit(makeTable({ ...columns, label }), {
      label: 'label',
      prediction: 'score',
      ...(values.search === 'groups' && { auditors: groups(declared.map(({ where }) => where)) }),
    })
    seconds += (performance.now() - started) / 1000
    if (result.significance.beyondNoise) alarms++
    const overlap = overlapOf(columns, rowCount, planted, result.worst[0].where)
    overlaps.push(overlap)
    if (overlap >= OVERLAP) first++
    const { draws, largestZ, p } = result.significance
    if (!values.json)
      console.log(
        `seed ${seed}: overlap ${overlap.toFixed(2)}, |z| ${largestZ.toFixed(1)}, p ${p.toPrecision(2)} (${draws} draws)  ${result.worst[0].group}`,
      )
  }
  const figures = {
    rows: rowCount,
    seeds,
    search: values.search,
    shift,
    beyondNoise: alarms / seeds,
    rankedFirst: shift === 0 ? undefined : first / seeds,
    medianOverlap: shift === 0 ? undefined : overlaps.sort((a, b) => a - b)[seeds >> 1],
    secondsPerAudit: seconds / seeds,
  }
  console.log(JSON.stringify(figures, null, 2))
}

async function measureSpeed(): Promise<void> {
  const rowCount = Number(values.rows ?? 1_000_000)
  const random = makeRandom(1)
  const columns = drawColumns(random, rowCount)
  const members = (row: number) => columns.x0[row] <= 0.2 && columns.x1[row] > 0.8
  const timed = async (name: string, table: Table) => {
    let best = Number.POSITIVE_INFINITY
    let words = ''
    for (let attempt = 0; attempt < 3; attempt++) {
      const begun: [string, number][] = []
      const onPhase = (phase: string) => begun.push([phase, performance.now()])
      const { significance, verdict } = await audit(table, { label: 'label', prediction: 'score', onPhase })
      const ended = performance.now()
      const seconds = (ended - begun[0][1]) / 1000
      if (seconds >= best) continue
      best = seconds
      const spent = begun.map(
        ([phase, at], index) => `${phase} ${(((begun[index + 1]?.[1] ?? ended) - at) / 1000).toFixed(2)}`,
      )
      words = `${spent.join(', ')}. ${verdict} (${significance.groupsTested} groups, ${significance.testCount} tests, ${significance.draws} draws)`
    }
    console.log(`${name}: ${best.toFixed(2)} s: ${words}`)
    return best
  }
  const shifted = makeTable({ ...columns, label: drawLabels(random, columns, members, 0.05) })
  const found = await timed('one group shifted by 0.05', shifted)
  const calm = makeTable({ ...columns, label: drawLabels(random, columns, () => false, 0) })
  const nothing = await timed('nothing shifted', calm)
  console.log(
    JSON.stringify({ rows: rowCount, features: FEATURES, secondsFound: found, secondsNothing: nothing }),
  )
}

async function printExample(): Promise<void> {
  const { columns } = makeLendingPopulation({ rows: Number(values.rows ?? 20_000), seed: 1 })
  const options = { label: 'defaulted', prediction: 'score', segmentDepth: 2 }
  const found = await audit(makeTable(columns), options)
  const { measures } = found
  const show = (name: string, { high, low, value }: Estimate) =>
    console.log(`${name}: ${value.toFixed(4)} (${low.toFixed(4)} to ${high.toFixed(4)})`)
  console.log(found.verdict)
  show('Brier score', measures.brier)
  show('log loss', measures.logLoss)
  show('AUC', measures.auc!)
  show('ECE, equal width', measures.eceWidth)
  show('smooth ECE', measures.smoothEce)
  show('ECCE', measures.ecce)
  show('MCE sigma', found.mce!.sigma)
  show('multiaccuracy error', found.multiaccuracy)
  show('multicalibration error', found.multicalibration)
  show('level-set error', found.levelSet)
  show('swap regret', found.swapRegret)
  for (const finding of found.worst.slice(0, 5)) console.log(`- ${finding.sentence}\n  ${finding.sql}`)
  console.log(`too small: ${found.significance.groupsTooSmall}`)
  for (const small of found.notEnoughEvidence.slice(0, 3))
    console.log(
      `- ${small.group}: ${small.weight} rows, only a gap of ${small.detectableGap.toFixed(2)} would show`,
    )
}

if (positionals[0] === 'example') await printExample()
else if (positionals[0] === 'planted') await measurePlanted(Number(values.shift))
else if (positionals[0] === 'null') await measurePlanted(0)
else await measureSpeed()
