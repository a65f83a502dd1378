// Populations with planted errors: a score that is the truth, but for a few groups of two conditions whose outcomes are shifted.

import { searchTable } from '../../../../../bench/worlds/named/search.ts'
import { makeTable, type Table } from '../../../src/index.ts'
import { makeRandom, matchRows, type Random } from '../../../src/internal.ts'

interface Planted {
  readonly words: string
  readonly rows: Uint8Array
  readonly shift: number
}

export interface PlantedWorld {
  readonly table: Table
  readonly planted: readonly Planted[]
}

type Test = readonly [words: string, holds: (row: number) => boolean]

/** `sizes`: the least and the largest share of the rows that a planted group has. */
export function plantWorld(seed: number, rowCount: number, sizes: readonly [number, number]): PlantedWorld {
  const random = makeRandom(seed)
  const draw = <T>(of: () => T): T[] => Array.from({ length: rowCount }, of)
  const job = draw(() => ['cook', 'driver', 'nurse', 'teacher'][random.integer(4)])
  const region = draw(() => ['east', 'north', 'south', 'west', 'islands'][random.integer(5)])
  const owner = draw(() => random.next() < 0.4)
  const age = draw(() => 18 + random.integer(60))
  const income = draw(() => Math.round(12_000 + 60_000 * random.next() ** 2))
  const truth = draw(() => 0.25 + 0.5 * random.next())
  const sides: readonly (readonly Test[])[] = [
    ['cook', 'driver', 'nurse', 'teacher'].map((name): Test => [`job = ${name}`, row => job[row] === name]),
    ['east', 'north', 'south', 'west'].map((name): Test => [`region = ${name}`, row => region[row] === name]),
    [true, false].map((value): Test => [`owner = ${value}`, row => owner[row] === value]),
    [30, 40, 55].map((cut): Test => [`age <= ${cut}`, row => age[row] <= cut]),
    [18_000, 30_000].map((cut): Test => [`income > ${cut}`, row => income[row] > cut]),
  ]
  const planted: Planted[] = []
  const wanted = 1 + random.integer(3)
  // Where there is no room for another group apart from the others, there are fewer.
  for (let tries = 0; tries < 200 && planted.length < wanted; tries++) {
    const group = drawGroup(random, sides, rowCount)
    const share = sum(group.rows) / rowCount
    const isApart = planted.every(({ rows }) => overlap(rows, group.rows) < 0.05)
    if (share >= sizes[0] && share <= sizes[1] && isApart) planted.push(group)
  }
  const y = truth.map((chance, row) => {
    const shift = planted.reduce((all, { rows, shift }) => all + rows[row] * shift, 0)
    return Number(random.next() < chance + shift)
  })
  const table = makeTable({ job, region, owner, age, income, score: truth, y })
  return { table, planted }
}

function drawGroup(random: Random, sides: readonly (readonly Test[])[], rowCount: number): Planted {
  const first = random.integer(sides.length)
  const second = (first + 1 + random.integer(sides.length - 1)) % sides.length
  const tests = [first, second].map(column => sides[column][random.integer(sides[column].length)])
  const rows = Uint8Array.from({ length: rowCount }, (_, row) =>
    Number(tests.every(([, holds]) => holds(row))),
  )
  const shift = (0.18 + 0.06 * random.next()) * (random.next() < 0.5 ? 1 : -1)
  return { words: tests.map(([words]) => words).join(' and '), rows, shift }
}

const sum = (rows: Uint8Array): number => rows.reduce((all, row) => all + row, 0)

/** Rows in both over rows in either. */
function overlap(one: Uint8Array, other: Uint8Array): number {
  let [both, either] = [0, 0]
  for (let row = 0; row < one.length; row++) {
    both += one[row] & other[row]
    either += one[row] | other[row]
  }
  return either === 0 ? 0 : both / either
}

export interface Recovered {
  readonly found: number
  readonly planted: number
  /** Of each planted group with the pattern that is nearest. */
  readonly overlaps: readonly number[]
  readonly findings: number
  readonly explained: number
}

/** As many patterns as groups were planted, and each of these nearly the rows of one. */
export const isRecovered = ({ found, overlaps, planted }: Recovered): boolean =>
  found === planted && overlaps.every(each => each >= 0.8)

export async function recover({ planted, table }: PlantedWorld): Promise<Recovered> {
  const asked = { label: 'y', prediction: 'score', draws: 0, bins: 4, coarseBins: 16 } as const
  const { patterns } = await searchTable(table, { ...asked, copies: 'independent' })
  const rows = patterns.groups.map(({ where }) => matchRows(table, where))
  return {
    found: patterns.groups.length,
    planted: planted.length,
    overlaps: planted.map(group => Math.max(0, ...rows.map(each => overlap(group.rows, each)))),
    findings: patterns.findings,
    explained: patterns.explained,
  }
}
