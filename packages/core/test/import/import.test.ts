// Imported models predict what the packages they come from predict, within what the import says, and claim nothing else.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exportModel, importModel, readModel, tableFromRows, verify } from '../../src/index.ts'
import { boosterText, GOLDEN, mcgradFile } from './boosters.ts'

const ROLES = { prediction: 'score', label: 'label' }
const importFile = (file: unknown) => importModel(JSON.stringify(file), ROLES)
const logistic = (value: number) => 1 / (1 + Math.exp(-value))
const logit = (share: number) => Math.log(share / (1 - share))

describe('an imported model', () => {
  it.each(GOLDEN)(
    'predicts as the original, within what it says: $name',
    ({ file, options, predictions, rows }) => {
      const { difference, model } = importModel(file, { ...ROLES, ...options })
      const far = [...model.predictRows(rows)].filter(
        (value, row) => !(Math.abs(value - predictions[row]) <= difference.atMost),
      )
      expect(far).toEqual([])
      expect(difference.atMost).toBeLessThan(0.002)
    },
  )

  it('predicts the same for a table, for single rows, and when it is read again', () => {
    const [{ file, rows }] = GOLDEN
    const { model } = importModel(file, ROLES)
    const again = readModel(model.toText())
    expect(again.data).toEqual(model.data)
    expect(again.predict(tableFromRows(rows))).toEqual(model.predictRows(rows))
    expect(Float64Array.from(rows, row => model.predictRow(row))).toEqual(model.predictRows(rows))
  })

  it('is exported like any other', () => {
    for (const { file, options } of GOLDEN) {
      const { model } = importModel(file, { ...ROLES, ...options })
      for (const to of ['js', 'python', 'onnx'] as const)
        expect(exportModel(model, { to }).content.length).toBeGreaterThan(1000)
      expect(exportModel(model, { to: 'sql', dialect: 'duckdb' }).content).toContain('score')
    }
  })

  it('has no certificate, says so, and cannot be verified or rounded', async () => {
    const { model } = importFile(mcgradFile())
    expect(model.data.imported).toEqual({ from: 'mcgrad', sha256: expect.stringMatching(/^[\da-f]{64}$/) })
    expect(model.certificate).toMatchObject({ holds: false, proven: [], measured: [], rows: { rowCount: 0 } })
    expect(model.certificate.caveats[0]).toContain('nothing is certified')
    const rows = tableFromRows([{ region: 'north', age: 30, score: 0.4, label: 1 }])
    await expect(verify(model, rows)).rejects.toThrow(expect.objectContaining({ code: 'FB_NOT_CERTIFIED' }))
    expect(() => model.round()).toThrow(expect.objectContaining({ code: 'FB_ROUNDING' }))
  })

  it('cannot claim that it was held against rows', () => {
    const { data } = importFile(mcgradFile()).model
    const text = JSON.stringify({
      ...data,
      hash: '',
      certificate: { ...data.certificate, rows: { ...data.certificate.rows, rowCount: 5 } },
    })
    expect(() => readModel(text)).toThrow(/FB_MODEL_FORMAT certificate.rows/)
  })
})

