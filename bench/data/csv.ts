// Reads comma-separated values (RFC 4180), gzipped or not, into columns of text. An empty field is a missing value.

import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

export type TextColumns = Record<string, (string | null)[]>

export function readCsv(path: string): TextColumns {
  const bytes = readFileSync(path)
  return parseCsv((path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'))
}

/** The first record names the columns; every other record must have as many fields. */
export function parseCsv(text: string): TextColumns {
  const [header, ...records] = parseRecords(text)
  if (header === undefined) throw new Error('The file is empty: expected a first line with column names.')
  const columns: TextColumns = {}
  for (const name of header) {
    if (name === '' || Object.hasOwn(columns, name))
      throw new Error(`Column name "${name}" is empty or repeated.`)
    columns[name] = []
  }
  const lists = Object.values(columns)
  records.forEach((record, index) => {
    if (record.length !== header.length) {
      throw new Error(`Record ${index + 2} has ${record.length} fields, the header has ${header.length}.`)
    }
    record.forEach((field, column) => {
      lists[column].push(field === '' ? null : field)
    })
  })
  return columns
}

/** Records end at \n or \r\n; the last one may lack its end. */
function parseRecords(text: string): string[][] {
  const records: string[][] = []
  let record: string[] = []
  let position = text.startsWith('\uFEFF') ? 1 : 0
  while (position < text.length || record.length > 0) {
    const { field, end } = text[position] === '"' ? readQuoted(text, position) : readPlain(text, position)
    record.push(field)
    const separator = text[end]
    if (separator !== ',') {
      records.push(record)
      record = []
    }
    position = separator === '\r' ? end + 2 : end + 1
  }
  return records
}

interface Field {
  readonly field: string
  /** Where the separator stands: a comma, a line end, or the end of the text. */
  readonly end: number
}

function readPlain(text: string, start: number): Field {
  let end = start
  while (end < text.length && text[end] !== ',' && !isLineEnd(text, end)) end++
  return { field: text.slice(start, end), end }
}

function readQuoted(text: string, start: number): Field {
  let quote = text.indexOf('"', start + 1)
  while (quote >= 0 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2)
  if (quote < 0) throw new Error(`The quote at character ${start + 1} is never closed.`)
  const end = quote + 1
  if (end < text.length && text[end] !== ',' && !isLineEnd(text, end)) {
    throw new Error(`Character ${end + 1} follows a closing quote: expected a comma or a line end.`)
  }
  return { field: text.slice(start + 1, quote).replaceAll('""', '"'), end }
}

const isLineEnd = (text: string, at: number): boolean =>
  text[at] === '\n' || (text[at] === '\r' && text[at + 1] === '\n')
