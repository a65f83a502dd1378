// Reading model files: what is refused, with which code, at which place.

import { beforeAll, describe, expect, it } from 'vitest'
import { ONE } from '../../src/common/units.ts'
import { FeatureBoostError, readModel } from '../../src/index.ts'
import { MODEL_SIZE_LIMIT } from '../../src/model/read.ts'
import type { Row } from '../../src/quantize/signals.ts'
import { rejectionOf } from '../data/rejection.ts'
import { ROW_FUNCTIONS } from '../fit/tables.ts'
import { fitSmall, SMALL_KINDS } from './models.ts'
import { editModel } from './mutate.ts'

describe('a model file with one changed byte', () => {
  const changes: readonly [string, (text: string, at: number) => string][] = [
    ['raised by one', (text, at) => String.fromCharCode(text.charCodeAt(at) + 1)],
    ['removed', () => ''],
  ]

  it.each(changes)('(%s) is refused, unless it says the same', async (_, change) => {
    const model = await fitSmall('groups')
    const text = model.toText()
    const codes = new Set<string>()
    for (let at = 0; at < text.length; at++) {
      const changed = text.slice(0, at) + change(text, at) + text.slice(at + 1)
      if (changed === text) continue
      try {
        expect(readModel(changed).hash, `character ${at}`).toBe(model.hash)
      } catch (error) {
        if (!(error instanceof FeatureBoostError)) throw error
        codes.add(error.code)
      }
    }
    expect([...codes].sort()).toEqual(expect.arrayContaining(['FB_MODEL_FORMAT', 'FB_MODEL_HASH']))
    for (const code of codes) expect(code).toMatch(/^FB_MODEL_(FORMAT|VERSION|HASH)$/)
  })
})

describe('a text that is no model', () => {
  it.each([
    ['empty', ''],
    ['not JSON', 'featureboost'],
    ['cut short', '{"format": "featureboost-model", "version": 1,'],
    ['a number', '17'],
    ['null', 'null'],
    ['a list', '[1, 2, 3]'],
    ['an empty object', '{}'],
    ['another format', '{"format": "onnx", "version": 1}'],
    ['nested a million deep', '['.repeat(1_000_000)],
    ['nested a million deep and closed', `{"format":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`],
  ])('because it is %s is refused', (_, text) => {
    const error = rejectionOf(() => readModel(text))
    expect(error.code).toBe('FB_MODEL_FORMAT')
    expect(error.message).toContain('The file is damaged or was not written by featureboost.')
  })

  it('because its version is nested a million deep is refused', () => {
    const nested = '['.repeat(1_000_000) + ']'.repeat(1_000_000)
    const error = rejectionOf(() => readModel(`{"format":"featureboost-model","version":${nested}}`))
    expect(error.code).toBe('FB_MODEL_VERSION')
    expect(error.message).toContain('format version an array.')
  })

  it('because it is huge is refused before it is parsed', () => {
    const error = rejectionOf(() => readModel(' '.repeat(MODEL_SIZE_LIMIT + 1)))
    expect(error.code).toBe('FB_MODEL_FORMAT')
    expect(error.message).toContain('268435457 characters are more than a model has')
  })
})

describe('the version', () => {
  it.each([2, 0, 1.5, '1', null, [1]])('%j is refused with what to do', async version => {
    const text = editModel((await fitSmall('groups')).toText(), contents => {
      contents.version = version
    })
    const error = rejectionOf(() => readModel(text))
    expect(error.code).toBe('FB_MODEL_VERSION')
    expect(error.message).toContain('Expected version 1.')
    expect(error.message).toContain('update the library')
    expect(error.details.found).toEqual(version)
  })

  it('of the future is told apart before anything else is looked at', () => {
    const text = '{"format":"featureboost-model","version":7,"anything":{"new":true}}'
    expect(rejectionOf(() => readModel(text)).code).toBe('FB_MODEL_VERSION')
  })
})

describe('the hash', () => {
  it('is told, found and stated, when it does not fit', async () => {
    const model = await fitSmall('groups')
    const wrong = '0'.repeat(64)
    const error = rejectionOf(() => readModel(model.toText().replace(model.hash, wrong)))
    expect(error.code).toBe('FB_MODEL_HASH')
    expect(error.details.found).toBe(model.hash)
    expect(error.details.expected).toBe(`hash ${wrong}`)
  })

  it('does not depend on white space or on the order of keys', async () => {
    const model = await fitSmall('trees')
    const { certificate, ...rest } = JSON.parse(model.toText())
    const reordered = JSON.stringify({ certificate, ...rest }, null, 4)
    expect(readModel(reordered).hash).toBe(model.hash)
    expect(readModel(reordered).toText()).toBe(model.toText())
  })
})

