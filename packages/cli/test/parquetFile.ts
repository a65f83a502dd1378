// A tiny writer of Parquet files for tests: columns of numbers, plain and unpacked, in pages that have checksums if they are to.

import { crc32 } from 'node:zlib'

type Field = readonly [number: number, type: keyof typeof TYPES, value: unknown]
const TYPES = { int: 5, long: 6, text: 8, list: 9, struct: 12 } as const

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))]
const zigzag = (value: number): number[] => varint(value < 0 ? -2 * value - 1 : 2 * value)

function bytesOf(type: Field[1], value: unknown): number[] {
  if (type === 'int' || type === 'long') return zigzag(value as number)
  if (type === 'text') return [...varint(Buffer.byteLength(value as string)), ...Buffer.from(value as string)]
  if (type === 'struct') return struct(value as Field[])
  const [of, entries] = value as [Field[1], unknown[]]
  return [240 + TYPES[of], ...varint(entries.length), ...entries.flatMap(entry => bytesOf(of, entry))]
}

/** Fields in the order of their numbers. */
function struct(fields: readonly Field[]): number[] {
  let last = 0
  const bytes = fields.flatMap(([number, type, value]) => {
    const head = (number - last) * 16 + TYPES[type]
    last = number
    return [head, ...bytesOf(type, value)]
  })
  return [...bytes, 0]
}

interface Written {
  readonly bytes: Buffer
  /** Where headers and values of pages lie, from first to last. */
  readonly pages: { readonly header: number; readonly from: number; readonly to: number }[]
}

export function parquetFile(
  columns: Readonly<Record<string, readonly number[]>>,
  { checksums, pageRows }: { readonly checksums: boolean; readonly pageRows: number },
): Written {
  const parts: Buffer[] = [Buffer.from('PAR1')]
  const pages: Written['pages'] = []
  let at = 4
  const put = (bytes: Buffer) => {
    parts.push(bytes)
    at += bytes.length
  }
  const rowCount = Object.values(columns)[0].length
  const chunks = Object.entries(columns).map(([name, values]): Field[] => {
    const start = at
    for (let row = 0; row < values.length; row += pageRows) {
      const some = Buffer.from(Float64Array.from(values.slice(row, row + pageRows)).buffer)
      const details: Field[] = [
        [1, 'int', some.length / 8],
        [2, 'int', 0],
        [3, 'int', 3],
        [4, 'int', 3],
      ]
      const header: Field[] = [
        [1, 'int', 0],
        [2, 'int', some.length],
        [3, 'int', some.length],
        ...(checksums ? ([[4, 'int', crc32(some) | 0]] as Field[]) : []),
        [5, 'struct', details],
      ]
      const head = at
      put(Buffer.from(struct(header)))
      pages.push({ header: head, from: at, to: at + some.length })
      put(some)
    }
    const data: Field[] = [
      [1, 'int', 5],
      [2, 'list', ['int', [0, 3]]],
      [3, 'list', ['text', [name]]],
      [4, 'int', 0],
      [5, 'long', values.length],
      [6, 'long', at - start],
      [7, 'long', at - start],
      [9, 'long', start],
    ]
    return [
      [2, 'long', start],
      [3, 'struct', data],
    ]
  })
  const leaf = (name: string): Field[] => [
    [1, 'int', 5],
    [3, 'int', 0],
    [4, 'text', name],
  ]
  const root: Field[] = [
    [4, 'text', 'schema'],
    [5, 'int', chunks.length],
  ]
  const group: Field[] = [
    [1, 'list', ['struct', chunks]],
    [2, 'long', at - 4],
    [3, 'long', rowCount],
  ]
  const footer = struct([
    [1, 'int', 1],
    [2, 'list', ['struct', [root, ...Object.keys(columns).map(leaf)]]],
    [3, 'long', rowCount],
    [4, 'list', ['struct', [group]]],
  ])
  const length = Buffer.alloc(4)
  length.writeUInt32LE(footer.length)
  return { bytes: Buffer.concat([...parts, Buffer.from(footer), length, Buffer.from('PAR1')]), pages }
}
