// Made-up tables with columns of every kind, and values that files are apt to get wrong. A cell is as a person would write it.

import { makeRandom } from '@featureboost/core/internal'

type Random = ReturnType<typeof makeRandom>

export const COLUMN_KINDS = [
  'int',
  'float',
  'single',
  'big',
  'bool',
  'text',
  'digits',
  'answer',
  'date',
  'moment',
  'zoned',
  'time',
  'empty',
] as const

/**
 * int     whole numbers
 * float   doubles: tiny, huge, 0.1 + 0.2, -0
 * single  floats of 32 bits, which doubles hold exactly
 * big     whole numbers beyond 2^53, as text: no double can tell them apart
 * bool    truth values
 * text    quotes, commas, line breaks, letters of the world, spaces at the ends, nothing at all
 * digits  categories that look like numbers: 007
 * answer  words for truth values: Yes and No, T and F, TRUE and FALSE
 * date, moment, zoned, time   2024-06-14, 2024-06-14 12:30:00.5, the same with a zone, 12:30:00
 * empty   no value at all
 */
export type ColumnKind = (typeof COLUMN_KINDS)[number]

export type Cell = string | number | boolean | null

export interface MadeColumn {
  readonly name: string
  readonly kind: ColumnKind
  readonly cells: readonly Cell[]
}

export interface MadeTable {
  readonly seed: number
  readonly features: readonly MadeColumn[]
  /** Label, score, and for some tables weights, folds and ids. */
  readonly roles: readonly MadeColumn[]
}

const NAMES = [
  'a',
  'b c',
  'd,e',
  'f"g',
  "h'i",
  'Größe',
  '数',
  'x_1',
  'select',
  'J.K',
  'l-m',
  'n;o',
  'p:q',
  '%r',
]

export function makeTable(seed: number): MadeTable {
  const random = makeRandom(seed)
  const rowCount = 120 + random.integer(180)
  const drawn = COLUMN_KINDS.filter(() => random.next() < 0.6)
  const kinds = drawn.some(kind => kind !== 'empty') ? drawn : [...drawn, 'int' as const]
  const names = shuffled(random, NAMES)
  const features = kinds.map((kind, index) => ({
    name: names[index],
    kind,
    cells: drawCells(random, kind, rowCount),
  }))
  const signal = features.map(({ cells }) => cells.map(cell => (hashOf(cell) % 7) / 6))
  const role = (name: string, kind: ColumnKind, draw: (row: number) => Cell): MadeColumn => ({
    name,
    kind,
    cells: Array.from({ length: rowCount }, (_, row) => draw(row)),
  })
  const score = role('score', 'float', () => Math.round(1e6 * (0.1 + 0.8 * random.next())) / 1e6)
  const chance = (row: number) =>
    0.5 * Number(score.cells[row]) + 0.5 * (signal[row % signal.length][row] ?? 0.5)
  return {
    seed,
    features,
    roles: [
      score,
      role('label', 'int', row => Number(random.next() < chance(row))),
      ...(random.next() < 0.4
        ? [role('weight', 'float', () => 0.25 + Math.round(1e3 * random.next()) / 1e3)]
        : []),
      ...(random.next() < 0.3
        ? [role('fold', 'text', () => (random.next() < 0.7 ? 'fit' : 'holdout'))]
        : random.next() < 0.5
          ? [drawIds(random, role)]
          : []),
    ],
  }
}

type MakeRole = (name: string, kind: ColumnKind, draw: () => Cell) => MadeColumn

const drawIds = (random: Random, role: MakeRole): MadeColumn =>
  random.next() < 0.5
    ? role('person', 'int', () => 1 + random.integer(60))
    : role('person', 'text', () => `p${random.integer(60)}`)

function shuffled<T>(random: Random, list: readonly T[]): T[] {
  const rest = [...list]
  return list.map(() => rest.splice(random.integer(rest.length), 1)[0])
}

function hashOf(cell: Cell): number {
  let hash = 7
  for (const letter of String(cell)) hash = (31 * hash + letter.codePointAt(0)!) % 1_000_003
  return hash
}

