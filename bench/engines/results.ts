// What bench/engines.ts has measured: kept in a file from one run to the next, compared between engines, and printed as tables.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'

export interface Measured {
  readonly what: string
  readonly engine: string
  readonly rows: number
  readonly seconds: number
  /** Of this process with all its threads, and of Spark's. */
  readonly cpu: number
  readonly statements: number
  readonly numbers: number
  /** That came over the wire. */
  readonly bytes: number
  /** Of this process, so far. */
  readonly peakMegabytes: number
  /** The machine's over the last minute, when it began. */
  readonly load: number
  readonly date: string
  /** Of the answer; none where there is nothing to compare. */
  readonly hash: string | undefined
}

export const FIT = 'default fit'
export const BY_HAND = ', by hand'

export class Results {
  readonly #path: string | undefined
  #all: readonly Measured[] = []

  /** `path`: a file to go on with. */
  constructor(path: string | undefined) {
    this.#path = path
    if (path !== undefined && existsSync(path))
      this.#all = JSON.parse(readFileSync(path, 'utf8')) as Measured[]
  }

  get all(): readonly Measured[] {
    return this.#all
  }

  /** What was measured before of the same is replaced. Throws where another engine has another answer. */
  add(found: readonly Measured[]): void {
    const isSame = (one: Measured, other: Measured) =>
      one.what === other.what && one.engine === other.engine && one.rows === other.rows
    this.#all = [...this.#all.filter(each => !found.some(one => isSame(one, each))), ...found]
    if (this.#path !== undefined) writeFileSync(this.#path, `${JSON.stringify(this.#all, null, 2)}\n`)
    for (const { hash, rows, what } of found) {
      const others = this.#all.filter(each => each.what === what && each.rows === rows && each.hash !== hash)
      if (others.length > 0) throw new Error(`${what} at ${rows} rows differs between engines`)
    }
  }

  /** Tables in Markdown: fits, then questions about each number of rows, then how time grows. */
  *tables(): Generator<string> {
    const fits = this.#all.filter(({ what }) => what === FIT)
    if (fits.length > 0) yield fitTable(fits)
    const asked = this.#all.filter(({ what }) => what !== FIT)
    for (const rows of distinct(asked.map(each => each.rows)))
      yield questionTable(asked.filter(each => each.rows === rows))
    const growth = growthTable(this.#all)
    if (growth !== undefined) yield growth
  }
}

const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)]
const count = (value: number): string => value.toLocaleString('en-US')

/** Three digits. */
const amount = (value: number): string => {
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.max(value, 0.01))))
  return value.toFixed(Math.min(2, digits))
}
const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map((_, at) => (at < 1 ? '---' : '---:'))), ...rows.map(row)].join('\n')

function fitTable(fits: readonly Measured[]): string {
  const head = ['engine', 'rows', 'default fit', 'CPU', 'times memory', 'statements', 'came back', 'load']
  const sorted = fits.toSorted((a, b) => a.rows - b.rows)
  return table(
    head,
    sorted.map(({ bytes, cpu, engine, load, numbers, rows, seconds, statements }) => {
      const memory = fits.find(each => each.engine === 'memory' && each.rows === rows)
      return [
        ...[engine, count(rows), `${amount(seconds)} s`, `${amount(cpu)} s`],
        memory === undefined
          ? ''
          : `${(seconds / memory.seconds).toFixed(1)} (CPU ${(cpu / memory.cpu).toFixed(1)})`,
        statements === 0 ? '' : count(statements),
        bytes > 0 ? `${amount(bytes / 1e6)} MB` : numbers > 0 ? `${count(numbers)} numbers` : '',
        load.toFixed(1),
      ]
    }),
  )
}

/** Seconds, and CPU seconds in brackets. */
function questionTable(asked: readonly Measured[]): string {
  const engines = distinct(asked.map(each => each.engine))
  const find = (what: string, engine: string) =>
    asked.find(each => each.what === what && each.engine === engine)
  const cell = (found: Measured | undefined) =>
    found === undefined ? '' : `${amount(found.seconds)} s (${amount(found.cpu)})`
  const whats = distinct(asked.map(each => each.what))
  const rows = whats.map(what => {
    const spark = find(what, 'spark')
    const cells = engines.map(engine => cell(find(what, engine)))
    const came = spark === undefined || spark.bytes === 0 ? '' : `${amount(spark.bytes / 1e6)} MB`
    return [what, ...cells, ...(engines.includes('spark') ? [came] : [])]
  })
  const head = [`of ${count(asked[0].rows)} rows`, ...engines]
  const parts = [table(engines.includes('spark') ? [...head, 'came back from spark'] : head, rows)]
  for (const what of whats.filter(each => each.endsWith(BY_HAND))) {
    const [engine, hand] = [find(what.slice(0, -BY_HAND.length), 'spark'), find(what, 'spark')]
    if (engine !== undefined && hand !== undefined)
      parts.push(`${engine.what}: ${(engine.seconds / hand.seconds).toFixed(2)} of the time by hand.`)
  }
  return parts.join('\n\n')
}

/** The power of the number of rows that time grows with, from the least to the most of them. */
function growthTable(all: readonly Measured[]): string | undefined {
  const rows = distinct(all.map(({ engine, what }) => `${engine}\0${what}`)).flatMap(key => {
    const [engine, what] = key.split('\0')
    const own = all
      .filter(each => each.engine === engine && each.what === what)
      .toSorted((a, b) => a.rows - b.rows)
    const [first, last] = [own[0], own[own.length - 1]]
    if (first.rows === last.rows) return []
    const power = (of: 'seconds' | 'cpu') =>
      (Math.log(last[of] / first[of]) / Math.log(last.rows / first.rows)).toFixed(2)
    return [[what, engine, `${count(first.rows)} to ${count(last.rows)}`, power('seconds'), power('cpu')]]
  })
  return rows.length === 0
    ? undefined
    : table(['grows with rows to the power of', 'engine', 'rows', 'time', 'CPU'], rows)
}
