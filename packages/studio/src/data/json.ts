// JSON to a table: one object per line, or a list of objects. Text that is a date or a time in all rows becomes a number, as
// on the command line; other text stays text, even where it looks like a number.

import type { Column } from '@featureboost/core'
import { formatCount, typedColumn } from '@featureboost/core/internal'
import { Dictionary } from './categories.ts'
import * as cell from './csv/cellClass.ts'
import { KIN, Tally } from './csv/columnType.ts'
import { isMomentType, readMoment, timeOf } from './csv/moments.ts'
import { finishTable, type LeftOut, type LoadedTable, refuseMany, type TellRows } from './loaded.ts'
import { DataProblem, NotUtf8 } from './problem.ts'

const TELL_ROWS = 16_384

export function readJson(bytes: Uint8Array, tell: TellRows = () => {}): LoadedTable {
  const columns = new Map<string, JsonColumn>()
  let row = 0
  for (const { value, done } of objectsIn(bytes)) {
    for (const name of Object.keys(value)) {
      let column = columns.get(name)
      if (column === undefined) {
        column = new JsonColumn(name)
        columns.set(name, column)
        refuseMany(columns.size)
      }
      column.put(row, value[name])
    }
    if (++row % TELL_ROWS === 0) tell(done, bytes.length)
  }
  if (row === 0) throw new DataProblem('The file has no rows.')
  const leftOut: LeftOut[] = []
  const built = [...columns.values()].flatMap(column => {
    const found = column.finish(row)
    if ('kind' in found) return [found]
    leftOut.push(found)
    return []
  })
  return finishTable(built, row, leftOut)
}

type JsonObject = Readonly<Record<string, unknown>>

function* objectsIn(bytes: Uint8Array): Generator<{ value: JsonObject; done: number }> {
  const start = bytes.findIndex(byte => byte > 32 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf)
  const decode = decoderOf()
  if (bytes[start] === 91) {
    const list = parse(decode(bytes), 1) as unknown[]
    for (const [index, entry] of list.entries()) {
      yield { value: objectOf(entry, `Entry ${formatCount(index + 1)}`), done: bytes.length }
    }
    return
  }
  let line = 0
  for (let at = 0; at < bytes.length; ) {
    const next = bytes.indexOf(10, at)
    const end = next < 0 ? bytes.length : next
    const text = decode(bytes.subarray(at, end)).trim()
    at = end + 1
    line++
    if (text === '') continue
    yield { value: objectOf(parse(text, line), `Line ${formatCount(line)}`), done: at }
  }
}

/** Stray bytes are refused and never replaced. */
function decoderOf(): (bytes: Uint8Array) => string {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  return bytes => {
    try {
      return decoder.decode(bytes)
    } catch {
      throw new NotUtf8()
    }
  }
}

function parse(text: string, line: number): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new DataProblem(
      `Line ${formatCount(line)} is no JSON: ${(error as Error).message}. Expected one object per line, or a list of objects.`,
    )
  }
}

function objectOf(value: unknown, where: string): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  throw new DataProblem(
    `${where} is no object. Expected one object per row, such as {"age": 31, "score": 0.2}.`,
  )
}

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i

class JsonColumn {
  readonly #name: string
  readonly #values: unknown[] = []
  readonly #kinds = new Set<string>()
  #hasIds = false

  constructor(name: string) {
    this.#name = name
  }

  put(row: number, value: unknown): void {
    if (value === null || value === undefined) return
    this.#values[row] = value
    this.#kinds.add(typeof value)
    if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
      this.#hasIds = true
  }

  finish(rowCount: number): Column | LeftOut {
    const name = this.#name
    const values = this.#values
    const [kind = 'string', other] = this.#kinds
    if (other !== undefined || kind === 'object')
      return { name, reason: 'It holds values of several kinds, or lists and objects. Expected one kind.' }
    if (this.#hasIds)
      return {
        name,
        reason: 'It holds whole numbers that are too large to be told apart. Write them as text.',
      }
    if (kind === 'number') return { name, kind: 'numeric', values: numbers(values as number[], rowCount) }
    if (kind === 'boolean') {
      const flags = new Int8Array(rowCount).fill(-1)
      values.forEach((value, row) => {
        flags[row] = value ? 1 : 0
      })
      return { name, kind: 'boolean', values: flags }
    }
    return textColumn(name, values as string[], rowCount)
  }
}

function numbers(values: readonly number[], rowCount: number): Float64Array {
  const into = new Float64Array(rowCount).fill(Number.NaN)
  values.forEach((value, row) => {
    into[row] = value
  })
  return into
}

/** Holes are missing values: forEach passes over them. */
function textColumn(name: string, texts: readonly string[], rowCount: number): Column | LeftOut {
  const tally = new Tally()
  let isUuid = true
  texts.forEach(text => {
    if (text === '') return
    isUuid &&= UUID.test(text)
    // One text settles it.
    if (!(tally.seen & cell.TEXT)) tally.add(text)
  })
  const { type } = tally
  const isMoment =
    type === 'timestamp' || type === 'time' || (type === 'date' && tally.dateForms.has('first -'))
  if (isMoment && isMomentType(type))
    return {
      name,
      kind: 'numeric',
      values: numbers(
        texts.map(text => (text === '' ? Number.NaN : readMoment(type, text))),
        rowCount,
      ),
      time: timeOf(type),
    }
  if (tally.seen & cell.DOUBT && !(tally.seen & ~KIN))
    return { name, reason: 'Its values may be dates or times in an unusual form.' }
  const codes = new Int32Array(rowCount).fill(-1)
  const dictionary = new Dictionary()
  texts.forEach((text, row) => {
    codes[row] = dictionary.codeOf(isUuid ? text.toLowerCase() : text)
  })
  return typedColumn({ name, kind: 'categorical', codes, categories: dictionary.finish(codes) })
}
