// Rows on disk, as every method reads them: plain arrays in the machine's byte order. A part holds its columns one after the
// other, as doubles, the label last; categories are codes, and a missing value is NaN, or the code -1.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Feature {
  readonly name: string
  readonly kind: 'number' | 'category'
  /** Of a category: what the codes stand for. */
  readonly categories?: readonly string[]
}

export const PARTS = ['base', 'calibration', 'test'] as const
export type PartName = (typeof PARTS)[number]

/** What case.json says of the arrays next to it. */
export interface CaseFacts {
  readonly data: string
  readonly seed: number
  readonly features: readonly Feature[]
  /** Groups for the methods that want them declared, in the order of their columns in *.groups.u8. */
  readonly groups: readonly string[]
  readonly rowCounts: Readonly<Record<PartName, number>>
  /** Is the probability of every test row known? */
  readonly truth: boolean
}

export interface Part {
  /** One for each feature. */
  readonly columns: readonly Float64Array[]
  readonly label: Float64Array
}

export const partFile = (part: PartName): string => `${part}.f64`
export const groupsFile = (part: PartName): string => `${part}.groups.u8`
export const TRUTH_FILE = 'test.truth.f64'

export function writeDoubles(path: string, ...columns: readonly Float64Array[]): void {
  writeFileSync(path, Buffer.concat(columns.map(bytesOf)))
}

export function writeBytes(path: string, columns: readonly Uint8Array[]): void {
  writeFileSync(path, Buffer.concat(columns.map(bytesOf)))
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array | Uint8Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

export function readDoubles(path: string): Float64Array {
  const bytes = readFileSync(path)
  if (bytes.byteLength % 8 !== 0) throw new Error(`${path} holds ${bytes.byteLength} bytes, not doubles.`)
  // A copy, because a Buffer need not begin at a multiple of 8.
  return new Float64Array(Uint8Array.from(bytes).buffer)
}

export const readFacts = (folder: string): CaseFacts =>
  JSON.parse(readFileSync(join(folder, 'case.json'), 'utf8')) as CaseFacts

export function readPart(folder: string, { features, rowCounts }: CaseFacts, part: PartName): Part {
  const all = readDoubles(join(folder, partFile(part)))
  const rowCount = rowCounts[part]
  if (all.length !== rowCount * (features.length + 1)) {
    throw new Error(
      `${folder}/${partFile(part)} does not hold ${rowCount} rows of ${features.length + 1} columns.`,
    )
  }
  const column = (index: number) => all.subarray(index * rowCount, (index + 1) * rowCount)
  return { columns: features.map((_, index) => column(index)), label: column(features.length) }
}

/** As makeTable takes them. */
export type ReadyColumn =
  | { readonly kind: 'numeric'; readonly values: Float64Array }
  | { readonly kind: 'categorical'; readonly codes: Int32Array; readonly categories: readonly string[] }

export function readyColumns(
  features: readonly Feature[],
  columns: readonly Float64Array[],
): Record<string, ReadyColumn> {
  const ready = features.map(({ name, categories }, index): [string, ReadyColumn] => {
    const values = columns[index]
    if (categories === undefined) return [name, { kind: 'numeric', values }]
    return [name, { kind: 'categorical', codes: Int32Array.from(values), categories }]
  })
  return Object.fromEntries(ready)
}
