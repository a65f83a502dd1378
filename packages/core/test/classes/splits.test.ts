import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { trees } from '../../src/classes/auditors.ts'
import {
  declaredSplitCount,
  declaredSteps,
  fineCutSteps,
  orderedSetSteps,
  type SplitStep,
} from '../../src/classes/splits.ts'
import { binCount, coarseMap, type FeatureSchema } from '../../src/quantize/schema.ts'
import { binTakesYes, type FeatureSplit } from '../../src/update/update.ts'
import { questionsOf, range } from '../support/bruteForce.ts'
import { prepare, tablesArbitrary } from '../support/tables.ts'

const age: FeatureSchema = { kind: 'numeric', name: 'age', missing: true, cuts: [18, 25, 40], coarse: [0, 2] }
const flag: FeatureSchema = { kind: 'boolean', name: 'flag', missing: true }
const city: FeatureSchema = {
  kind: 'categorical',
  name: 'city',
  missing: true,
  categories: ['Aachen', 'Bonn', 'Celle'],
  pooled: ['Essen'],
  coarse: [0, 2],
}

/** The bins that the steps have put on the yes side, next to the split they then stand for. */
function replay(steps: readonly SplitStep[]): { yes: number[]; split: FeatureSplit }[] {
  let yes: number[] = []
  return steps.flatMap(({ bin, reset, split }) => {
    yes = reset ? [bin] : [...yes, bin]
    return split === undefined ? [] : [{ yes: [...yes].sort((a, b) => a - b), split: split as FeatureSplit }]
  })
}

/** The bins that take the yes side of a split, by the split alone. */
function binsOf(split: FeatureSplit, schema: FeatureSchema): number[] {
  const last = binCount(schema) - 1
  return range(last + 1).filter(bin => binTakesYes(split, bin, last))
}

const anySchema = tablesArbitrary().chain(table =>
  fc.constantFrom(...prepare(table, trees(), 'table').encoding.features),
)

describe('the declared splits of a feature', () => {
  it('of a number are its coarse cuts without missing values, then with them, then missing alone', () => {
    expect(replay(declaredSteps(age, 4, true)).map(({ split }) => split)).toEqual([
      { kind: 'atMost', feature: 4, bin: 0, missing: false },
      { kind: 'atMost', feature: 4, bin: 2, missing: false },
      { kind: 'atMost', feature: 4, bin: 0, missing: true },
      { kind: 'atMost', feature: 4, bin: 2, missing: true },
      { kind: 'missing', feature: 4 },
    ])
  })

  it('of a number without missing values are its coarse cuts', () => {
    expect(replay(declaredSteps(age, 4, false)).map(({ split }) => split)).toEqual([
      { kind: 'atMost', feature: 4, bin: 0, missing: false },
      { kind: 'atMost', feature: 4, bin: 2, missing: false },
    ])
  })

  it('of categories are the categories with a coarse bin of their own, the others together, and missing', () => {
    expect(replay(declaredSteps(city, 1, true)).map(({ split }) => split)).toEqual([
      { kind: 'in', feature: 1, bins: [0] },
      { kind: 'in', feature: 1, bins: [2] },
      { kind: 'in', feature: 1, bins: [1, 3] },
      { kind: 'missing', feature: 1 },
    ])
  })

  it('of a boolean are false, true and missing', () => {
    expect(replay(declaredSteps(flag, 0, true)).map(({ split }) => split)).toEqual([
      { kind: 'in', feature: 0, bins: [0] },
      { kind: 'in', feature: 0, bins: [1] },
      { kind: 'missing', feature: 0 },
    ])
  })

  it('have running sums that hold exactly the coarse bins of the yes side', () => {
    const property = fc.property(anySchema, fc.boolean(), (schema, anyMissing) => {
      const coarseOf = coarseMap(schema)
      for (const { split, yes } of replay(declaredSteps(schema, 0, anyMissing))) {
        const coarse = new Set(binsOf(split, schema).map(bin => coarseOf[bin]))
        expect(yes).toEqual([...coarse].sort((a, b) => a - b))
      }
    })
    fc.assert(property)
  })

  it('are as many as there are questions to ask, every variant counted', () => {
    expect([age, city, flag].map(declaredSplitCount)).toEqual([5, 4, 3])
    const property = fc.property(anySchema, schema => {
      expect(declaredSplitCount(schema)).toBe(questionsOf(schema).length)
      const splits = replay(declaredSteps(schema, 0, true))
      expect(splits.length).toBe(declaredSplitCount(schema))
    })
    fc.assert(property)
  })
})

describe('the splits of greedy growth', () => {
  it('on a number are all its cuts', () => {
    const property = fc.property(fc.integer({ min: 0, max: 6 }), fc.boolean(), (cutCount, anyMissing) => {
      const schema: FeatureSchema = { ...age, cuts: range(cutCount), coarse: [] }
      const splits = replay(fineCutSteps(cutCount, 0, cutCount + 1, anyMissing))
      expect(splits.length).toBe(anyMissing ? 2 * cutCount + 1 : cutCount)
      for (const { split, yes } of splits) expect(yes).toEqual(binsOf(split, schema))
    })
    fc.assert(property)
  })

  it('on categories are the prefixes of their order, all but the last', () => {
    const order = fc.uniqueArray(fc.integer({ min: 0, max: 3 }))
    const property = fc.property(order, bins => {
      const splits = replay(orderedSetSteps(0, bins))
      expect(splits.length).toBe(Math.max(0, bins.length - 1))
      splits.forEach(({ split, yes }, index) => {
        expect(yes).toEqual(bins.slice(0, index + 1).sort((a, b) => a - b))
        expect(binsOf(split, city)).toEqual(yes)
      })
    })
    fc.assert(property)
  })
})
