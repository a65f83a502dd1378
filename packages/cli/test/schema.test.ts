// The same rows, from every kind of file and from objects: one model, one set of predictions. And rows that are not the same: refused.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { audit, type FitOptions, fit, type Model, type TableSource, tableFromRows } from '@featureboost/core'
import { makeRandom } from '@featureboost/core/internal'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { columnsToPredict } from '../src/commands/modelColumns.ts'
import { type OpenOptions, openData } from '../src/data/open.ts'

let folder = ''
const at = (name: string) => join(folder, name)

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'featureboost-schema-'))
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

type Cell = string | number | boolean | null
type Row = Readonly<Record<string, Cell>>

/** Every kind of column, with missing values. */
function makeRows(seed: number, count = 240): Row[] {
  const random = makeRandom(seed)
  const maybe = <T extends Cell>(value: T) => (random.integer(9) === 0 ? null : value)
  return Array.from({ length: count }, () => {
    const day = 19_500 + random.integer(500)
    const [age, score] = [18 + random.integer(50), Math.round(1000 * random.next()) / 1000]
    return {
      age: maybe(age),
      income: maybe(Math.round(1e5 * random.next()) / 100),
      city: maybe(['Aachen', "L'Aquila", 'Bonn, West', 'Zürich', ''][random.integer(5)]),
      opt: maybe(random.integer(2) === 0 ? 'Yes' : 'No'),
      member: maybe(random.integer(2) === 0),
      signup: maybe(isoOf(day)),
      seen: maybe(`${isoOf(day + random.integer(30))} ${String(random.integer(24)).padStart(2, '0')}:30:00`),
      opens: maybe(`${String(random.integer(24)).padStart(2, '0')}:15:00.25`),
      nothing: null,
      score,
      y: Number(random.next() < (day > 19_750 ? 0.7 : 0.3) * score + (age > 40 ? 0.2 : 0)),
    }
  })
}

const isoOf = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10)

const NAMES = ['age', 'income', 'city', 'opt', 'member', 'signup', 'seen', 'opens', 'nothing', 'score', 'y']

