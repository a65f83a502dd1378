// The categories in MCGrad's file: a Python literal such as {0: {'F': 0, 'M': 1}, 1: {3: 0, None: 1}}, column by column. Only this
// form is read: dicts of dicts, with texts, numbers, truth values and None as keys, and whole numbers as values.

import { notReadable } from './refuse.ts'

/** What stood in the column; null is a missing value. */
export type Category = string | number | boolean | null

/** By column: the code of each category. */
export type CategoryCodes = ReadonlyMap<number, ReadonlyMap<Category, number>>

const PATH = 'encoder'

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ n: '\n', r: '\r', t: '\t', a: '\x07', b: '\b', f: '\f', v: '\v' },
  ...{ '\\': '\\', "'": "'", '"': '"' },
}
const HEX_LENGTH: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 }
const NUMBER = /[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y
const WORD = /None|True|False|nan/y
const SPACE = /\s*/y

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const [found] = pattern.exec(this.#text) ?? []
    if (found !== undefined) this.#at += found.length
    return found
  }

  /** Is it next? Then it is taken. */
  takes(letter: string): boolean {
    this.#match(SPACE)
    if (this.#text[this.#at] !== letter) return false
    this.#at++
    return true
  }

  needs(letter: string): void {
    if (!this.takes(letter)) throw this.unexpected(`"${letter}"`)
  }

  unexpected(wanted: string): Error {
    const found =
      this.#at < this.#text.length ? JSON.stringify(this.#text.slice(this.#at, this.#at + 20)) : 'the end'
    return notReadable(PATH, `character ${this.#at + 1}: ${found} where ${wanted} was expected`)
  }

  atEnd(): boolean {
    this.#match(SPACE)
    return this.#at === this.#text.length
  }

  category(): Category {
    if (this.takes("'")) return this.#rest("'")
    if (this.takes('"')) return this.#rest('"')
    const word = this.#match(WORD)
    if (word !== undefined) return word === 'True' ? true : word === 'False' ? false : null
    const number = this.#match(NUMBER)
    if (number === undefined) throw this.unexpected('a text, a number, True, False or None')
    const value = Number(number)
    const isExact = Number.isFinite(value) && (!/^[-+]?\d+$/.test(number) || Number.isSafeInteger(value))
    if (!isExact) throw notReadable(PATH, `the category ${number.slice(0, 40)} is more than a double holds`)
    return value
  }

  #rest(quote: string): string {
    let text = ''
    for (;;) {
      const letter = this.#text[this.#at++]
      if (letter === undefined || letter === '\n') throw notReadable(PATH, 'a text has no end')
      if (letter === quote) return text
      text += letter === '\\' ? this.#escaped() : letter
    }
  }

  #escaped(): string {
    const letter = this.#text[this.#at++] ?? ''
    const length = HEX_LENGTH[letter]
    if (length === undefined) {
      if (!Object.hasOwn(ESCAPES, letter)) throw notReadable(PATH, `\\${letter} is no letter`)
      return ESCAPES[letter]
    }
    const digits = this.#text.slice(this.#at, this.#at + length)
    const point = Number.parseInt(digits, 16)
    if (!/^[\da-fA-F]+$/.test(digits) || digits.length < length || point > 0x10ffff)
      throw notReadable(PATH, `\\${letter}${digits} is no letter`)
    this.#at += length
    return String.fromCodePoint(point)
  }

  whole(): number {
    this.#match(SPACE)
    const text = this.#match(/\d+/y)
    const value = Number(text)
    if (text === undefined || value >= 2 ** 31) throw this.unexpected('a whole number below 2^31')
    return value
  }
}

function readDict<Key, Value>(reader: Reader, key: () => Key, value: () => Value): Map<Key, Value> {
  const dict = new Map<Key, Value>()
  reader.needs('{')
  if (reader.takes('}')) return dict
  do {
    const name = key()
    reader.needs(':')
    if (dict.has(name)) throw notReadable(PATH, `${JSON.stringify(name)} stands twice`)
    dict.set(name, value())
  } while (reader.takes(','))
  reader.needs('}')
  return dict
}

export function readCategoryCodes(text: string): CategoryCodes {
  const reader = new Reader(text)
  const columns = readDict(
    reader,
    () => reader.whole(),
    () =>
      readDict(
        reader,
        () => reader.category(),
        () => reader.whole(),
      ),
  )
  if (!reader.atEnd()) throw reader.unexpected('the end')
  return columns
}