describe('a number beyond doubles', () => {
  it('is refused', async () => {
    const text = (await fitSmall('groups')).toText()
    for (const digits of ['1e999', '-1e999']) {
      const error = rejectionOf(() => readModel(text.replace(/"epsilon":[^,]+/, `"epsilon":${digits}`)))
      expect(error.code).toBe('FB_MODEL_FORMAT')
      expect(error.details.path).toBe('certificate.claim.epsilon')
    }
  })
})

// biome-ignore lint/suspicious/noExplicitAny: the contents are deliberately of any shape.
type Edit = (contents: any) => void

/** Each with the model it damages, the place that is named, and a word of the reason. */
const REFUSED: readonly [string, string, Edit, string, string][] = [
  ['an unknown key', 'groups', c => (c.extra = 1), 'model', 'unknown key "extra"'],
  ['an absent key', 'groups', c => delete c.start, 'model', '"start" is absent'],
  ['a key of the prototype', 'groups', c => (c.roles.constructor = 1), 'roles', 'unknown key "constructor"'],
  ['an unknown kind', 'groups', c => (c.start.kind = 'toString'), 'start', 'unknown kind "toString"'],
  ['a label that is no text', 'groups', c => (c.roles.label = 5), 'roles.label', 'number where a text'],
  [
    'a start out of range',
    'groups',
    c => (c.start = { kind: 'constant', units: ONE + 1 }),
    'start.units',
    'not within',
  ],
  [
    'a broken start',
    'groups',
    c => (c.start = { kind: 'constant', units: 0.5 }),
    'start.units',
    'whole number',
  ],
  ['unknown factors', 'groups', c => (c.factors = 'cubic'), 'factors', 'expected constant or intervals'],
  [
    'cuts out of order',
    'groups',
    c => c.encoding.features[0].cuts.reverse(),
    'encoding.features[0].cuts[1]',
    'ascending',
  ],
  [
    'a cut twice',
    'groups',
    c => (c.encoding.features[0].cuts[1] = c.encoding.features[0].cuts[0]),
    'encoding.features[0].cuts[1]',
    'ascending',
  ],
  [
    'a cut that is text',
    'groups',
    c => (c.encoding.features[0].cuts[2] = 'NaN'),
    'encoding.features[0].cuts[2]',
    'string where a finite number',
  ],
  [
    'too many cuts',
    'groups',
    c => (c.encoding.features[0].cuts = Array.from({ length: 255 }, (_, i) => i)),
    'encoding.features[0].cuts',
    'at most 254',
  ],
  [
    'a coarse cut that is none',
    'groups',
    c => c.encoding.features[0].coarse.push(99),
    'encoding.features[0].coarse',
    'out of range',
  ],
  [
    'categories out of order',
    'groups',
    c => c.encoding.features[1].categories.reverse(),
    'encoding.features[1].categories[1]',
    'ascending',
  ],
  [
    'more categories than bins',
    'groups',
    c => fillCategories(c.encoding.features[1]),
    'encoding.features[1]',
    'more categories than bins',
  ],
  [
    'a feature twice',
    'groups',
    c => c.encoding.features.push(c.encoding.features[0]),
    'encoding.features',
    'two features have one name',
  ],
  [
    'a signal of nothing',
    'linear',
    c => (c.encoding.signals[1].column = 'height'),
    'encoding.signals',
    'nothing is named "height"',
  ],
  [
    'a signal of no function',
    'functions',
    c => (c.encoding.signals[0].name = 'gone'),
    'encoding.signals',
    'nothing is named "gone"',
  ],
  [
    'a scale of 0',
    'linear',
    c => (c.encoding.signals[1].scale = 0),
    'encoding.signals[1].scale',
    'not within',
  ],
  [
    'an indicator of a number',
    'linear',
    c => (c.encoding.signals[2].value = 3),
    'encoding.signals[2].value',
    'number where a text',
  ],
  ['updates that are no list', 'groups', c => (c.updates = {}), 'updates', 'object where a list'],
  ['an update that is null', 'groups', c => (c.updates[0] = null), 'updates[0]', 'null where an object'],
  [
    'a gap in the leaf numbers',
    'groups',
    c => (c.updates[0].tree = { leaf: 1 }),
    'updates[0].tree',
    'leave gaps',
  ],
  ['a value too few', 'groups', c => c.updates[0].values.pop(), 'updates[0].values', 'values for'],
  ['a value too many', 'groups', c => c.updates[0].values.push(0), 'updates[0].values', 'values for'],
  [
    'a value beyond one',
    'groups',
    c => (c.updates[0].values[0] = ONE + 1),
    'updates[0].values[0]',
    'not within',
  ],
  ['a level too many', 'groups', c => c.updates[0].levels++, 'updates[0].values', 'values for'],
  ['no levels', 'groups', c => (c.updates[0].levels = 0), 'updates[0].levels', 'not within'],
  [
    'a negative leaf',
    'groups',
    c => (c.updates[0].tree.yes = { leaf: -1 }),
    'updates[0].tree.yes.leaf',
    'not within',
  ],
  ['a leaf with a split', 'groups', c => (c.updates[0].tree.leaf = 0), 'updates[0].tree', 'unknown key'],
  [
    'a split on no feature',
    'groups',
    c => (c.updates[0].tree.split = { kind: 'missing', feature: 3 }),
    'updates[0].tree.split.feature',
    'not within',
  ],
  [
    'a bin out of range',
    'groups',
    c => (c.updates[0].tree.split = { kind: 'in', feature: 1, bins: [4] }),
    'updates[0].tree.split',
    'bin is out of range',
  ],
  [
    'a cut on a category',
    'groups',
    c => (c.updates[0].tree.split = { kind: 'atMost', feature: 1, bin: 0, missing: true }),
    'updates[0].tree.split',
    'without order',
  ],
  ['a tree without end', 'groups', c => (c.updates[0].tree = deepTree(300)), '.yes', 'deeper than 256'],
  [
    'a bound beyond one',
    'groups',
    c => (c.updates[0].tree.split = { kind: 'below', units: ONE + 1 }),
    'updates[0].tree.split.units',
    'not within',
  ],
  [
    'a signal out of range',
    'linear',
    c => (c.updates[0].signals[0] = 99),
    'updates[0].signals[0]',
    'not within',
  ],
  [
    'a coefficient too few',
    'linear',
    c => c.updates[0].coefficients.pop(),
    'updates[0].coefficients',
    'does not fit',
  ],
  [
    'coefficients that overflow',
    'linear',
    c => (c.updates[0].coefficients[0] = 1e308),
    'updates[0].coefficients[0]',
    'not within',
  ],
  [
    'a forest without a clip on the logit scale',
    'baselines',
    c => (c.updates[0].clip = 0),
    'updates[0].clip',
    '0 and 1 have no logit',
  ],
  ['a clip beyond one half', 'baselines', c => (c.updates[2].clip = ONE), 'updates[2].clip', 'not within'],
  ['an unknown link', 'baselines', c => (c.updates[2].link = 'probit'), 'updates[2].link', 'identity'],
  [
    'a scale without the logit',
    'baselines',
    c => (c.updates[2].scale = ONE),
    'updates[2].scale',
    'without the logit',
  ],
  ['a scale too large', 'baselines', c => (c.updates[0].scale = 2 ** 41), 'updates[0].scale', 'not within'],
  ['a broken scale', 'baselines', c => (c.updates[0].scale = 0.5), 'updates[0].scale', 'whole number'],
  ['a curve of nothing', 'baselines', c => (c.updates[1].from = []), 'updates[1].from', 'not from 0'],
  ['a curve from above 0', 'baselines', c => (c.updates[1].from[0] = 1), 'updates[1].from', 'not from 0'],
  ['a curve to below 1', 'baselines', c => c.updates[1].from.pop(), 'updates[1].from', 'not from 0'],
  [
    'a curve that turns back',
    'baselines',
    c => (c.updates[1].from[2] = 2 ** 22),
    'updates[1].from[2]',
    'ascending',
  ],
  ['a place too many', 'baselines', c => c.updates[1].to.push(0), 'updates[1].to', '5 places for 4'],
  ['a place beyond one', 'baselines', c => (c.updates[1].to[3] = ONE + 1), 'updates[1].to[3]', 'not within'],
  ['a degree of 5', 'baselines', c => (c.updates[3].degree = 5), 'updates[3].degree', 'not within'],
  ['a degree of 0', 'baselines', c => (c.updates[3].degree = 0), 'updates[3].degree', 'not within'],
  [
    'a term too few',
    'baselines',
    c => c.updates[3].values.pop(),
    'updates[3].values',
    '5 values for 2 leaves of degree 2',
  ],
  [
    'a term too large',
    'baselines',
    c => (c.updates[3].values[0] = 2 ** 41),
    'updates[3].values[0]',
    'not within',
  ],
  [
    'a polynomial on no feature',
    'baselines',
    c => (c.updates[3].tree.split.feature = 9),
    'updates[3].tree.split.feature',
    'not within',
  ],
  [
    'a rounding value outside its bin',
    'groups',
    c => (c.roundings[0].values[0] = ONE),
    'roundings[0].values[0]',
    'outside its bin',
  ],
  [
    'a rounding value too few',
    'groups',
    c => c.roundings[0].values.pop(),
    'roundings[0].values',
    'one value per bin',
  ],
  [
    'a group without a test',
    'groups',
    c => (c.auditors.groups[1] = { column: 'age' }),
    'auditors.groups[1]',
    'without a test',
  ],
  [
    'a group with two tests',
    'groups',
    c => (c.auditors.groups[1].above = 3),
    'auditors.groups[1]',
    'unknown key',
  ],
  [
    'a group that is a number',
    'groups',
    c => (c.auditors.groups[0] = 7),
    'auditors.groups[0]',
    'number where an object',
  ],
  ['trees on no columns', 'trees', c => (c.auditors.columns = []), 'auditors', 'no columns'],
  ['linear level sets', 'linear', c => (c.factors = 'level-sets'), 'auditors', 'level sets'],
  [
    'no functions',
    'functions',
    c => (c.auditors.functions = []),
    'auditors',
    'not the functions of the encoding',
  ],
  [
    'other functions',
    'functions',
    c => (c.auditors.functions[0] = 'other'),
    'auditors',
    'not the functions of the encoding',
  ],
  ['functions without value bins', 'functions', c => dropDerived(c), 'auditors', 'no value bins'],
  [
    'an unknown guarantee',
    'groups',
    c => (c.certificate.claim.guarantee = 'fair'),
    'certificate.claim.guarantee',
    'expected multiaccuracy',
  ],
  [
    'a certificate that says maybe',
    'groups',
    c => (c.certificate.holds = 'maybe'),
    'certificate.holds',
    'true or false',
  ],
  [
    'a worst update out of range',
    'groups',
    c => (c.certificate.tolerances[0].update.levels = 3),
    'certificate.tolerances[0].update.values',
    'values for',
  ],
]

