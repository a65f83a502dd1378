// Labels between 0 and 1: what is behind the figures of docs/decisions/0019.
//
//   npx tsx bench/fractional.ts [power|ties] [--audits 200]
//
// power  how often a group that is off is found, and named first: with labels as they are, and with labels rounded at random
// ties   the largest chance of a small p-value over labels of two values, for a single group of one score: exact sums

import { parseArgs } from 'node:util'
import { layoutTable } from '../packages/cli/src/terminal/layout.ts'
import { trees } from '../packages/core/src/classes/auditors.ts'
import { makeRandom, type Random } from '../packages/core/src/common/random.ts'
import { tableFromRows } from '../packages/core/src/data/table.ts'
import { searchTable } from './worlds/named/search.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { audits: { type: 'string', default: '200' } },
})
const ROWS = 1000
const GAPS = [0, 0.05, 0.08, 0.1, 0.12, 0.15]
const TRIALS = [3, 20]

function drawRow(random: Random, gap: number, trials: number, isRounded: boolean): Record<string, unknown> {
  const flip = (chance: number) => Number(random.next() < chance)
  const city = 'ABCD'[random.integer(4)]
  const age = random.integer(6)
  const score = 0.1 + 0.7 * random.next()
  const chance = score + (city === 'B' ? gap : 0)
  let ones = 0
  for (let trial = 0; trial < trials; trial++) ones += flip(chance)
  const rounded = flip(ones / trials)
  return { city, age, score, y: isRounded ? rounded : ones / trials }
}

async function foundShares(gap: number, trials: number, isRounded: boolean, audits: number) {
  let [found, named] = [0, 0]
  for (let number = 1; number <= audits; number++) {
    const random = makeRandom(number)
    const rows = Array.from({ length: ROWS }, () => drawRow(random, gap, trials, isRounded))
    const { significance, worst } = await searchTable(tableFromRows(rows), {
      ...{ label: 'y', prediction: 'score', auditors: trees({ depth: 1 }), copies: 'independent' },
      ...{ bins: 1, coarseBins: 6, draws: 99, threads: 1 },
    })
    if (significance.p > 0.05) continue
    found++
    if (worst[0].group === 'city = B') named++
  }
  return [found, named].map(count => (count / audits).toFixed(3))
}

async function printPower(audits: number): Promise<void> {
  const rows: string[][] = []
  for (const trials of TRIALS) {
    for (const gap of GAPS) {
      const shares = [
        ...(await foundShares(gap, trials, false, audits)),
        ...(await foundShares(gap, trials, true, audits)),
      ]
      rows.push([String(trials), String(gap), ...shares])
    }
  }
  const header = ['trials', 'gap', 'p <= 0.05', 'named first', 'rounded: p <= 0.05', 'named first']
  console.log(layoutTable(header, rows))
}

/** Chances of 0 to n ones. */
function binomial(n: number, chance: number): number[] {
  const found = [(1 - chance) ** n]
  for (let ones = 1; ones <= n; ones++)
    found.push((found[ones - 1] * (n - ones + 1) * chance) / (ones * (1 - chance)))
  return found
}

/** P(p <= level) where labels are 0 or `value`, and p is the chance that labels of 0 and 1 are as far off. */
function chanceOfSmall(rows: number, score: number, value: number, level: number): number {
  const off = (ones: number, each: number) => Math.abs(each * ones - rows * score)
  const drawn = binomial(rows, score).map((chance, ones) => [off(ones, 1), chance] as const)
  const pOf = (distance: number) =>
    drawn.reduce((sum, [each, chance]) => (each >= distance - 1e-9 ? sum + chance : sum), 0)
  return binomial(rows, score / value).reduce(
    (sum, chance, ones) => (chance > 1e-12 && pOf(off(ones, value)) <= level ? sum + chance : sum),
    0,
  )
}

const SCORES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5]
const VALUES = [0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99, 0.995, 0.999]
const MORE_ROWS = [0, 1, 2, 3, 5, 8, 13, 21, 50, 100]

function printTies(): void {
  for (const level of [0.05, 0.01]) {
    let [worst, tried] = [{ chance: 0, words: '' }, 0]
    for (const score of SCORES) {
      for (const more of MORE_ROWS) {
        const rows = Math.ceil(10 / (score * (1 - score))) + more
        for (const value of VALUES.filter(each => each > score)) {
          tried++
          const chance = chanceOfSmall(rows, score, value, level)
          const exact = chanceOfSmall(rows, score, 1, level)
          const words = `${rows} rows, score ${score}, labels of 0 and ${value}; of 0 and 1: ${exact.toFixed(4)}`
          if (chance > worst.chance) worst = { chance, words }
        }
      }
    }
    console.log(`P(p <= ${level}) at most ${worst.chance.toFixed(4)} of ${tried} cases: ${worst.words}`)
  }
}

const [what] = positionals
if (what !== 'ties') await printPower(Number(values.audits))
if (what !== 'power') printTies()
