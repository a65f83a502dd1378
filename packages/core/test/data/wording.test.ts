// Words that people have: a table with them gives the model of the table without, and the model reads new rows as it was fitted.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { audit } from '../../src/audit/audit.ts'
import { makeRandom } from '../../src/common/random.ts'
import { compareBeforeAfter } from '../../src/compare/beforeAfter.ts'
import { compareMethods, type MethodComparison } from '../../src/compare/compareMethods.ts'
import { plainNumberText } from '../../src/data/numberNames.ts'
import { probabilityOf } from '../../src/data/scoreScale.ts'
import type { TableSource } from '../../src/data/source.ts'
import { makeTable, type Table, tableFromRows } from '../../src/data/table.ts'
import { readWords } from '../../src/data/wording.ts'
import { collectEvidence } from '../../src/evidence/collect.ts'
import { fit } from '../../src/fit/fit.ts'
import type { FitOptions } from '../../src/fit/settings.ts'
import { readModel } from '../../src/model/model.ts'
import { verify } from '../../src/verify/verify.ts'
import { rejectionOf } from './rejection.ts'

type Cell = string | number | boolean | null
type Row = Record<string, Cell>

const COUNT = 500

/** Scores are whole percentages over 100. */
function makeRows(seed: number): Row[] {
  const random = makeRandom(seed)
  return Array.from({ length: COUNT }, () => {
    const zip = [101, 202, 303][random.integer(3)]
    const score = random.integer(101)
    return {
      zip,
      age: random.integer(60),
      score: score / 100,
      y: Number(100 * random.next() < (zip === 202 ? 0.5 : 1) * score),
    }
  })
}

const sourceOf = (rows: readonly Row[], size = 90): TableSource => ({
  *chunks() {
    for (let from = 0; from < rows.length; from += size) yield tableFromRows(rows.slice(from, from + size))
  },
})

const BASE = { label: 'y', prediction: 'score', method: 'rounds', roundLimit: 3, holdout: 0.2 } as const
const OPTIONS: FitOptions = {
  ...BASE,
  positive: 'bad',
  scoreScale: 'percent',
  categorical: ['zip'],
  dropMissingLabels: true,
}

/** The same rows in words, and some without a label among them. */
const inWords = (rows: readonly Row[]): Row[] =>
  rows.flatMap((row, index) => {
    const said = { ...row, score: Math.round(100 * (row.score as number)), y: row.y === 1 ? 'bad' : 'good' }
    return index % 7 === 3 ? [{ ...said, y: null }, said] : [said]
  })

const plain = (rows: readonly Row[]): Row[] => rows.map(row => ({ ...row, zip: String(row.zip) }))

describe('a fit to rows in words', () => {
  const rows = makeRows(3)
  const words = inWords(rows)

  it('moves as a fit to the same rows in numbers, and stores how they were read', async () => {
    const model = await fit(tableFromRows(words), OPTIONS)
    const other = await fit(tableFromRows(plain(rows)), BASE)
    expect(model.data.updates).toEqual(other.data.updates)
    expect(model.data.updates.length).toBeGreaterThan(0)
    expect(model.certificate).toEqual(other.certificate)
    expect(model.data.roles).toMatchObject({ label: 'y', positive: 'bad', dropMissingLabels: true })
    expect(model.data.start).toEqual({ kind: 'column', column: 'score', scale: 'percent' })
    expect(model.data.encoding.features[0]).toMatchObject({ kind: 'categorical', numbers: true })
    expect((await fit(sourceOf(words), OPTIONS)).hash).toBe(model.hash)
  })

  it('gives a model that predicts, verifies and is audited with rows in the same words', async () => {
    const table = tableFromRows(words)
    const model = readModel((await fit(table, OPTIONS)).toText())
    const other = await fit(tableFromRows(plain(rows)), BASE)
    const expected = Array.from(other.predict(tableFromRows(plain(rows))))
    const labelled = words.filter(({ y }) => y !== null)
    expect(Array.from(model.predict(tableFromRows(labelled)))).toEqual(expected)
    expect(labelled.map(row => model.predictRow(row))).toEqual(expected)
    expect(model.predictRow({ ...labelled[0], zip: `${labelled[0].zip}.0` })).toBe(expected[0])
    expect((await verify(model, table)).matches).toBe(true)
    expect((await verify(model, sourceOf(words, 70))).matches).toBe(true)
    const own = await compareBeforeAfter(model, sourceOf(words), { draws: 0 })
    const same = await compareBeforeAfter(other, tableFromRows(plain(rows)), { draws: 0 })
    expect(own.compared.measures).toEqual(same.compared.measures)
    const { about, before } = await collectEvidence(table, { model, draws: 0 })
    expect(about.rows).toBe('held-out')
    expect(before).toEqual(
      (await collectEvidence(tableFromRows(plain(rows)), { model: other, draws: 0 })).before,
    )
  })

  it('refuses scores that are not of its scale, and takes no other score for one', async () => {
    const model = await fit(tableFromRows(words), OPTIONS)
    const row = { zip: 101, age: 3, score: 101 }
    expect(rejectionOf(() => model.predictRow(row)).message).toContain('101 is not a percentage')
    const error = rejectionOf(() => model.predict(tableFromRows([{ ...row, score: 50 }, row])))
    expect(error.message).toContain('column "score", row 2: 101 is not a percentage. Expected 0 to 100.')
  })

  it('tells how many rows were left out, once', async () => {
    const told: string[] = []
    const dropped = words.length - rows.length
    for (const given of [tableFromRows(words), sourceOf(words)])
      await fit(given, { ...OPTIONS, onWarning: sentence => told.push(sentence) })
    const sentence = `${dropped} of ${words.length} rows have no label in "y" and are left out; rows are counted without them.`
    expect(told).toEqual([sentence, sentence])
  })
})

