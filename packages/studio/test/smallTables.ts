// Small tables of every kind that people have: rare and common outcomes, weights, missing values, categories of one row, dates, truth
// values, few rows, one class only, scores that are perfect, constant or in percent, labels in words, protected columns.

import { makeRandom, type Random } from '@featureboost/core/internal'
import type { Role, Words } from '../src/data/roles.ts'

export interface SmallTable {
  readonly name: string
  readonly csv: string
  readonly roles: ReadonlyMap<string, Role>
  readonly words: Words
}

type Cell = string | number
type Rows = Readonly<Record<string, readonly Cell[]>>

interface Drawn {
  readonly rows: Rows
  readonly roles?: Readonly<Record<string, Role>>
  readonly words?: Words
}

/** What a kind makes of a plain table of so many rows. */
type Kind = (plain: Rows, random: Random) => Drawn

const clip = (score: number) => Math.min(1, Math.max(0, score))
const every = (length: number, cell: (row: number) => Cell): Cell[] =>
  Array.from({ length }, (_, row) => cell(row))
const sizeOf = (rows: Rows): number => rows.y.length

/** Scores that are wrong for one region, or for nobody. */
function plainRows(rowCount: number, rate: number, off: number, random: Random): Rows {
  const region = every(rowCount, () => ['east', 'north', 'south', 'west'][random.integer(4)])
  const age = every(rowCount, () => 20 + 10 * random.integer(5))
  const truth = region.map(() => clip(rate * (0.4 + 1.2 * random.next())))
  const score = truth.map((p, row) => clip(region[row] === 'east' ? p * (1 - off) : p).toFixed(3))
  return { region, age, score, y: truth.map(p => Number(random.next() < p)) }
}

const KINDS: Readonly<Record<string, Kind>> = {
  plain: rows => ({ rows }),
  weights: (rows, random) => ({
    rows: { ...rows, copies: every(sizeOf(rows), () => [0.5, 1, 2, 7][random.integer(4)]) },
    roles: { copies: 'weight' },
  }),
  'missing values': (rows, random) => {
    const holes = (cells: readonly Cell[]) => cells.map(cell => (random.integer(5) === 0 ? '' : cell))
    return { rows: { ...rows, region: holes(rows.region), age: holes(rows.age) } }
  },
  'rare categories': (rows, random) => {
    const town = every(sizeOf(rows), row => (random.integer(3) === 0 ? `town ${row % 7}` : 'city'))
    return { rows: { ...rows, town } }
  },
  dates: (rows, random) => ({
    rows: { ...rows, since: every(sizeOf(rows), () => `2021-0${1 + random.integer(9)}-15`) },
  }),
  'truth values': (rows, random) => ({
    rows: { ...rows, member: every(sizeOf(rows), () => String(random.integer(3) === 0)) },
  }),
  'few rows': rows => ({
    rows: Object.fromEntries(Object.entries(rows).map(([name, cells]) => [name, cells.slice(0, 14)])),
  }),
  'one class only': (rows, random) => ({
    rows: { ...rows, y: every(sizeOf(rows), () => Number(random.integer(1) === 1)) },
  }),
  'a perfect score': rows => ({ rows: { ...rows, score: rows.y } }),
  'a constant score': rows => ({ rows: { ...rows, score: every(sizeOf(rows), () => 0.3) } }),
  'a score in percent': rows => ({
    rows: { ...rows, score: rows.score.map(score => (100 * Number(score)).toFixed(1)) },
    words: { scoreScale: 'percent' },
  }),
  'labels in words': rows => ({
    rows: { ...rows, y: rows.y.map(label => (label === 1 ? 'bad' : 'good')) },
    words: { positive: 'bad' },
  }),
  'protected columns': rows => ({ rows, roles: { region: 'group' } }),
  'codes that are names': (rows, random) => ({
    rows: { ...rows, code: every(sizeOf(rows), () => 100 + random.integer(4)) },
    words: { categorical: ['code'] },
  }),
}

const NAMES = Object.keys(KINDS)
const ROLES: Readonly<Record<string, Role>> = { score: 'score', y: 'label' }

/** Kinds take turns, and within a kind sizes, rates and errors. The same index gives the same table. */
export function smallTable(index: number): SmallTable {
  const random = makeRandom(1000 + index)
  const kind = NAMES[index % NAMES.length]
  const turn = Math.floor(index / NAMES.length)
  const rate = [0.5, 0.12, 0.8, 0.03, 0.3][turn % 5]
  const off = [0, 0.5, 0.9][turn % 3]
  const drawn = KINDS[kind](
    plainRows((turn % 4 === 1 ? 90 : 24) + random.integer(40), rate, off, random),
    random,
  )
  const names = Object.keys(drawn.rows)
  const lines = every(sizeOf(drawn.rows), row => names.map(name => drawn.rows[name][row]).join())
  return {
    name: `${index}: ${kind}`,
    csv: `${[names.join(), ...lines].join('\n')}\n`,
    roles: new Map(names.map(name => [name, drawn.roles?.[name] ?? ROLES[name] ?? 'feature'])),
    words: drawn.words ?? {},
  }
}
