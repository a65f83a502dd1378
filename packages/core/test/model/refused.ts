// Model files that are well sealed and yet no models: what was done to a good one, and what the reader has to say of it.

import { ONE } from '../../src/common/units.ts'

// biome-ignore lint/suspicious/noExplicitAny: the contents are deliberately of any shape.
export type Edit = (contents: any) => void

/** Each with the model it damages, the place that is named, and a word of the reason. */
export const REFUSED: readonly [string, string, Edit, string, string][] = [
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
  [
    'an unknown scale',
    'groups',
    c => (c.start = { kind: 'column', column: 'p', scale: 'odds' }),
    'start.scale',
    'expected percent or logit',
  ],
  ['a positive number', 'groups', c => (c.roles.positive = 1), 'roles.positive', 'number where a text'],
  [
    'labels that are not dropped',
    'groups',
    c => (c.roles.dropMissingLabels = false),
    'roles.dropMissingLabels',
    'expected true',
  ],
  [
    'cuts that are names',
    'groups',
    c => (c.encoding.features[0].numbers = true),
    'encoding.features[0]',
    'unknown key "numbers"',
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
