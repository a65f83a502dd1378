// Models and rows to hold exports against: updates of every kind on columns of every kind, with names, texts and numbers at which mistakes
// show; and models that were fitted, by every method.

import { makeRandom, type Random } from '../../src/common/random.ts'
import { ONE } from '../../src/common/units.ts'
import { type FitOptions, fit, Model, tableFromRows } from '../../src/index.ts'
import { METHODS } from '../../src/options/options.ts'
import { binCount, type FeatureSchema, missingBin } from '../../src/quantize/schema.ts'
import type { Row, SignalSchema } from '../../src/quantize/signals.ts'
import { between, chance, generateUnits, listOf, pick, someOf } from '../../src/testing/generate.ts'
import { leafCount, numberLeaves, type Split, type Tree, type Update } from '../../src/update/update.ts'
import { ZOO, zooTable } from '../model/zoo.ts'

export interface ExportCase {
  readonly name: string
  readonly model: Model
  readonly rounded?: number
}

const WORDS = [
  ...["o'brien", 'back\\slash', 'two\nlines', 'ünï', '😀', '"quoted"', ' space ', 'null', '--', '$1'],
  ...['\\n', 'a', 'A', 'b', '12', '012', '1e3', 'tab\there', '{x}', "''"],
].sort()

const DAY = 86_400_000

/** Every feature that a generated model may have. */
const FEATURES: readonly FeatureSchema[] = [
  numeric('p', [-1e300, -5.5, 0, 0.1, 0.30000000000000004, 24.5, 1e17, 1e300]),
  numeric('my "number"', [1, 2, 3, 5, 8, 13]),
  { ...numeric('since', [10_957, 18_262.5, 19_000, 19_800]), time: 'date' },
  { ...numeric('seen', [18_262.25, 19_000, 19_000.000011574073, 19_800.75]), time: 'timestamp' },
  { ...numeric('clock', [0, 3600.5, 43_200, 86_399.999999]), time: 'time' },
  {
    ...{ name: "region's", kind: 'categorical', missing: true, coarse: [] },
    ...{
      categories: WORDS.filter((_, index) => index % 2 === 0),
      pooled: WORDS.filter((_, index) => index % 2 === 1),
    },
  },
  {
    ...{ name: 'select', kind: 'categorical', missing: false, coarse: [], numbers: true },
    ...{ categories: ['-3', '007', '12', '7.5', 'none'], pooled: ['0', '100000'] },
  },
  { name: 'f0', kind: 'boolean', missing: true },
]

function numeric(name: string, cuts: readonly number[]): Extract<FeatureSchema, { kind: 'numeric' }> {
  return { name, kind: 'numeric', missing: true, cuts, coarse: [] }
}

/** `base` gives the parts that predictions do not need. */
export function generateModel(base: Model, seed: number): ExportCase {
  const random = makeRandom(seed)
  const features = someOf(random, FEATURES, 3)
  const signals = generateSignals(random, features)
  const isConstant = chance(random, 1 / 6)
  const updates = [
    ...listOf(between(random, 1, 6), () => generateUpdate(random, features, signals.length)),
    ...(isConstant ? [BY_THE_FIRST] : []),
  ]
  const scale = pick(random, [undefined, undefined, 'percent', 'logit'] as const)
  const bins = pick(random, [2, 7, 20])
  const model = new Model({
    ...base.data,
    start: isConstant
      ? { kind: 'constant', units: between(random, 0, ONE) }
      : { kind: 'column', column: 'the score', ...(scale !== undefined && { scale }) },
    encoding: { features, signals, functions: [] },
    updates,
    roundings: [{ bins, values: listOf(bins, bin => Math.floor(((bin + random.next()) / bins) * ONE)) }],
  })
  return { name: `generated ${seed}`, model, ...(chance(random, 1 / 3) && { rounded: bins }) }
}

