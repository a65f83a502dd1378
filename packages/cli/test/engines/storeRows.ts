// Rows of every kind of column for stores: as a table of this process, and as SQL.

import { makeRandom } from '@featureboost/core/internal'

const random = makeRandom(31)
const rows = Array.from({ length: 700 }, (_, index) => {
  const score = random.integer(200) / 200
  return {
    age: random.next() < 0.1 ? null : random.integer(40) - 3,
    income: random.next() < 0.1 ? null : Math.exp(10 * random.next() - 5) * (random.next() < 0.3 ? -1 : 1),
    region: random.next() < 0.1 ? null : ['nørth', "s'outh", 'e\\ast', '𝒲est', 'x'][random.integer(5)],
    member: random.next() < 0.1 ? null : random.next() < 0.5,
    joined: new Date(Date.UTC(2020, 0, 1 + random.integer(900), random.integer(2) * 12)),
    person: `p${index >> 2}`,
    count: random.integer(4),
    weight: random.integer(5) / 3,
    side: random.next() < 0.3 ? 'holdout' : 'fit',
    score,
    y: random.next() < score ** 2 ? 1 : 0,
  }
})

/** With copies, of all weights, and one row of no weight that is like another. */
export const STORE_ROWS = [
  ...rows,
  ...rows.slice(0, 120),
  ...rows.slice(60, 90),
  { ...rows[7], count: 0, weight: 0 },
]

const TYPES = {
  age: 'BIGINT',
  income: 'DOUBLE',
  region: 'TEXT',
  member: 'BOOLEAN',
  joined: 'TIMESTAMP',
  person: 'TEXT',
  count: 'INT',
  weight: 'DOUBLE',
  side: 'TEXT',
  score: 'DOUBLE',
  y: 'INT',
}

export type StoreRow = Readonly<Record<keyof typeof TYPES, unknown>>

/** Two statements: a table, and its rows. `text`: the type of texts, and how one is written. */
export function tableSql(
  name: string,
  given: readonly StoreRow[],
  text: { readonly type: string; readonly quote: (text: string) => string; readonly create?: string },
): string[] {
  const names = Object.keys(TYPES) as (keyof typeof TYPES)[]
  const types = names.map(each => `${each} ${TYPES[each] === 'TEXT' ? text.type : TYPES[each]}`)
  const literal = (value: unknown): string => {
    if (value === null) return 'NULL'
    if (value instanceof Date)
      return `TIMESTAMP ${text.quote(value.toISOString().slice(0, 19).replace('T', ' '))}`
    if (typeof value === 'string') return text.quote(value)
    return typeof value === 'number' && !Number.isInteger(value)
      ? `CAST('${value}' AS DOUBLE)`
      : String(value)
  }
  const values = given.map(row => `(${names.map(each => literal(row[each])).join(', ')})`)
  return [
    `CREATE TABLE ${name} (${types.join(', ')}) ${text.create ?? ''}`,
    `INSERT INTO ${name} VALUES ${values.join(', ')}`,
  ]
}
