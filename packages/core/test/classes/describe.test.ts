import { describe, expect, it } from 'vitest'
import { describeLeaves, describeLevel, describePath, describeUpdate } from '../../src/classes/describe.ts'
import { groupTree } from '../../src/classes/groups.ts'
import { nextDown } from '../../src/common/doubles.ts'
import { ONE } from '../../src/common/units.ts'
import type { Encoding } from '../../src/quantize/encoding.ts'
import type { FeatureSchema } from '../../src/quantize/schema.ts'
import { type Condition, ROOT, type Tree, type Update } from '../../src/update/update.ts'

const AGE = 0
const SEX = 1
const MEMBER = 2
const INCOME = 3
const JOB = 4

const features: FeatureSchema[] = [
  { kind: 'numeric', name: 'age', missing: true, cuts: [24.5, 40, 65], coarse: [0, 1, 2] },
  {
    kind: 'categorical',
    name: 'sex',
    missing: false,
    categories: ['F', 'M', 'X'],
    pooled: [],
    coarse: [0, 1, 2],
  },
  { kind: 'boolean', name: 'member', missing: true },
  { kind: 'numeric', name: 'income', missing: false, cuts: [nextDown(25), 40], coarse: [0, 1] },
  {
    kind: 'categorical',
    name: 'job',
    missing: false,
    categories: [...'abcdefghijklmnop'],
    pooled: ['q', 'r'],
    coarse: [0],
  },
]

const encoding: Encoding = {
  features,
  signals: [
    { kind: 'one' },
    { kind: 'scaled', column: 'age', center: 40, scale: 25 },
    { kind: 'indicator', column: 'sex', value: 'F' },
    { kind: 'indicator', column: 'member', value: true },
    { kind: 'function', name: 'risk' },
  ],
  functions: ['risk'],
}

/** Missing values never pass, unless the condition is about them. */
const atMost = (feature: number, bin: number): Condition => ({
  split: { kind: 'atMost', feature, bin, missing: false },
  yes: true,
})
const above = (feature: number, bin: number): Condition => ({
  split: { kind: 'atMost', feature, bin, missing: true },
  yes: false,
})
const isIn = (feature: number, bins: number[], yes = true): Condition => ({
  split: { kind: 'in', feature, bins },
  yes,
})
const isMissing = (feature: number, yes = true): Condition => ({ split: { kind: 'missing', feature }, yes })

const words = (...path: Condition[]) => describePath(path, features)