/** Looks at a column, so that the model does. */
const BY_THE_FIRST: Update = {
  kind: 'table',
  tree: { split: { kind: 'missing', feature: 0 }, yes: { leaf: 0 }, no: { leaf: 1 } },
  levels: 1,
  values: [ONE / 8, -ONE / 16],
}

function generateSignals(random: Random, features: readonly FeatureSchema[]): SignalSchema[] {
  const own = features.flatMap((feature): SignalSchema[] => {
    const column = feature.name
    if (feature.kind === 'boolean') return [{ kind: 'indicator', column, value: chance(random, 1 / 2) }]
    if (feature.kind === 'categorical')
      return [{ kind: 'indicator', column, value: pick(random, [...feature.categories, ...feature.pooled]) }]
    const center = pick(random, feature.cuts)
    return [{ kind: 'scaled', column, center, scale: pick(random, [1, 3, 0.1, 1e5]) }]
  })
  return [{ kind: 'one' }, ...own]
}

function generateUpdate(random: Random, features: readonly FeatureSchema[], signalCount: number): Update {
  const tree = () => generateTree(random, features, between(random, 0, 4))
  const forest = (count: number, most: number) =>
    listOf(count, () => {
      const grown = tree()
      return { tree: grown, steps: listOf(leafCount(grown), () => between(random, -most, most)) }
    })
  switch (random.integer(8)) {
    case 0:
    case 1: {
      const [grown, levels] = [tree(), pick(random, [1, 2, 7, 100])]
      const values = listOf(leafCount(grown) * levels, () => between(random, -ONE / 4, ONE / 4))
      return { kind: 'table', tree: grown, levels, values }
    }
    case 2: {
      const levels = pick(random, [1, 3])
      const signals = someOf(
        random,
        listOf(signalCount, index => index),
        1,
      )
      const size = pick(random, [0.1, 1, 1e50])
      const coefficients = listOf(levels * signals.length, () => (random.next() - 0.5) * size)
      return { kind: 'linear', signals, levels, coefficients }
    }
    case 3:
      return { kind: 'forest', clip: pick(random, [1, 1024]), trees: forest(between(random, 1, 30), ONE) }
    case 4:
      return {
        kind: 'forest',
        clip: 1,
        scale: between(random, -3 * ONE, 3 * ONE),
        trees: forest(between(random, 0, 3), 2 ** 29),
      }
    case 5:
      return { kind: 'forest', clip: 0, link: 'identity', trees: forest(between(random, 1, 5), ONE / 4) }
    case 6: {
      const places = new Set([0, ONE, ...listOf(between(random, 0, 9), () => generateUnits(random))])
      const from = [...places].sort((a, b) => a - b)
      return { kind: 'curve', from, to: from.map(() => generateUnits(random)) }
    }
    default: {
      const [grown, degree] = [tree(), between(random, 1, 4)]
      const values = listOf(leafCount(grown) * (degree + 1), () => between(random, -ONE, ONE))
      return { kind: 'polynomial', tree: grown, degree, values }
    }
  }
}

function generateTree(random: Random, features: readonly FeatureSchema[], depth: number): Tree {
  const grow = (levels: number): Tree => {
    if (levels === 0 || chance(random, 1 / 5)) return { leaf: 0 }
    return { split: generateSplit(random, features), yes: grow(levels - 1), no: grow(levels - 1) }
  }
  return numberLeaves(grow(depth))
}

function generateSplit(random: Random, features: readonly FeatureSchema[]): Split {
  if (chance(random, 1 / 6)) return { kind: 'below', units: generateUnits(random) }
  const feature = random.integer(features.length)
  const schema = features[feature]
  const bins = listOf(binCount(schema), bin => bin)
  if (schema.kind === 'numeric' && chance(random, 2 / 3))
    return {
      ...{ kind: 'atMost', feature, missing: chance(random, 1 / 2) },
      bin: random.integer(missingBin(schema)),
    }
  return chance(random, 1 / 5)
    ? { kind: 'missing', feature }
    : { kind: 'in', feature, bins: someOf(random, bins, 1).sort((a, b) => a - b) }
}

