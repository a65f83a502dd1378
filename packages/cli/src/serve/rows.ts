// Rows as clients send them, in JSON: one, or a list. Every column that the model reads has to be there, be it null: a name that is
// misspelt must not pass for a missing value.

import { FeatureBoostError, type Row } from '@featureboost/core'
import { refuse } from './refusal.ts'
import type { Served } from './shelf.ts'

export interface AskedRows {
  readonly rows: readonly Row[]
  /** Did one row come alone, and not in a list? */
  readonly isOne: boolean
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw refuse(400, 'FB_SERVE_BODY', `the body is no JSON: ${(error as Error).message}.`, { hint: FORMS })
  }
}

const FORMS = 'Send {"column": value, ...}, a list of such rows, or {"rows": [...]}.'

/** A row, a list of rows, or {"rows": [...]}: where no column is called so. */
export function rowsOf(body: unknown, { columns }: Served, most: number): AskedRows {
  if (!Array.isArray(body) && !isRow(body))
    throw refuse(400, 'FB_SERVE_BODY', 'the body holds no rows.', { hint: FORMS })
  const list = Array.isArray(body) ? body : columns.includes('rows') ? undefined : body.rows
  if (list === undefined) return { rows: [checkRow(body as Row, columns)], isOne: true }
  if (!Array.isArray(list)) throw refuse(400, 'FB_SERVE_BODY', '"rows" is no list.', { hint: FORMS })
  if (list.length > most)
    throw refuse(413, 'FB_SERVE_LIMIT', `${list.length} rows are more than the ${most} of one request.`, {
      hint: 'Send fewer at a time, or a stream of application/x-ndjson.',
    })
  const isAlone = list.length === 1
  return {
    rows: list.map((row, index) => checkRow(row, columns, isAlone ? undefined : index + 1)),
    isOne: false,
  }
}

export function checkRow(given: unknown, columns: readonly string[], row?: number): Row {
  if (!isRow(given))
    throw new FeatureBoostError('FB_ARGUMENT', 'a row is no object.', {
      ...placeOf(row),
      expected: '{"column": value, ...}',
    })
  for (const column of columns) {
    const value = given[column]
    // Most values are one of these. What no JSON holds is not there, or belongs to every object.
    if (
      typeof value === 'number' ||
      typeof value === 'string' ||
      typeof value === 'boolean' ||
      value === null
    )
      continue
    checkValue(given, column, placeOf(row))
  }
  return given as Row
}

const placeOf = (row: number | undefined) => (row === undefined ? {} : { row })

function checkValue(
  given: Readonly<Record<string, unknown>>,
  column: string,
  place: { readonly row?: number },
): void {
  if (!Object.hasOwn(given, column))
    throw new FeatureBoostError('FB_COLUMN_UNKNOWN', 'is not in the row.', {
      ...{ column, ...place },
      hint: 'Send null where a value is missing.',
    })
  throw new FeatureBoostError(
    'FB_COLUMN_KIND',
    `is ${Array.isArray(given[column]) ? 'a list' : 'an object'}.`,
    {
      ...{ column, ...place },
      expected: 'a number, a text, true, false or null',
    },
  )
}

const isRow = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