function writeText(name: string, rows: readonly Row[], mark: string, names = NAMES): string {
  const quote = (cell: Cell) =>
    cell === null ? '' : /[",\t]/.test(String(cell)) ? `"${cell}"` : String(cell)
  const lines = [names, ...rows.map(row => names.map(column => quote(row[column])))].map(line =>
    line.join(mark),
  )
  writeFileSync(at(name), `${lines.join('\n')}\n`)
  return at(name)
}

function writeJson(name: string, rows: readonly Row[]): string {
  writeFileSync(at(name), rows.map(row => JSON.stringify(row)).join('\n'))
  return at(name)
}

/** Typed by DuckDB from the lines, or all text. */
async function convert(csv: string, out: string, types: string): Promise<string> {
  const instance = await DuckDBInstance.create(out.endsWith('.duckdb') ? out : ':memory:')
  const connection = await instance.connect()
  const scan = `from read_csv('${csv}', header = true, ${types})`
  await connection.run(
    out.endsWith('.duckdb') ? `create table rows as ${scan}` : `copy (${scan}) to '${out}'`,
  )
  connection.closeSync()
  instance.closeSync()
  return out
}

const OPTIONS = { label: 'y', prediction: 'score', method: 'rounds', roundLimit: 4, holdout: 0.2 } as const

async function fromFile(
  path: string,
  options: OpenOptions = {},
  asked: FitOptions = OPTIONS,
): Promise<Model> {
  const data = await openData(path, options)
  try {
    return await fit(data.source, asked)
  } finally {
    await data.close()
  }
}

async function predictFile(model: Model, path: string): Promise<number[]> {
  const data = await openData(path, columnsToPredict(model))
  try {
    return await predictSource(model, data.source)
  } finally {
    await data.close()
  }
}

async function predictSource(model: Model, source: TableSource): Promise<number[]> {
  const found: number[] = []
  for await (const chunk of source.chunks()) found.push(...model.predict(chunk))
  return found
}

const TYPED = "types = {'opt': 'VARCHAR', 'signup': 'DATE', 'seen': 'TIMESTAMP'}"

describe('readers and kinds', () => {
  it.each([1, 2, 3])('give one model and one set of predictions: rows %s', async seed => {
    const rows = makeRows(seed)
    const csv = writeText(`r${seed}.csv`, rows, ',')
    const files = [
      writeText(`r${seed}.tsv`, rows, '\t'),
      writeJson(`r${seed}.ndjson`, rows),
      await convert(csv, at(`typed${seed}.parquet`), TYPED),
      await convert(
        csv,
        at(`nanos${seed}.parquet`),
        TYPED.replace("'TIMESTAMP'", "'TIMESTAMP_NS'").replace("'DATE'", "'TIMESTAMP'"),
      ),
      await convert(
        csv,
        at(`text${seed}.parquet`),
        "types = {'opt': 'VARCHAR', 'signup': 'VARCHAR', 'seen': 'VARCHAR', 'member': 'VARCHAR', 'opens': 'VARCHAR', 'nothing': 'DATE'}",
      ),
      await convert(csv, at(`r${seed}.duckdb`), TYPED),
    ]
    const model = await fromFile(csv)
    expect(model.data.encoding.features.map(({ kind, name }) => `${name} ${kind}`)).toEqual([
      'age numeric',
      'income numeric',
      'city categorical',
      'opt categorical',
      'member boolean',
      'signup numeric',
      'seen numeric',
      'opens numeric',
      'nothing numeric',
    ])
    const expected = await predictFile(model, csv)
    for (const file of files) {
      expect((await fromFile(file)).hash, file).toBe(model.hash)
      expect(await predictFile(model, file), file).toEqual(expected)
    }
    const table = tableFromRows(rows)
    expect((await fit(table, OPTIONS)).hash).toBe(model.hash)
    expect(Array.from(model.predict(table))).toEqual(expected)
    expect(rows.map(row => model.predictRow(row))).toEqual(expected)
  })

  it('do not mind how a date is spelled', async () => {
    const rows = makeRows(7)
    const spelled = (spell: (day: string) => string) =>
      rows.map(row => ({ ...row, signup: row.signup === null ? null : spell(String(row.signup)) }))
    const csv = writeText('iso.csv', rows, ',')
    const model = await fromFile(csv)
    const expected = await predictFile(model, csv)
    const spellings = [
      (day: string) => `${day} 00:00:00`,
      (day: string) => `${day}T00:00:00Z`,
      (day: string) => `${day} 00:00`,
    ]
    for (const [index, spell] of spellings.entries()) {
      const file = writeText(`spelled${index}.csv`, spelled(spell), ',')
      expect((await fromFile(file)).hash).toBe(model.hash)
      expect(await predictFile(model, file)).toEqual(expected)
    }
  })
})

describe('words that people have', () => {
  const WORDS = {
    ...OPTIONS,
    positive: 'good',
    scoreScale: 'percent',
    categorical: ['zip', 'ratio'],
    dropMissingLabels: true,
  } as const
  const READING = { categorical: WORDS.categorical, complete: 'y' }
  const names = ['zip', 'ratio', 'age', 'score', 'y']

  /** Postal codes and ratios that are names, scores in percent, labels in words, some of them missing. */
  function makeWords(seed: number): Row[] {
    const random = makeRandom(seed)
    return Array.from({ length: 300 }, () => {
      const [zip, score] = [[10115, 20095, 80331][random.integer(3)], random.integer(1001) / 10]
      const isGood = 100 * random.next() < (zip === 20095 ? 0.4 : 1) * score
      return {
        zip: random.integer(9) === 0 ? null : zip,
        ratio: [0.5, 1, 12.25][random.integer(3)],
        age: 18 + random.integer(50),
        score,
        y: random.integer(12) === 0 ? null : isGood ? 'good' : 'bad',
      }
    })
  }

  it.each([1, 2])('give one model and one set of predictions from every reader: rows %s', async seed => {
    const rows = makeWords(seed)
    const csv = writeText(`w${seed}.csv`, rows, ',', names)
    const floats = rows.map(row => ({ ...row, zip: row.zip === null ? null : `${row.zip}.0` }))
    const files = [
      writeText(`w${seed}.tsv`, rows, '\t', names),
      writeText(`floats${seed}.csv`, floats, ',', names),
      writeJson(`w${seed}.ndjson`, rows),
      await convert(
        csv,
        at(`integers${seed}.parquet`),
        "types = {'zip': 'INTEGER', 'ratio': 'DECIMAL(6,3)'}",
      ),
      await convert(csv, at(`doubles${seed}.parquet`), "types = {'zip': 'DOUBLE', 'ratio': 'FLOAT'}"),
      await convert(csv, at(`words${seed}.parquet`), "types = {'zip': 'VARCHAR', 'ratio': 'VARCHAR'}"),
      await convert(csv, at(`w${seed}.duckdb`), "types = {'zip': 'BIGINT'}"),
    ]
    const model = await fromFile(csv, READING, WORDS)
    expect(model.data.encoding.features.slice(0, 2)).toMatchObject([
      { kind: 'categorical', numbers: true, categories: ['10115', '20095', '80331'] },
      { kind: 'categorical', numbers: true, categories: ['0.5', '1', '12.25'] },
    ])
    const expected = await predictFile(model, csv)
    expect(new Set(expected).size).toBeGreaterThan(10)
    for (const file of files) {
      expect((await fromFile(file, READING, WORDS)).hash, file).toBe(model.hash)
      expect(await predictFile(model, file), file).toEqual(expected)
    }
    const table = tableFromRows(rows)
    expect((await fit(table, WORDS)).hash).toBe(model.hash)
    expect(Array.from(model.predict(table))).toEqual(expected)
    expect(rows.map(row => model.predictRow(row))).toEqual(expected)
    expect(floats.map(row => model.predictRow(row))).toEqual(expected)
  })

  it('keep codes that begin with 0 as they are', async () => {
    const rows = makeWords(3).map(row => ({ ...row, zip: row.zip === null ? null : `0${row.zip}` }))
    const csv = writeText('zeros.csv', rows, ',', names)
    const model = await fromFile(csv, READING, WORDS)
    const [zip] = model.data.encoding.features
    expect(zip).toMatchObject({ categories: ['010115', '020095', '080331'] })
    expect(zip).not.toHaveProperty('numbers')
    const parquet = await convert(csv, at('zeros.parquet'), "types = {'zip': 'VARCHAR'}")
    expect((await fromFile(parquet, READING, WORDS)).hash).toBe(model.hash)
    expect(await predictFile(model, parquet)).toEqual(await predictFile(model, csv))
  })
})

describe('conditions as SQL', () => {
  it('run in DuckDB, and pick the rows that they say: numbers, words, truth values, dates and moments', async () => {
    const rows = makeRows(21, 1500)
    const csv = writeText('audited.csv', rows, ',')
    const data = await openData(csv)
    const found = await audit(data.source, { label: 'y', prediction: 'score', draws: 0, listed: 25, bins: 4 })
    await data.close()
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    await connection.run(`create table rows as from read_csv('${csv}', header = true, ${TYPED})`)
    const findings = [...found.worst, ...found.tooLow, ...found.tooHigh]
    expect(findings.some(({ sql }) => /DATE '|TIMESTAMP '/.test(sql))).toBe(true)
    for (const { sql, weight } of findings) {
      const [[count]] = (
        await connection.runAndReadAll(`select count(*)::INTEGER from rows where ${sql}`)
      ).getRows()
      expect(count, sql).toBe(Math.round(weight))
    }
    connection.closeSync()
    instance.closeSync()
  })
})

describe('dates of a CSV that are not as ISO 8601 has them', () => {
  const american = (rows: readonly Row[]): Row[] =>
    rows.map(row => {
      if (row.signup === null) return row
      const [year, month, day] = String(row.signup).split('-')
      return { ...row, signup: `${month}/${day}/${year}` }
    })

  it('are read again as when the model was fitted, even where days and months could be swapped', async () => {
    const rows = makeRows(11)
    const model = await fromFile(writeText('us.csv', american(rows), ','))
    expect(model.data.encoding.features[5]).toMatchObject({
      name: 'signup',
      time: 'date',
      format: '%m/%d/%Y',
    })
    const early = rows.filter(({ signup }) => signup !== null && Number(String(signup).slice(8)) <= 12)
    const expected = early.map(row => model.predictRow(row))
    expect(await predictFile(model, writeText('batch.csv', american(early), ','))).toEqual(expected)
  })

  it.each(['xx', '%m/%d', '%H:%M', '%d/%d/%Y'])('cannot be said as %s', async dateFormat => {
    await expect(openData('any.csv', { dateFormat })).rejects.toThrow('expected %d, %m and %Y')
  })

  it('are named where they could be meant both ways, and the format can be said', async () => {
    const early = makeRows(12, 600).filter(
      ({ signup }) => signup !== null && Number(String(signup).slice(8)) <= 12,
    )
    const file = writeText('both.csv', american(early), ',')
    const data = await openData(file)
    await data.close()
    expect(data.notes.join(' ')).toContain("--date-format '%d/%m/%Y' or '%m/%d/%Y'")
    const said = await openData(file, { dateFormat: '%m/%d/%Y' })
    expect(said.notes.join(' ')).not.toContain('date-format')
    await said.close()
    const model = await fromFile(file, { dateFormat: '%m/%d/%Y' })
    const iso = writeText('both-iso.csv', early, ',')
    expect(await predictFile(model, file)).toEqual(early.map(row => model.predictRow(row)))
    await expect(predictFile(await fromFile(iso), file)).rejects.toThrow(
      /column "signup", row 1: found "\d\d\/\d\d\/\d{4}"/,
    )
  })
})
