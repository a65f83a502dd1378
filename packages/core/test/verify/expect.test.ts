// What a reader expects of a claim: enough is enough, less is named.

import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Expectations, fit, groups, type Model, readModel, verify } from '../../src/index.ts'
import {
  checkExpectations,
  EXPECTATIONS,
  type ExpectationName,
  findShortfalls,
} from '../../src/verify/expect.ts'
import { rejectionOf } from '../data/rejection.ts'
import { FIXED_AUDITORS, fitFixed } from '../model/models.ts'
import { failureOf } from '../support/failure.ts'
import { BASES, fitBase, PROMISES } from './bases.ts'

let model: Model
beforeAll(async () => {
  model = readModel(await fitBase('rounds'))
})

const keysOf = (expected: Expectations): string[] => findShortfalls(model, expected).map(({ key }) => key)

describe('an expectation', () => {
  it('is met by what the file says, whatever it is', () => {
    for (const [name, { read }] of Object.entries(EXPECTATIONS)) {
      const stated = read(model)
      if (stated !== undefined) expect(keysOf({ [name]: stated })).toEqual([])
    }
  })

  it.each<[ExpectationName, Expectations[ExpectationName], Expectations[ExpectationName]]>([
    ['epsilon', 0.2, 0.05],
    ['tolerance', 1, 1e-9],
    ['bins', 5, 1000],
    ['confidence', 0.9, 0.99],
    ['holdout', 0.1, 0.5],
    ['depth', 1, 3],
    ['columns', 1, 4],
    ['splits', 1, 1000],
    ['cellBudget', 1, 2 ** 40],
    ['version', 1, 4],
    ['guarantee', 'multicalibration', 'level-set'],
    ['protect', [], ['region', 'member']],
    ['features', ['age'], ['age', 'height']],
    ['positive', 'bad', 'good'],
    ['dropMissingLabels', true, false],
    ['scoreScale', 'percent', 'probability'],
  ])('of %s is met by %j and not by %j', (name, enough, more) => {
    expect(keysOf({ [name]: enough })).toEqual([])
    expect(keysOf({ [name]: more })).toEqual([name])
  })

  it('that the file says nothing of is not met', () => {
    const [shortfall] = findShortfalls(model, { weight: 'times' })
    expect(shortfall).toEqual({
      key: 'weight',
      expected: 'times',
      stated: undefined,
      sentence: 'weight: the file says nothing of it, and times was expected.',
    })
  })

  it('names every part in which a class of trees is smaller', () => {
    const words = (depth: number, columns: number, splits: string) =>
      `decision trees of depth ${depth} on ${columns} columns (${splits} splits of the forms x <= cut, category = c and missing), leaf values in [-1,1]`
    expect(keysOf({ class: model.certificate.auditors })).toEqual([])
    expect(keysOf({ class: words(1, 2, '5') })).toEqual([])
    expect(keysOf({ class: words(3, 9, '1,000') })).toEqual(['class.depth', 'class.columns', 'class.splits'])
    expect(keysOf({ class: 'membership in 3 declared groups, everyone included' })).toEqual(['class'])
  })

  it('knows how many groups were declared', async () => {
    const declared = await fitFixed('groups')
    const few = await fit(BASES.all.rows, {
      ...{
        label: 'y',
        prediction: 'score',
        method: 'rounds',
        stop: 'certificate',
        roundLimit: 1,
        epsilon: 0.3,
      },
      auditors: groups(['member']),
    })
    const count = EXPECTATIONS.groups.read(declared)!
    expect(findShortfalls(declared, { groups: count, auditors: 'groups' })).toEqual([])
    expect(findShortfalls(few, { groups: count }).map(({ key }) => key)).toEqual(['groups'])
    const line = await fitFixed('linear')
    expect(findShortfalls(line, { depth: 2, auditors: 'trees' }).map(({ key }) => key)).toEqual([
      'depth',
      'auditors',
    ])
    expect(FIXED_AUDITORS.linear.kind).toBe('linear')
  })

  it('of a share is held against the rows where a column says which are held out', async () => {
    const rows = { ...BASES.all.rows }
    const marks = Array.from({ length: rows.rowCount }, (_, row) => (row % 5 === 0 ? 'holdout' : 'fit'))
    const part = {
      name: 'part',
      kind: 'categorical' as const,
      categories: ['fit', 'holdout'],
      codes: Int32Array.from(marks, mark => Number(mark === 'holdout')),
    }
    const marked = { ...rows, columns: [...rows.columns, part] }
    const options = { label: 'y', prediction: 'score', fold: 'part', method: 'platt' } as const
    const fitted = await fit(marked, options)
    expect(findShortfalls(fitted, { holdout: 0.2, fold: 'part' })).toEqual([])
    expect(findShortfalls(fitted, { holdout: 0.25 })).toHaveLength(1)
  })
})

describe('what cannot be expected', () => {
  it('is refused with all that can, and the nearest of them', async () => {
    const wrong = { epsilom: 0.05 } as Expectations
    const failure = await failureOf(verify(model, BASES.rounds.rows, { expect: wrong }))
    expect(failure.code).toBe('FB_OPTION_UNKNOWN')
    for (const name of Object.keys(EXPECTATIONS)) expect(failure.message).toContain(name)
    expect(failure.message).toContain('Did you mean "epsilon"?')
  })

  it.each<[ExpectationName, unknown]>([
    ['epsilon', '0.05'],
    ['bins', Number.NaN],
    ['holds', 'yes'],
    ['protect', 'region'],
    ['label', {}],
    ['features', [1]],
  ])('is refused: %s = %j', (name, value) => {
    expect(rejectionOf(() => checkExpectations({ [name]: value })).code).toBe('FB_OPTION_VALUE')
  })
})

describe('docs/verify.md', () => {
  it('names every expectation under its rule', () => {
    const page = readFileSync(new URL('../../../../docs/verify.md', import.meta.url), 'utf8')
    const lineOf = {
      same: 'the same',
      'at most': 'at most',
      'at least': 'at least',
      'all of': 'at least these',
    }
    for (const [name, { rule }] of Object.entries(EXPECTATIONS)) {
      const start = name === 'class' ? 'not smaller' : lineOf[rule]
      const line = page.split('\n').find(each => each.startsWith(`| ${start} |`))
      expect(line, name).toContain(`\`${name}\``)
    }
  })
})

describe('verification', () => {
  it('fails where less is claimed than was expected, although the rows agree', async () => {
    const { rows } = BASES.rounds
    const found = await verify(model, rows, {
      expect: { ...PROMISES.rounds, epsilon: 0.01, confidence: 0.99 },
    })
    expect([found.matches, found.differences]).toEqual([false, []])
    expect(found.shortfalls.map(({ sentence }) => sentence)).toEqual([
      'epsilon: the file says 0.1, and at most 0.01 was expected.',
      'confidence: the file says 0.95, and at least 0.99 was expected.',
    ])
  })
})
