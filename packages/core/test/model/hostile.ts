// Model files made by hand to do harm, each with a hash that fits: indexes out of range, lengths that do not agree, numbers that are none,
// nesting, keys that could reach a prototype, parts that are out of all proportion. Every one must be refused, at once.

import { readFileSync } from 'node:fs'
import { editModel } from './mutate.ts'

// biome-ignore lint/suspicious/noExplicitAny: hostile contents may have any shape.
type Contents = any

export interface HostileModel {
  readonly name: string
  readonly text: () => string
}

const zoo = (kind: string): string => readFileSync(new URL(`zoo/3/${kind}.fb.json`, import.meta.url), 'utf8')

const edited = (name: string, kind: string, edit: (contents: Contents) => void): HostileModel => ({
  name,
  text: () => editModel(zoo(kind), edit),
})

/** The tree of the first update of a model of trees, and the first tree of a forest. */
const tree = (edit: (tree: Contents, update: Contents) => void) => (contents: Contents) =>
  edit(contents.updates[0].tree, contents.updates[0])
const grown = (edit: (tree: Contents, entry: Contents) => void) => (contents: Contents) =>
  edit(contents.updates[0].trees[0].tree, contents.updates[0].trees[0])

const chain = (depth: number): Contents => {
  let nested: Contents = { leaf: 0 }
  for (let level = 0; level < depth; level++)
    nested = { split: { kind: 'missing', feature: 0 }, yes: { leaf: 1 }, no: nested }
  return nested
}

/** The text with one piece of it replaced, sealed as it was: for what no parser would write. */
const raw = (name: string, from: RegExp, to: string): HostileModel => ({
  name,
  text: () => {
    const text = zoo('deep')
    if (!from.test(text)) throw new Error(`${from} is not there`)
    return text.replace(from, to)
  },
})