/** From few values or from many, with some, many or no cells missing. */
function drawCells(random: Random, kind: ColumnKind, rowCount: number): Cell[] {
  const words = pick(random, ANSWERS)
  const draw = kind === 'answer' ? () => pick(random, words) : DRAWS[kind]
  const few =
    random.next() < 0.5 ? Array.from({ length: 2 + random.integer(12) }, () => draw(random)) : undefined
  const missing = [0, 0.1, 0.5][random.integer(3)]
  const cells = Array.from({ length: rowCount }, () =>
    random.next() < missing ? null : few === undefined ? draw(random) : few[random.integer(few.length)],
  )
  return kind === 'empty' ? cells.map(() => null) : [...(NEEDED[kind] ?? []), ...cells].slice(0, rowCount)
}

/** Values without which a CSV could mean another kind: then the rows would not be the same. */
const NEEDED: Partial<Record<ColumnKind, readonly Cell[]>> = {
  float: [0.5, -0.25],
  single: [0.5, 1.25],
  big: ['9007199254740993', '-9007199254740995'],
  bool: [true, false],
  text: ['plain', 'words'],
  moment: ['2024-06-14 12:30:00', '2024-06-15 08:00:00.25'],
  zoned: ['2024-06-14 12:30:00+00:00', '2024-06-15 08:00:00+02:00'],
}

const pick = <T>(random: Random, list: readonly T[]): T => list[random.integer(list.length)]
const two = (value: number) => String(value).padStart(2, '0')

const FLOATS = [
  0.1 + 0.2,
  1e-300,
  -1e300,
  5e-324,
  1.7976931348623157e308,
  -0,
  1 / 3,
  1e22,
  123456789.12345679,
  1e-7,
]
const WORDS = [
  '',
  'plain',
  'Ünï cödé',
  '東京',
  '🚲 bike',
  // After the bicycle in UTF-8, before it in UTF-16.
  'ｗｉｄｅ',
  'a, b',
  'say "no"',
  'two\nlines',
  'return\r\nline',
  'tab\there',
  "it's",
  ' before',
  'after ',
  'semi;colon',
  'NULL',
  'NA',
  'nan',
  '#hash',
  '\\slash',
  '1,5',
  '-',
  '=1+1',
  'é',
  'é',
]

const ANSWERS = [
  ['Yes', 'No'],
  ['yes', 'no'],
  ['T', 'F'],
  ['TRUE', 'FALSE'],
  ['True', 'false'],
  ['y', 'n', 'Y'],
]

const drawDate = (random: Random): string =>
  new Date(86_400_000 * (random.integer(60_000) - 20_000)).toISOString().slice(0, 10)

const drawClock = (random: Random): string =>
  `${two(random.integer(24))}:${two(random.integer(60))}:${two(random.integer(60))}`

const drawFraction = (random: Random): string => pick(random, ['', '.5', '.123', '.000001', '.999999'])

const DRAWS: Readonly<Record<Exclude<ColumnKind, 'answer'>, (random: Random) => Cell>> = {
  int: random => pick(random, [0, 1, -1, 7, 2 ** 31, -(2 ** 31), 2 ** 53 - 1, random.integer(1000) - 500]),
  float: random => (random.next() < 0.3 ? pick(random, FLOATS) : 1000 * random.next() - 500),
  single: random => Math.fround(100 * random.next()),
  big: random =>
    String((random.next() < 0.5 ? 1n : -1n) * (2n ** 53n + BigInt(random.integer(2 ** 31)) * 2n ** 30n + 1n)),
  bool: random => random.next() < 0.5,
  text: random => pick(random, WORDS),
  digits: random => pick(random, ['007', '7', '07', '1e5', '10', '0x10', '00', String(random.integer(50))]),
  date: drawDate,
  moment: random => `${drawDate(random)} ${drawClock(random)}${drawFraction(random)}`,
  zoned: random =>
    `${drawDate(random)} ${drawClock(random)}${drawFraction(random)}${pick(random, ['+00:00', '+02:00', '-05:30'])}`,
  time: random => drawClock(random) + drawFraction(random),
  empty: () => null,
}