describe('a path in words', () => {
  it('is everyone when nothing is asked', () => {
    expect(words()).toBe('everyone')
  })

  it('has one range per number, however many splits made it', () => {
    expect(words(atMost(AGE, 0))).toBe('age <= 24.5')
    expect(words(above(AGE, 2))).toBe('age > 65')
    expect(words(above(AGE, 0), atMost(AGE, 1))).toBe('24.5 < age <= 40')
    expect(words(atMost(AGE, 2), above(AGE, 0), atMost(AGE, 1))).toBe('24.5 < age <= 40')
  })

  it('says "less than" where the cut lies just below a rounder number', () => {
    expect(words(atMost(INCOME, 0))).toBe('income < 25')
    expect(words(above(INCOME, 0))).toBe('income >= 25')
    expect(words(above(INCOME, 0), atMost(INCOME, 1))).toBe('25 <= income <= 40')
  })

  it('mentions missing values where they pass and the column has any', () => {
    const orMissing: Condition = { split: { kind: 'atMost', feature: AGE, bin: 1, missing: true }, yes: true }
    expect(words(orMissing)).toBe('(age <= 40 or missing)')
    expect(
      words({ ...orMissing, split: { ...orMissing.split, feature: INCOME } as Condition['split'] }),
    ).toBe('income <= 40')
    expect(words(isIn(MEMBER, [1], false))).toBe('(member = false or missing)')
    expect(words(isIn(SEX, [0], false))).toBe('sex is not F')
  })

  it('names missing and known values, and ranges that are everything or nothing', () => {
    expect(words(isMissing(AGE))).toBe('age is missing')
    expect(words(isMissing(AGE, false))).toBe('age is known')
    expect(words(isMissing(AGE), atMost(AGE, 1))).toBe('no age')
    expect(words(isIn(MEMBER, [0, 1, 2]))).toBe('any member')
  })

  it('names the categories that pass, or those that do not if they are fewer', () => {
    expect(words(isIn(SEX, [0]))).toBe('sex = F')
    expect(words(isIn(SEX, [0, 2]))).toBe('sex is not M')
    expect(words(isIn(MEMBER, [1]))).toBe('member = true')
    expect(words(isIn(JOB, [0, 1]))).toBe('job is a or b')
    expect(words(isIn(JOB, [0, 1, 2], false))).toBe('job is not a, b or c')
    expect(words(isIn(JOB, [16]))).toBe('job = a rare value')
  })

  it('stops naming after five of more than six categories', () => {
    expect(words(isIn(JOB, [0, 1, 2, 3, 4, 5]))).toBe('job is a, b, c, d, e or f')
    expect(words(isIn(JOB, [0, 1, 2, 3, 4, 5, 6]))).toBe('job is a, b, c, d, e or 2 more')
  })

  it('joins the columns in the order they were asked about, the score last', () => {
    const score: Condition = { split: { kind: 'below', units: 0.3 * ONE }, yes: true }
    expect(words(isIn(SEX, [0]), atMost(AGE, 0), isIn(SEX, [0, 1]))).toBe('sex = F and age <= 24.5')
    expect(words(score, atMost(AGE, 0), isIn(SEX, [1]))).toBe('age <= 24.5, sex = M and score < 0.3')
    expect(words({ ...score, yes: false })).toBe('score >= 0.3')
  })
})

describe('leaves in words', () => {
  const split = (condition: Condition, yes: Tree, no: Tree): Tree => ({ split: condition.split, yes, no })

  it('are the paths to them', () => {
    const tree = split(isIn(SEX, [0]), split(atMost(AGE, 0), { leaf: 0 }, { leaf: 1 }), { leaf: 2 })
    expect(describeLeaves({ tree }, features)).toEqual([
      'sex = F and age <= 24.5',
      'sex = F and (age > 24.5 or missing)',
      'sex is not F',
    ])
    expect(describeLeaves({ tree: ROOT }, features)).toEqual(['everyone'])
  })

  it('are everyone else where several paths lead to them', () => {
    const tree = groupTree([isIn(SEX, [0]), atMost(AGE, 0)])
    expect(describeLeaves({ tree }, features)).toEqual(['sex = F and age <= 24.5', 'everyone else'])
  })
})

