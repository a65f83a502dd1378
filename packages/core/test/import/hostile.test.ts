// Files that are not what they should be are refused with a code and a place; nothing else is ever thrown.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FeatureBoostError, importModel } from '../../src/index.ts'
import { boosterText, mcgradFile } from './boosters.ts'

const ROLES = { prediction: 'score', label: 'label' }

const tree = (lines: Readonly<Record<string, string>>) => mcgradFile(boosterText(lines))
const head = (lines: Readonly<Record<string, string>>) => mcgradFile(boosterText({}, lines))
const encoder = (text: string) => mcgradFile(undefined, { encoder: text })

const DAMAGED: readonly (readonly [name: string, file: unknown])[] = [
  ['a number', 7],
  ['nothing known', {}],
  ['two at once', { isotonic: { x: [0], y: [0] }, sigmoid: { a: -1, b: 0 } }],
  ['no rounds', mcgradFile(undefined, { mcgrad: undefined })],
  ['a newer schema', mcgradFile(undefined, { schema_version: 3 })],
  ['no names', mcgradFile(undefined, { categorical_feature_names: null })],
  ['another number of features', mcgradFile(undefined, { numerical_feature_names: ['age', 'income'] })],
  ['no booster', mcgradFile('hello')],
  ['a factor below 0', mcgradFile(undefined, { mcgrad: [{ booster: boosterText(), unshrink_factor: -1 }] })],
  ['a tree that was cut off', head({ tree_sizes: '10 20' })],
  ['too few leaves', tree({ leaf_value: '1 2' })],
  ['a leaf that is no number', tree({ leaf_value: '0.5 x 0.125 1' })],
  ['an infinite leaf', tree({ leaf_value: '0.5 1e999 0.125 1' })],
  ['a child of two', tree({ left_child: '1 -1 -1' })],
  ['a circle', tree({ left_child: '1 0 -2' })],
  ['a root that hangs from itself', tree({ left_child: '0 -1 -2' })],
  ['a leaf that is not there', tree({ right_child: '2 -3 -9' })],
  ['a feature that is not there', tree({ split_feature: '0 1 7' })],
  ['a set that is not there', tree({ threshold: '4 30.5 -1.25' })],
  ['sets that go down', tree({ cat_boundaries: '1 0' })],
  ['sets without end', tree({ num_cat: '99999999' })],
  ['an encoder that is a call', encoder("__import__('os').system('true')")],
  ['an encoder that goes on', encoder('{0: {}} {}')],
  ['an encoder in depth', encoder('{'.repeat(10_000))],
  ['an encoder with no end', encoder("{0: {'a: 0}}")],
  ['an encoder with a category twice', encoder("{0: {'a': 0, 'a': 1}}")],
  ['an encoder without the column', encoder("{1: {'a': 0}}")],
  ['an encoder with a huge number', encoder('{0: {99999999999999999999: 0}}')],
  ['isotonic points that go down', { isotonic: { x: [0.5, 0.25], y: [0, 1] } }],
  ['isotonic points off the scale', { isotonic: { x: [-3, 2], y: [0, 1] } }],
  ['isotonic points without values', { isotonic: { x: [0.5], y: [] } }],
  ['isotonic values above 1', { isotonic: { x: [0.5], y: [2] } }],
  ['a sigmoid without b', { sigmoid: { a: 1 } }],
]

const UNSAYABLE: readonly (readonly [name: string, file: unknown])[] = [
  ['several classes', head({ num_tree_per_iteration: '3' })],
  ['a regression', head({ objective: 'regression' })],
  ['a random forest', mcgradFile(boosterText().replace('version=v4', 'version=v4\naverage_output'))],
  ['linear trees', tree({ is_linear: '1' })],
  ['0 for missing', tree({ decision_type: '1 6 2' })],
  ['order among categories', tree({ decision_type: '2 10 2' })],
  ['categories of a number', tree({ split_feature: '0 0 1', decision_type: '1 1 1', threshold: '0 0 0' })],
  [
    'categories of the prediction',
    tree({ split_feature: '0 1 2', decision_type: '1 10 1', threshold: '0 30.5 0' }),
  ],
  ['steps without end', tree({ leaf_value: '50 0 0 0' })],
  ['categories of two kinds', encoder("{0: {'a': 0, 3: 1}}")],
]

const codeOf = (file: unknown): string | undefined => {
  try {
    importModel(JSON.stringify(file), ROLES)
    return undefined
  } catch (error) {
    return error instanceof FeatureBoostError ? error.code : String(error)
  }
}

describe('a file to import', () => {
  it.each(DAMAGED)('is refused where it is damaged: %s', (_, file) => {
    expect(codeOf(file)).toBe('FB_IMPORT_FORMAT')
  })

  it.each(UNSAYABLE)('is refused where a model file cannot say it: %s', (_, file) => {
    expect(codeOf(file)).toBe('FB_IMPORT')
  })

  it('is taken as it stands', () => {
    expect(codeOf(mcgradFile())).toBeUndefined()
  })

  it('is refused where it is no JSON, and where columns have two roles', () => {
    expect(() => importModel('{', ROLES)).toThrow(/FB_IMPORT_FORMAT file: not JSON/)
    expect(() => importModel(JSON.stringify(mcgradFile()), { prediction: 'age', label: 'label' })).toThrow(
      /FB_COLUMN_TWICE column "age"/,
    )
  })

  it('has more thresholds than a column has cuts', () => {
    const boosters = Array.from({ length: 300 }, (_, round) => ({
      booster: boosterText({ threshold: `0 ${round} -1.25` }),
      unshrink_factor: 1,
    }))
    expect(() => importModel(JSON.stringify(mcgradFile(undefined, { mcgrad: boosters })), ROLES)).toThrow(
      /FB_IMPORT column "age": its trees cut it at 300 places/,
    )
  })

  it('with any change gives a model or an error of ours', () => {
    const text = JSON.stringify(mcgradFile())
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.string({ maxLength: 3 }), fc.nat(20), (at, put, cut) => {
        try {
          importModel(text.slice(0, at) + put + text.slice(at + cut), ROLES)
        } catch (error) {
          expect(error).toBeInstanceOf(FeatureBoostError)
          expect((error as FeatureBoostError).code).toMatch(/^FB_(IMPORT|IMPORT_FORMAT|COLUMN_TWICE)$/)
        }
      }),
      { numRuns: 300 },
    )
  })
})