export const HOSTILE_MODELS: readonly HostileModel[] = [
  // Indexes.
  edited(
    'a split on a feature that is not there',
    'deep',
    tree(node => {
      node.split.feature = 99
    }),
  ),
  edited(
    'a split on feature -1',
    'deep',
    tree(node => {
      node.split.feature = -1
    }),
  ),
  edited(
    'a split on feature 0.5',
    'deep',
    tree(node => {
      node.split.feature = 0.5
    }),
  ),
  edited(
    'a split on feature 2^53',
    'deep',
    tree(node => {
      node.split.feature = 2 ** 53
    }),
  ),
  edited(
    'a split on a bin behind the last',
    'deep',
    tree(node => {
      node.split.bin = 255
    }),
  ),
  edited(
    'a leaf that is not there',
    'default',
    grown(node => {
      node.no.no = { leaf: 1000 }
    }),
  ),
  edited(
    'a leaf named twice',
    'default',
    grown(node => {
      node.no.no = { leaf: 0 }
    }),
  ),
  edited(
    'a leaf of a negative number',
    'default',
    grown(node => {
      node.no.no = { leaf: -1 }
    }),
  ),
  edited(
    'a set of bins that are not there',
    'default',
    grown(node => {
      node.split = { kind: 'in', feature: 2, bins: [4_000_000_000] }
    }),
  ),
  edited('a coarse bin behind the last', 'deep', ({ encoding }) => {
    encoding.features[0].coarse = [2, 4_294_967_295]
  }),
  edited('coarse bins that run backwards', 'deep', ({ encoding }) => {
    encoding.features[0].coarse.reverse()
  }),
  // Lengths.
  edited(
    'fewer values than leaves and levels',
    'deep',
    tree((_, update) => {
      update.values = [0]
    }),
  ),
  edited(
    '2^31 levels',
    'deep',
    tree((_, update) => {
      update.levels = 2 ** 31
    }),
  ),
  edited(
    'no levels',
    'deep',
    tree((_, update) => {
      update.levels = 0
    }),
  ),
  edited(
    'fewer steps than leaves',
    'default',
    grown((_, entry) => {
      entry.steps = [1]
    }),
  ),
  edited(
    'a million steps for eight leaves',
    'default',
    grown((_, entry) => {
      entry.steps = Array(1_000_000).fill(1)
    }),
  ),
  edited('a rounding of 2^32 bins', 'deep', ({ roundings }) => {
    roundings[0] = { bins: 2 ** 32, values: [0] }
  }),
  edited('a rounding with fewer values than bins', 'deep', ({ roundings }) => {
    roundings[3].values.pop()
  }),
  edited('a million cuts', 'deep', ({ encoding }) => {
    encoding.features[0].cuts = Array.from({ length: 1_000_000 }, (_, index) => index)
  }),
  edited('half a million trees', 'default', ({ updates }) => {
    updates[0].trees = Array(500_000).fill({ tree: { leaf: 0 }, steps: [1] })
  }),
  // Numbers.
  raw('a threshold that is NaN', /"cuts":\s*\[\s*21/, '"cuts":[NaN'),
  raw('a threshold beyond doubles', /"cuts":\s*\[\s*21/, '"cuts":[1e999'),
  edited('cuts that run backwards', 'deep', ({ encoding }) => {
    encoding.features[0].cuts.reverse()
  }),
  edited('a cut twice', 'deep', ({ encoding }) => {
    encoding.features[0].cuts[1] = encoding.features[0].cuts[0]
  }),
  edited('a cut that is null', 'deep', ({ encoding }) => {
    encoding.features[0].cuts[0] = null
  }),
  edited(
    'a move beyond 2^31',
    'deep',
    tree((_, update) => {
      update.values[0] = 2 ** 40
    }),
  ),
  edited(
    'a move of half a unit',
    'deep',
    tree((_, update) => {
      update.values[0] = 0.5
    }),
  ),
  edited('a start beyond 1', 'constant', contents => {
    contents.start = { kind: 'constant', units: 2 ** 25 }
  }),
  edited('coefficients beyond doubles', 'linear', contents => {
    contents.updates[0].coefficients[0] = 1e308
    contents.updates[0].coefficients[1] = '1e308'
  }),
  edited('a curve that runs backwards', 'isotonic', ({ updates }) => {
    updates[0].from.reverse()
  }),
  edited('a polynomial of degree 10^9', 'polynomial', ({ updates }) => {
    for (const update of updates) if (update.kind === 'polynomial') update.degree = 1e9
  }),
  // Nesting.
  edited('a tree of depth 600', 'default', contents => {
    contents.updates[0].trees[0].tree = {
      split: { kind: 'missing', feature: 0 },
      yes: { leaf: 1 },
      no: chain(600),
    }
  }),
  raw('a million brackets', /"updates":\s*\[/, `"updates":${'['.repeat(1_000_000)}`),
  raw('objects within objects, 200,000 deep', /"roles":\s*\{/, `"roles":${'{"label":'.repeat(200_000)}{`),
  // Keys and kinds.
  raw('a key __proto__', /"roles":\s*\{/, '"roles":{"__proto__":{"polluted":true},'),
  edited('keys constructor and prototype', 'deep', contents => {
    contents.roles.constructor = { prototype: { polluted: true } }
  }),
  edited(
    'a kind of update that every object has',
    'deep',
    tree((_, update) => {
      update.kind = 'toString'
    }),
  ),
  edited(
    'a kind of split that is a path',
    'deep',
    tree(node => {
      node.split.kind = '../../../../etc/passwd'
    }),
  ),
  edited('an address where an update should be', 'deep', contents => {
    contents.updates[0] = 'https://127.0.0.1/update.json'
  }),
  edited('two features of one name', 'deep', ({ encoding }) => {
    encoding.features[1].name = encoding.features[0].name
  }),
  edited('lists where objects belong', 'deep', contents => {
    contents.encoding = []
    contents.certificate = []
  }),
  { name: 'a packed file', text: () => `\u001f\u008b${'\0'.repeat(1000)}` },
]