describe('audits and comparisons of rows in words', () => {
  const rows = makeRows(5)
  const words = inWords(rows)
  const { label, prediction } = BASE
  const { categorical, dropMissingLabels, positive, scoreScale } = OPTIONS as Required<FitOptions>
  const said = { label, prediction, categorical, dropMissingLabels, positive, scoreScale }

  it('find what they find in numbers', async () => {
    const found = await audit(tableFromRows(words), { ...said, draws: 0 })
    expect(found).toEqual(await audit(tableFromRows(plain(rows)), { label, prediction, draws: 0 }))
    expect(await audit(sourceOf(words), { ...said, draws: 0 })).toEqual(found)
    const evidence = await collectEvidence(sourceOf(words), { ...said, draws: 0 })
    const other = await collectEvidence(tableFromRows(plain(rows)), { label, prediction, draws: 0 })
    expect(evidence.before).toEqual(other.before)
    const options = { folds: 3, methods: ['platt', 'isotonic'] as const }
    const compared = await compareMethods(tableFromRows(words), { ...said, ...options })
    const same = await compareMethods(tableFromRows(plain(rows)), { label, prediction, ...options })
    const judged = ({ base, failed, methods }: MethodComparison) => ({
      ...{ base, failed },
      methods: methods.map(({ fitSeconds, predictSeconds, ...rest }) => rest),
    })
    expect(judged(compared)).toEqual(judged(same))
  })
})

describe('the positive value', () => {
  const labels = (values: readonly Cell[], positive: string) => {
    const table = readWords(makeTable({ y: values }), { label: 'y', positive }) as Table
    const [column] = table.columns
    return column.kind === 'numeric' ? Array.from(column.values) : undefined
  }

  it('is a word, a number or a truth value; what is missing stays missing', () => {
    expect(labels(['good', 'bad', null, 'ugly'], 'good')).toEqual([1, 0, Number.NaN, 0])
    expect(labels([1, 2, null, 2], '2')).toEqual([0, 1, Number.NaN, 1])
    expect(labels([-1, 1], '-1.0')).toEqual([1, 0])
    expect(labels([true, false, null], 'FALSE')).toEqual([0, 1, Number.NaN])
  })

  it('has to be there, in one of the chunks, and of the kind of the label', async () => {
    const none = rejectionOf(() => labels(['good', 'bad'], 'god'))
    expect(none.code).toBe('FB_LABEL_CONSTANT')
    expect(none.message).toContain('no label is "god"')
    expect(none.message).toContain('Did you mean "good"?')
    expect(rejectionOf(() => labels([1, 2], 'good')).message).toContain('the label holds numbers, and "good"')
    expect(rejectionOf(() => labels([true, false], '1')).message).toContain('true or false')
    const late = [{ y: 'bad' }, { y: 'bad' }, { y: 'good' }]
    const readAll = async (positive: string) => {
      const source = readWords(sourceOf(late, 1), { label: 'y', positive }) as TableSource
      let count = 0
      for await (const chunk of source.chunks()) count += chunk.rowCount
      return count
    }
    await expect(readAll('good')).resolves.toBe(3)
    await expect(readAll('god')).rejects.toThrow('FB_LABEL_CONSTANT')
  })

  it('says what counts as 0 where that is more than one value', () => {
    const told: string[] = []
    const read = (values: readonly string[]) =>
      readWords(makeTable({ y: values }), {
        label: 'y',
        positive: 'good',
        onWarning: sentence => told.push(sentence),
      })
    read(['good', 'bad'])
    expect(told).toEqual([])
    read(['good', 'bad', 'NA'])
    expect(told).toEqual(['Column "y": "good" counts as 1, every other value as 0: "NA", "bad".'])
  })
})