function fillCategories(feature: { categories: string[]; pooled: string[] }): void {
  feature.categories = Array.from({ length: 255 }, (_, index) => String(1000 + index))
  feature.pooled = ['rare']
}

const deepTree = (depth: number): unknown =>
  depth === 0
    ? { leaf: 0 }
    : { split: { kind: 'missing', feature: 0 }, yes: deepTree(depth - 1), no: { leaf: 0 } }

// biome-ignore lint/suspicious/noExplicitAny: the contents are deliberately of any shape.
function dropDerived(contents: any): void {
  contents.encoding.features = contents.encoding.features.filter(
    (feature: { name: string }) => feature.name !== 'youth',
  )
  contents.updates = []
  contents.certificate.tolerances = []
}

describe('a well-sealed file', () => {
  const texts = new Map<string, string>()
  beforeAll(async () => {
    for (const kind of SMALL_KINDS) texts.set(kind, (await fitSmall(kind)).toText())
  })
  const read = (kind: string, edit: Edit) =>
    readModel(editModel(texts.get(kind)!, edit), { functions: ROW_FUNCTIONS })

  it.each(REFUSED)('with %s is refused', (_, kind, edit, path, reason) => {
    const error = rejectionOf(() => read(kind, edit))
    expect(error.code).toBe('FB_MODEL_FORMAT')
    expect(error.details.path).toContain(path)
    expect(error.message).toContain(reason)
  })

  it('may declare groups by every kind of test', () => {
    const values = [null, 'a', true, 1.5]
    const groups = [
      ...values.map(is => ({ column: 'age', is })),
      { column: 'age', in: values },
      ...['atMost', 'below', 'atLeast', 'above'].map(test => ({ column: 'age', [test]: 20 })),
      [{ column: 'age', missing: true }],
    ]
    const model = read('groups', contents => {
      contents.auditors.groups = groups
    })
    expect(model.data.auditors).toEqual({ kind: 'groups', groups, pairs: false })
  })

  it('may split on the prediction, on cuts, on categories and on missing values', () => {
    const splits = [
      { kind: 'below', units: ONE / 2 },
      { kind: 'atMost', feature: 0, bin: 1, missing: true },
      { kind: 'in', feature: 1, bins: [0, 3] },
      { kind: 'missing', feature: 2 },
    ]
    const rows = [
      [{ score: 0.25 }, { score: 0.5 }],
      [
        { score: 0, age: 19.5 },
        { score: 0, age: 19.6 },
      ],
      [
        { score: 0, age: null },
        { score: 0, age: 30 },
      ],
      [
        { score: 0, region: 'east' },
        { score: 0, region: 'north' },
      ],
      [
        { score: 0, region: 'west' },
        { score: 0, region: 'south' },
      ],
      [{ score: 0 }, { score: 0, member: false }],
    ]
    const splitOf = [0, 1, 1, 2, 2, 3]
    rows.forEach(([yes, no], index) => {
      const model = read('groups', contents => {
        const tree = { split: splits[splitOf[index]], yes: { leaf: 1 }, no: { leaf: 0 } }
        contents.updates = [{ kind: 'table', tree, levels: 1, values: [0, ONE / 4] }]
      })
      expect(model.predictRow(yes as Row)).toBe((yes.score as number) + 0.25)
      expect(model.predictRow(no as Row)).toBe(no.score)
    })
  })
})
