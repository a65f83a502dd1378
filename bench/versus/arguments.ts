// The command line of the benchmark.

import { parseArgs } from 'node:util'
import { defaultCache } from './cache.ts'
import { DATA } from './datasets.ts'
import { type Method, OURS, PEERS, readOurs } from './methods.ts'

export interface DataChoice {
  readonly name: string
  readonly seeds: readonly number[]
}

export interface Settings {
  readonly data: readonly DataChoice[]
  /** Which base scores; all that a data set has if left out. */
  readonly bases: readonly string[] | undefined
  readonly seeds: readonly number[]
  /** For each entry, cases with so many calibration rows at most. */
  readonly calibrationRows: readonly (number | undefined)[]
  readonly methods: readonly Method[]
  readonly threads: number
  /** Seconds for one method on one case. */
  readonly limit: number
  readonly fresh: boolean
  readonly cache: string
  readonly python: string
  readonly out: string | undefined
  readonly page: string | undefined
  readonly quick: boolean
}

const OPTIONS = {
  data: { type: 'string' },
  bases: { type: 'string' },
  seeds: { type: 'string' },
  from: { type: 'string', default: '1' },
  'calibration-rows': { type: 'string', default: 'all' },
  methods: { type: 'string' },
  ours: { type: 'string', multiple: true },
  threads: { type: 'string' },
  limit: { type: 'string', default: '3600' },
  fresh: { type: 'boolean', default: false },
  cache: { type: 'string' },
  python: { type: 'string', default: 'python3' },
  'data-dir': { type: 'string' },
  out: { type: 'string' },
  page: { type: 'string' },
  quick: { type: 'boolean', default: false },
} as const

/** Everything but acs, on which MCGrad takes twenty minutes, and quick, which is for a glance. */
const USUAL_DATA = ['adult', 'bank', 'diabetes', 'rare', 'tiny', 'hard']
/** A second or two each. */
const QUICK_METHODS = ['isotonic', 'sigmoid', 'mcgrad', 'jin', 'hkrr', 'hjz', 'ours']

export function readArguments(given: readonly string[]): Settings {
  const { values } = parseArgs({ args: [...given], options: OPTIONS })
  if (values['data-dir'] !== undefined) process.env.FEATUREBOOST_DATA = values['data-dir']
  const { quick } = values
  const known = [...PEERS, OURS].map(({ name }) => name)
  const names = listOf(values.methods) ?? (quick ? QUICK_METHODS : known)
  const chosen = [...PEERS, OURS].filter(({ name }) => checked('methods', names, known).includes(name))
  const data = listOf(values.data) ?? (quick ? ['quick'] : USUAL_DATA)
  const bases = listOf(values.bases)
  if (bases !== undefined) checked('bases', bases, ['poor', 'strong', 'given'])
  const from = whole('from', values.from)
  const seeds = seedsFrom(from, whole('seeds', values.seeds ?? (quick ? '1' : '3')))
  const rows = values['calibration-rows']
    .split(',')
    .map(text => (text === 'all' ? undefined : whole('calibration-rows', text)))
  return {
    data: data.map(text => readData(text, seeds, from)),
    bases,
    seeds,
    calibrationRows: rows,
    methods: [...chosen, ...(values.ours ?? []).map(readOurs)],
    // On a busy machine two threads of LightGBM mostly wait for each other.
    threads: whole('threads', values.threads ?? (quick ? '1' : '2')),
    limit: whole('limit', values.limit),
    fresh: values.fresh,
    cache: values.cache ?? defaultCache(),
    python: values.python,
    out: values.out,
    page: values.page,
    quick,
  }
}

/** "acs:1" is acs with one seed. */
function readData(text: string, seeds: readonly number[], from: number): DataChoice {
  const [name, count] = text.split(':')
  checked('data', [name], Object.keys(DATA))
  return { name, seeds: count === undefined ? seeds : seedsFrom(from, whole('data', count)) }
}

const seedsFrom = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => from + index)

const listOf = (text: string | undefined): string[] | undefined =>
  text?.split(',').filter(name => name !== '')

function checked(option: string, names: readonly string[], known: readonly string[]): readonly string[] {
  const odd = names.find(name => !known.includes(name))
  if (odd !== undefined) throw new Error(`--${option}: there is no "${odd}"; there are ${known.join(', ')}.`)
  return names
}

function whole(option: string, text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number >= 1) return number
  throw new Error(`--${option}: ${text} is not a whole number from 1.`)
}

/** Where things are on this machine does not matter to the result. */
const PLACES = ['--out', '--cache', '--data-dir', '--python']

/** The command that gives the same result elsewhere. */
export function commandOf(given: readonly string[]): string {
  const isPlace = (text: string | undefined) =>
    PLACES.some(place => text === place || text?.startsWith(`${place}=`))
  const kept = given.filter((text, index) => !isPlace(text) && !PLACES.includes(given[index - 1]))
  const quote = (text: string) => (/^[\w./,:=-]+$/.test(text) ? text : `'${text}'`)
  return ['npx tsx bench/versus/run.ts', ...kept.map(quote)].join(' ')
}
