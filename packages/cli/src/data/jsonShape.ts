// Is a JSON file one that DuckDB can be given? It has no limit of its own: objects within each other, a hundred thousand deep, end the process,
// and an object of a million keys takes a gigabyte. So the file is walked over once before, byte by byte, and nothing of it is kept.

import { createReadStream } from 'node:fs'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { formatCount } from '@featureboost/core/internal'
import { CommandError } from '../errors.ts'
import { unreadable } from '../files.ts'
import { beyond, type Limits, longestObject } from './bounds.ts'
import type { Input } from './input.ts'

/** Rows are flat; --sql may take apart what is not, and nobody nests a table so far. */
const MOST_DEPTH = 100

/** Throws where a file nests too deep or an object has more values than columns are read. What is packed with zstd cannot be looked into. */
export async function checkJson({ files, name }: Input, limits: Limits): Promise<void> {
  for (const file of files) {
    if (/\.zst$/i.test(file)) continue
    await checkFile(file, new Walk(files.length === 1 ? name : file, limits))
  }
}

async function checkFile(file: string, walk: Walk): Promise<void> {
  const from = createReadStream(file, { highWaterMark: 2 ** 20 })
  const into = new Writable({
    write: (bytes: Buffer, _encoding, done) => {
      try {
        walk.over(bytes)
        done()
      } catch (error) {
        done(error as Error)
      }
    },
  })
  try {
    if (/\.gz$/i.test(file)) await pipeline(from, createGunzip({ chunkSize: 2 ** 18 }), into)
    else await pipeline(from, into)
  } catch (error) {
    throw error instanceof CommandError ? error : unreadable(file, error)
  }
}

const code = (sign: string): number => sign.charCodeAt(0)
const [QUOTE, BACKSLASH, COMMA] = ['"', '\\', ','].map(code)
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = ['{', '}', '[', ']'].map(code)

/** Whether it is JSON at all is for the reader to say: only marks and brackets are looked at. */
class Walk {
  readonly #name: string
  readonly #limits: Limits
  readonly #longest: number
  readonly #isObject = new Uint8Array(MOST_DEPTH + 1)
  readonly #commas = new Uint32Array(MOST_DEPTH + 1)
  #depth = 0
  #isText = false
  #isEscaped = false
  #textBytes = 0

  constructor(name: string, limits: Limits) {
    this.#name = name
    this.#limits = limits
    this.#longest = longestObject(limits)
  }

  over(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]
      if (this.#isText) {
        if (++this.#textBytes > this.#longest) throw this.#longText()
        if (this.#isEscaped) this.#isEscaped = false
        else if (byte === BACKSLASH) this.#isEscaped = true
        else if (byte === QUOTE) this.#isText = false
      } else if (byte === QUOTE) {
        this.#isText = true
        this.#textBytes = 0
      } else if (byte === COMMA) this.#more()
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#enter(byte === OPEN_OBJECT)
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) this.#depth = Math.max(0, this.#depth - 1)
    }
  }

  #enter(isObject: boolean): void {
    this.#depth++
    if (this.#depth > MOST_DEPTH)
      throw beyond(
        `${this.#name} holds lists or objects within each other, more than ${MOST_DEPTH} deep. Expected one flat object per row.`,
      )
    this.#isObject[this.#depth] = isObject ? 1 : 0
    this.#commas[this.#depth] = 0
  }

  #longText(): CommandError {
    return beyond(
      `${this.#name} holds a text of more than ${formatCount(this.#longest)} bytes. Is a quotation mark left open? Raise --max-cell (now ${formatCount(this.#limits.cellBytes)} bytes) if it is meant to be so long.`,
    )
  }

  #more(): void {
    const commas = ++this.#commas[this.#depth]
    const { columns } = this.#limits
    if (commas >= columns && this.#isObject[this.#depth] === 1)
      throw beyond(
        `${this.#name} has an object of more than ${formatCount(columns)} values; at most ${formatCount(columns)} columns are read. Leave some out, or raise --max-columns.`,
      )
  }
}