describe('an update in words', () => {
  const tree = groupTree([atMost(INCOME, 0), isIn(SEX, [0])])
  const table = (levels: number, values: number[]): Update => ({ kind: 'table', tree, levels, values })
  const move = (value: number) => Math.round(value * ONE)

  it('names the cell that moves most, its scores and its move', () => {
    const values = new Array<number>(20).fill(0)
    values[3] = move(0.021)
    expect(describeUpdate(table(10, values), encoding)).toBe(
      'income < 25 and sex = F, at scores 0.3 to 0.4: +0.021',
    )
  })

  it('counts the other cells that move', () => {
    expect(describeUpdate(table(1, [move(0.1), move(-0.25)]), encoding)).toBe(
      'everyone else: -0.250 (and 1 more cell)',
    )
    expect(describeUpdate(table(2, [move(0.1), move(-0.2), move(0.3), 0]), encoding)).toBe(
      'everyone else, at scores 0 to 0.5: +0.300 (and 2 more cells)',
    )
  })

  it('names the cell that gains most where the gains are known', () => {
    expect(describeUpdate(table(1, [move(0.1), move(-0.25)]), encoding, [5, 4])).toBe(
      'income < 25 and sex = F: +0.100 (and 1 more cell)',
    )
  })

  it('that moves nothing says so', () => {
    expect(describeUpdate({ kind: 'table', tree: ROOT, levels: 1, values: [0] }, encoding)).toBe(
      'everyone: +0.000',
    )
    const nothing: Update = { kind: 'linear', signals: [0, 1], levels: 1, coefficients: [0, 0] }
    expect(describeUpdate(nothing, encoding)).toBe('everyone: +0.000')
  })

  it('of linear terms names the three largest', () => {
    const signals = [0, 1, 2, 3, 4]
    const linear = (coefficients: number[]): Update => ({ kind: 'linear', signals, levels: 1, coefficients })
    expect(describeUpdate(linear([0.1, -0.5, 0.2, 0, 0]), encoding)).toBe(
      'everyone: -0.500 * age +0.200 * [sex = F] +0.100 (constant)',
    )
    expect(describeUpdate(linear([0, 0, 0, 0.25, -0.125]), encoding)).toBe(
      'everyone: +0.250 * [member = true] -0.125 * risk(row)',
    )
    expect(describeUpdate(linear([0.1, -0.5, 0.2, 0.3, 0]), encoding)).toBe(
      'everyone: -0.500 * age +0.300 * [member = true] +0.200 * [sex = F] and 1 more term',
    )
    expect(describeUpdate(linear([0.1, -0.5, 0.2, 0.3, 0.05]), encoding)).toBe(
      'everyone: -0.500 * age +0.300 * [member = true] +0.200 * [sex = F] and 2 more terms',
    )
  })

  it('of linear terms speaks of the first level that moves, and counts the others', () => {
    const linear = (coefficients: number[]): Update => ({
      kind: 'linear',
      signals: [0, 1],
      levels: 4,
      coefficients,
    })
    expect(describeUpdate(linear([0, 0, 0.5, 0, 0, 0, 0, 0]), encoding)).toBe(
      'everyone, at scores 0.25 to 0.5: +0.500 (constant)',
    )
    expect(describeUpdate(linear([0, 0, 0.5, 0, 0, 0, 0, 1]), encoding)).toBe(
      'everyone, at scores 0.25 to 0.5: +0.500 (constant) (and 1 more level)',
    )
    expect(describeUpdate(linear([1, 0, 0.5, 0, 0, 0, 0, 1]), encoding)).toBe(
      'everyone, at scores 0 to 0.25: +1.000 (constant) (and 2 more levels)',
    )
  })
})