const NEVER_SEEN = ['', 'unseen', 'Ünï', ' a', '12.0', "x'); DROP TABLE data; --"]

/** Values at cuts and beside them, missing ones, texts that no model has seen, ends of the scale. All of them can be scored. */
export function hostileRows({ data }: Model, count: number, seed: number): Row[] {
  const random = makeRandom(seed)
  const { encoding, start } = data
  return listOf(count, row => {
    const values = encoding.features.map(feature => [feature.name, hostileValue(random, feature)] as const)
    const score = start.kind === 'column' ? [[start.column, hostileScore(random, start.scale)] as const] : []
    return Object.fromEntries([['id', row], ...values, ...score])
  })
}

function hostileScore(random: Random, scale = 'probability'): number {
  if (scale === 'logit')
    return chance(random, 1 / 4)
      ? pick(random, [0, -32, 32, 1e300, -1e300, 5e-324, 33])
      : 12 * (random.next() - 0.5)
  const share = chance(random, 1 / 4)
    ? pick(random, [0, 1, 0.5, 0.49999999999999994 / ONE, 0.5 / ONE, 1.5 / ONE, 1 - 2 ** -53, 5e-324])
    : chance(random, 1 / 2)
      ? generateUnits(random) / ONE
      : random.next()
  return scale === 'percent' ? Math.min(100, share * 100) : share
}

function hostileValue(random: Random, feature: FeatureSchema): Row[string] {
  if (chance(random, 1 / 10)) return null
  if (feature.kind === 'boolean') return chance(random, 1 / 2)
  if (feature.kind === 'categorical')
    return pick(random, chance(random, 1 / 5) ? NEVER_SEEN : [...feature.categories, ...feature.pooled])
  const near = feature.cuts.length > 0 ? pick(random, feature.cuts) : 0
  if (feature.time === 'time')
    return clockText(Math.min(86_399_999_999, Math.max(0, Math.round(near * 1e6) + between(random, -1, 1))))
  if (feature.time === 'date') return new Date((Math.floor(near) + between(random, -1, 1)) * DAY)
  if (feature.time === 'timestamp') return new Date(Math.round(near * DAY) + between(random, -1, 1))
  const beside = near + pick(random, [-1, 0, 1]) * Math.abs(near) * 2 ** -52
  return chance(random, 1 / 2)
    ? beside
    : pick(random, [0, -1, 1.5, 1e-300, -1e300, 1e300, random.next() * 100])
}

function clockText(micros: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const seconds = Math.floor(micros / 1e6)
  const clock = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map(two).join(':')
  return `${clock}.${String(micros % 1e6).padStart(6, '0')}`
}

/** Fitted by every method, with weights and without, to a table that has dates, categories and missing values; then generated ones. */
export async function exportCases(count: number): Promise<ExportCase[]> {
  const base = await fit(zooTable(), ZOO.table)
  const fitted = [...Object.entries(ZOO), ...methodOptions()].slice(0, Math.ceil(0.64 * count))
  const cases: ExportCase[] = []
  for (const [name, options] of fitted) {
    const model = await fit(options.weight === undefined ? zooTable() : weightedTable(), options)
    cases.push({ name, model, ...(cases.length % 3 === 1 && { rounded: model.certificate.claim.bins }) })
  }
  return [...cases, ...listOf(count - cases.length, index => generateModel(base, 1000 + index))]
}

const methodOptions = (): [string, FitOptions][] =>
  METHODS.map(method => [
    `${method}, weighted`,
    { label: 'y', prediction: 'score', weight: 'weight', threads: 1, method },
  ])

const weightedTable = () => {
  const { columns, rowCount } = zooTable()
  const weights = tableFromRows(listOf(rowCount, row => ({ weight: 1 + (row % 5) })))
  return { rowCount, columns: [...columns, ...weights.columns] }
}