describe('scales of scores', () => {
  it('are the shares and the logistic function, to the last digits', () => {
    fc.assert(
      fc.property(fc.double({ min: -30, max: 30, noNaN: true }), logit => {
        expect(probabilityOf(logit, 'logit')).toBeCloseTo(1 / (1 + Math.exp(-logit)), 12)
      }),
    )
    expect(probabilityOf(-1e9, 'logit')).toBeLessThan(1e-13)
    expect(probabilityOf(12.5, 'percent')).toBe(0.125)
    expect(probabilityOf(100.1, 'percent')).toBeUndefined()
    expect(probabilityOf(-0.1, 'probability')).toBeUndefined()
  })

  it('give the model of the same probabilities: log odds', async () => {
    const random = makeRandom(9)
    const logits = makeRows(9).map(row => ({ ...row, score: 8 * random.next() - 4 }))
    const shares = logits.map(row => ({ ...row, score: probabilityOf(row.score, 'logit')! }))
    const model = await fit(tableFromRows(logits), { ...BASE, scoreScale: 'logit' })
    const other = await fit(tableFromRows(shares), BASE)
    expect(model.data.updates).toEqual(other.data.updates)
    expect(model.predict(tableFromRows(logits))).toEqual(other.predict(tableFromRows(shares)))
    expect(model.predictRow(logits[0])).toBe(other.predictRow(shares[0]))
    expect((await verify(model, sourceOf(logits))).matches).toBe(true)
    expect((await verify(model, tableFromRows(shares))).matches).toBe(false)
  })

  it('need a score, and numbers in it', async () => {
    const table = makeTable({ x: [1, 2, 3], p: [true, false, true], y: [0, 1, 0] })
    await expect(fit(table, { label: 'y', scoreScale: 'percent' })).rejects.toThrow('and there is none')
    await expect(fit(table, { label: 'y', prediction: 'p', scoreScale: 'logit' })).rejects.toThrow(
      'truth values',
    )
  })
})

describe('numbers that are names', () => {
  it('are written as JavaScript writes them; what may be a name already stays', () => {
    const texts = ['12', '12.0', '12.50', '-3.10', '0.0', '007', '1e3', 'A1', '', '123456789012345678901']
    expect(texts.map(plainNumberText)).toEqual([
      ...['12', '12', '12.5', '-3.1', '0', '007', '1e3', 'A1', '', '123456789012345678901'],
    ])
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }), value => {
        const text = String(value)
        expect(plainNumberText(text)).toBe(text === '-0' ? '0' : text)
      }),
    )
  })

  it('cannot be dates, nor the label or the score, nor columns that are not there', () => {
    const table = makeTable({ d: ['2024-06-14', '2024-06-15'], y: [0, 1], p: [0.1, 0.2] })
    const read = (categorical: string) => () =>
      readWords(table, { label: 'y', prediction: 'p', categorical: [categorical] })
    expect(rejectionOf(read('d')).message).toContain('dates and times cannot be read as categories')
    expect(rejectionOf(read('y')).code).toBe('FB_COLUMN_TWICE')
    expect(rejectionOf(read('p')).code).toBe('FB_COLUMN_TWICE')
    expect(rejectionOf(read('zip')).code).toBe('FB_COLUMN_UNKNOWN')
  })
})

describe('rows that stay where they are', () => {
  it('are not read with words', async () => {
    const store = { profile: () => Promise.reject(new Error('asked')) }
    await expect(fit(store, { label: 'y', positive: 'good' })).rejects.toThrow(
      'cannot be read with "positive"',
    )
    await expect(fit(store, { label: 'y' })).rejects.toThrow('asked')
  })
})