describe('a model of MCGrad', () => {
  const { model } = importFile(mcgradFile())
  const predict = (region: string | null, age: number | null, score: number) =>
    model.predictRow({ region, age, score })

  it('walks its trees as LightGBM does, and multiplies the log odds', () => {
    // Codes 0 and 2 go on to the age, where missing values are young; 1 and what was never seen to the score.
    const expected = (score: number, step: number) => logistic(1.5 * (logit(score) + step))
    expect(predict('east', 20, 0.4)).toBeCloseTo(expected(0.4, 0.5), 6)
    expect(predict('west', null, 0.4)).toBeCloseTo(expected(0.4, 0.5), 6)
    expect(predict('west', 31, 0.4)).toBeCloseTo(expected(0.4, 0.125), 6)
    expect(predict('north', 20, 0.4)).toBeCloseTo(expected(0.4, 1), 6)
    expect(predict('north', 20, 0.1)).toBeCloseTo(expected(0.1, -0.25), 6)
    expect(predict('never', 20, 0.1)).toBeCloseTo(expected(0.1, -0.25), 6)
    expect(predict(null, 20, 0.1)).toBeCloseTo(expected(0.1, -0.25), 6)
  })

  it('takes a missing number for 0 where the fit had none', () => {
    const { model } = importFile(mcgradFile(boosterText({ decision_type: '1 2 2', threshold: '0 -3 -1.25' })))
    expect(model.predictRow({ region: 'east', age: null, score: 0.4 })).toBe(
      model.predictRow({ region: 'east', age: 0, score: 0.4 }),
    )
    expect(model.predictRow({ region: 'east', age: -4, score: 0.4 })).not.toBe(
      model.predictRow({ region: 'east', age: 0, score: 0.4 }),
    )
  })

  it('reads categories as Python writes them', () => {
    const encoder = `{0: {'l\\'est': 0, "d'or": 1, '\\xe9\\u00df\\U0001f600\\n': 2}}`
    const { model } = importFile(mcgradFile(undefined, { encoder }))
    const [feature] = model.data.encoding.features
    expect(feature).toMatchObject({ kind: 'categorical', categories: ["d'or", "l'est", 'éß😀\n'] })
  })

  it('reads numbers and truth values that are categories', () => {
    const numbers = importFile(mcgradFile(undefined, { encoder: '{0: {3: 0, 12: 1, 0.5: 2}}' })).model
    expect(numbers.data.encoding.features[0]).toMatchObject({ numbers: true, categories: ['0.5', '12', '3'] })
    const flags = importFile(mcgradFile(undefined, { encoder: '{0: {False: 0, True: 1}}' })).model
    expect(flags.predictRow({ region: false, age: 20, score: 0.4 })).toBeGreaterThan(0.5)
    expect(flags.data.encoding.features[0].kind).toBe('boolean')
  })

  it('follows missing values that MCGrad knew as a category, and says that unseen ones are taken for them', () => {
    const { model } = importFile(mcgradFile(undefined, { encoder: "{0: {'east': 1, None: 0}}" }))
    expect(model.predictRow({ region: null, age: 20, score: 0.4 })).toBe(predict('east', 20, 0.4))
    expect(model.certificate.caveats.join()).toContain('In "region" MCGrad was fitted with missing values')
  })

  it('keeps the bins that trees ask for where a column has more categories than bins', () => {
    const names = Array.from({ length: 1000 }, (_, code) => `'c${code}': ${code}`)
    const { model } = importFile(mcgradFile(undefined, { encoder: `{0: {${names.join(', ')}}}` }))
    const [feature] = model.data.encoding.features
    expect(feature).toMatchObject({ categories: ['c0', 'c2'] })
    expect(model.predictRow({ region: 'c999', age: 20, score: 0.4 })).toBe(predict('north', 20, 0.4))
  })

  it('without rounds leaves the score as it is', () => {
    const { difference, model } = importFile(mcgradFile(undefined, { mcgrad: [] }))
    expect(model.predictRow({ region: 'east', age: 20, score: 0.25 })).toBe(0.25)
    expect(difference.atMost).toBeLessThan(1e-7)
  })
})

describe('a calibration of scikit-learn', () => {
  it('is the isotonic function, at its points and between them', () => {
    const { model } = importFile({ isotonic: { x: [0.25, 0.5, 0.75], y: [0.125, 0.125, 0.625] } })
    const at = (score: number) => model.predictRow({ score })
    expect([0, 0.25, 0.4, 0.5].map(at)).toEqual([0.125, 0.125, 0.125, 0.125])
    expect(at(0.625)).toBeCloseTo(0.375, 6)
    expect([at(0.75), at(1)]).toEqual([0.625, 0.625])
  })

  it('is the sigmoid, on both scales', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -12, max: -0.25, noNaN: true }),
        fc.double({ min: -3, max: 3, noNaN: true }),
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        (a, b, score) => {
          const file = JSON.stringify({ sigmoid: { a, b } })
          const plain = importModel(file, ROLES)
          expect(Math.abs(plain.model.predictRow({ score }) - logistic(-a * score - b))).toBeLessThanOrEqual(
            plain.difference.atMost,
          )
          const onLogits = importModel(file, { ...ROLES, scale: 'logit' })
          const given = logit(score)
          expect(
            Math.abs(onLogits.model.predictRow({ score: given }) - logistic(-a * given - b)),
          ).toBeLessThanOrEqual(onLogits.difference.atMost)
        },
      ),
      { numRuns: 15 },
    )
  })
})