describe('an update of a baseline in words', () => {
  const words = (update: Update) => describeUpdate(update, encoding)
  const move = (value: number) => value * ONE
  const split = { kind: 'in', feature: SEX, bins: [0] } as const
  const tree: Tree = { split, yes: { leaf: 0 }, no: { leaf: 1 } }

  it('says what a forest without splits does to everyone', () => {
    const constant = { kind: 'forest', clip: 1, trees: [{ tree: ROOT, steps: [move(0.5)] }] } as const
    expect(words(constant)).toBe('everyone: the logit +0.500')
    expect(words({ ...constant, scale: move(0.75) })).toBe('everyone: the logit +0.500, then times 0.75')
    expect(words({ ...constant, trees: [], scale: move(2) })).toBe('everyone: the logit times 2')
    expect(words({ ...constant, link: 'identity' })).toBe('everyone: the score +0.500')
    expect(words({ kind: 'forest', clip: 1, trees: [] })).toBe('everyone: the logit +0.000')
  })

  it('says whom a forest moves, where it is one leaf of one tree', () => {
    const forest = { kind: 'forest', clip: 1, trees: [{ tree, steps: [0, move(-0.25)] }] } as const
    expect(words(forest)).toBe('sex is not F: the logit -0.250')
    expect(words({ ...forest, link: 'identity' })).toBe('sex is not F: the score -0.250')
    expect(words({ ...forest, scale: move(2) })).toMatch(/^everyone: 1 tree with 2 leaves/)
    expect(words({ ...forest, trees: [...forest.trees, ...forest.trees] })).toMatch(/^everyone: 2 trees/)
  })

  it('says how large a forest is, on which scale it moves, and what it asks about', () => {
    const forest = { kind: 'forest', clip: 1, trees: [{ tree, steps: [5, 6] }] } as const
    expect(words({ ...forest, trees: [...forest.trees, ...forest.trees] })).toBe(
      'everyone: 2 trees with 4 leaves on the logit scale, asking mostly about sex',
    )
    expect(words({ ...forest, link: 'identity', trees: [...forest.trees, ...forest.trees] })).toBe(
      'everyone: 2 trees with 4 leaves on the scale of the score, asking mostly about sex',
    )
    expect(words({ ...forest, scale: move(1.25) })).toMatch(/about sex; then the logit times 1\.25$/)
  })

  it('says of one tree what each of a few leaves does, scores in one range', () => {
    const steps = [move(0.5), move(-0.25)]
    expect(words({ kind: 'forest', clip: 1, trees: [{ tree, steps }] })).toBe(
      'sex = F: the logit +0.500; sex is not F: the logit -0.250',
    )
    const levels = groupTree([{ split: { kind: 'below', units: ONE / 2 }, yes: true }], [ONE / 8, ONE / 4])
    const update: Update = {
      ...{ kind: 'forest', clip: 1, link: 'identity' },
      trees: [{ tree: levels, steps: [0, move(0.1), move(-0.1), 0] }],
    }
    expect(words(update)).toBe(
      '0.125 <= score < 0.25: the score +0.100; 0.25 <= score < 0.5: the score -0.100',
    )
  })

  it('names the place of a curve that moves farthest', () => {
    const curve: Update = { kind: 'curve', from: [0, ONE / 4, ONE], to: [ONE / 8, ONE / 2, ONE] }
    expect(words(curve)).toBe('everyone: a curve of the score through 3 points; 0.25 becomes 0.5')
  })

  it('writes the polynomial of the leaf with the largest coefficient', () => {
    const values = [0, move(0.1), move(0.25), move(-0.5)]
    expect(words({ kind: 'polynomial', tree, degree: 1, values })).toBe(
      'sex is not F, at a score u: +0.250 -0.500 u, and more elsewhere',
    )
    expect(words({ kind: 'polynomial', tree: ROOT, degree: 2, values: [1, move(1), 0] })).toBe(
      'everyone, at a score u: +0.000 +1.000 u +0.000 u^2',
    )
  })
})

describe('a level in words', () => {
  it('is the range of its scores, and nothing where there is only one', () => {
    expect(describeLevel(3, 10)).toBe(', at scores 0.3 to 0.4')
    expect(describeLevel(2, 3)).toBe(', at scores 0.6667 to 1')
    expect(describeLevel(0, 1)).toBe('')
  })
})

describe('conditions on whole numbers', () => {
  const payments: FeatureSchema = {
    ...{ kind: 'numeric', name: 'payments', missing: false, whole: true, range: [-2, 8] },
    cuts: [-1, 0, 4, nextDown(6), 7],
    coarse: [0, 1, 2, 3, 4],
  }
  const words = (bins: readonly number[]) => {
    const low: Condition[] = bins[0] === 0 ? [] : [above(0, bins[0] - 1)]
    const last = bins[bins.length - 1]
    return describePath(last === payments.cuts.length ? low : [...low, atMost(0, last)], [payments])
  }

  it('are said with the whole numbers that meet them', () => {
    expect(words([0])).toBe('payments <= -1')
    expect(words([1])).toBe('payments = 0')
    expect(words([1, 2])).toBe('0 <= payments <= 4')
    expect(words([2, 3, 4, 5])).toBe('payments >= 1')
  })

  it('are left as they were declared', () => {
    expect(words([0, 1, 2, 3])).toBe('payments < 6')
    expect(words([3])).toBe('payments = 5')
    expect(words([4, 5])).toBe('payments >= 6')
  })
})
