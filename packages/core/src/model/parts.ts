// The parts of a model file but for its updates, each checked against the others.

import type { Certificate, RowSplit } from '../certify/facts.ts'
import type { Bound, Predicate } from '../classes/auditors.ts'
import { FACTOR_KINDS, type FactorKind } from '../classes/factors.ts'
import { levelOf, ONE } from '../common/units.ts'
import { showValue } from '../data/column.ts'
import { COPIES } from '../data/copies.ts'
import type { Value } from '../data/table.ts'
import { parseClock, parseMoment, TIME_KINDS } from '../data/times.ts'
import type { Encoding } from '../quantize/encoding.ts'
import { binCount, type FeatureSchema } from '../quantize/schema.ts'
import type { SignalSchema } from '../quantize/signals.ts'
import type { Rounding } from '../round/discretize.ts'
import { type AuditorsData, MAX_BINS, MAX_LEVELS, type ModelVersion } from './data.ts'
import {
  byKind,
  entriesOf,
  flag,
  listOf,
  malformed,
  oneOf,
  real,
  record,
  type Shape,
  strictlyAscending,
  text,
  whole,
  within,
  yes,
} from './shape.ts'
import { readUpdate } from './updates.ts'

const rangeShape: Shape<readonly [number, number]> = (value, path) => {
  const [low, high] = listOf(real, 2)(value, path)
  if (high === undefined || low > high) throw malformed(path, 'not a smallest and a largest number')
  return [low, high]
}

const featureShape = byKind<FeatureSchema>({
  numeric: (value, path) => {
    const feature = record(
      {
        kind: oneOf('numeric'),
        name: text,
        missing: flag,
        cuts: strictlyAscending(real, MAX_BINS - 1),
        coarse: strictlyAscending(whole(0, MAX_BINS), MAX_BINS),
      },
      { range: rangeShape, whole: flag, time: oneOf(...TIME_KINDS), format: text },
    )(value, path)
    return checkCoarse(feature, feature.cuts.length, path)
  },
  categorical: (value, path) => {
    const feature = record(
      {
        kind: oneOf('categorical'),
        name: text,
        missing: flag,
        categories: strictlyAscending(text, MAX_BINS),
        pooled: strictlyAscending(text, 2 ** 24),
        coarse: strictlyAscending(whole(0, MAX_BINS), MAX_BINS),
      },
      { numbers: yes },
    )(value, path)
    if (binCount(feature) > MAX_BINS + 1) throw malformed(path, 'more categories than bins')
    return checkCoarse(feature, feature.categories.length, path)
  },
  boolean: record({ kind: oneOf('boolean'), name: text, missing: flag }),
})

function checkCoarse<T extends { coarse: number[] }>(feature: T, limit: number, path: string): T {
  if (feature.coarse.some(index => index >= limit))
    throw malformed(`${path}.coarse`, 'an index is out of range')
  return feature
}

const signalShape = byKind<SignalSchema>({
  one: record({ kind: oneOf('one') }),
  scaled: record({
    kind: oneOf('scaled'),
    column: text,
    center: real,
    scale: within(Number.MIN_VALUE, Number.MAX_VALUE),
  }),
  indicator: record({
    kind: oneOf('indicator'),
    column: text,
    value: (value, path) => (typeof value === 'boolean' ? value : text(value, path)),
  }),
  function: record({ kind: oneOf('function'), name: text }),
})

export const readEncoding: Shape<Encoding> = (value, path) => {
  const encoding = record({
    features: listOf(featureShape, 100_000),
    signals: listOf(signalShape, 100_000),
    functions: listOf(text, 100_000),
  })(value, path)
  // Sets: a hostile file may have a hundred thousand of each.
  const names = new Set(encoding.features.map(feature => feature.name))
  if (names.size < encoding.features.length) throw malformed(`${path}.features`, 'two features have one name')
  const functions = new Set(encoding.functions)
  for (const signal of encoding.signals) {
    const known = signal.kind === 'function' ? functions : names
    const name = signal.kind === 'function' ? signal.name : signal.kind === 'one' ? undefined : signal.column
    if (name !== undefined && !known.has(name))
      throw malformed(`${path}.signals`, `nothing is named "${name}"`)
  }
  return encoding
}

export const readRounding: Shape<Rounding> = (value, path) => {
  const rounding = record({ bins: whole(1, MAX_LEVELS), values: listOf(whole(0, ONE), MAX_LEVELS) })(
    value,
    path,
  )
  if (rounding.values.length !== rounding.bins) throw malformed(`${path}.values`, 'not one value per bin')
  const outside = rounding.values.findIndex((units, bin) => levelOf(units, rounding.bins) !== bin)
  if (outside >= 0) throw malformed(`${path}.values[${outside}]`, 'a value lies outside its bin')
  return rounding
}

const scalar: Shape<Value> = (value, path) =>
  value === null || typeof value === 'boolean' ? value : typeof value === 'string' ? value : real(value, path)

/** A number, or a date or a time as people write it. */
const bound: Shape<Bound> = (value, path) => {
  if (typeof value !== 'string') return real(value, path)
  if (parseMoment(value) === undefined && parseClock(value) === undefined)
    throw malformed(path, `${showValue(value)} is no date and no time`)
  return value
}

export const readPredicate: Shape<Predicate> = (value, path) => {
  const entries = entriesOf(value, path)
  const tests: Readonly<Record<string, Shape<unknown>>> = {
    is: scalar,
    in: listOf(scalar),
    notIn: listOf(scalar),
    atMost: bound,
    below: bound,
    atLeast: bound,
    above: bound,
    missing: flag,
  }
  const test = Object.keys(tests).find(name => Object.hasOwn(entries, name))
  if (test === undefined) throw malformed(path, 'a predicate without a test')
  const optional = test === 'missing' ? {} : { orMissing: flag }
  return record({ column: text, [test]: tests[test] }, optional)(value, path) as unknown as Predicate
}

const groupShape: Shape<string | Predicate | Predicate[] | { name: string; where: Predicate[] }> = (
  value,
  path,
) => {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return listOf(readPredicate)(value, path)
  if (Object.hasOwn(entriesOf(value, path), 'where')) {
    return record({ name: text, where: listOf(readPredicate) })(value, path)
  }
  return readPredicate(value, path)
}

const auditorsShape = byKind<AuditorsData>({
  groups: record({ kind: oneOf('groups'), groups: listOf(groupShape), pairs: flag }),
  trees: record({ kind: oneOf('trees'), depth: whole(1, 16) }, { columns: listOf(text) }),
  linear: record({ kind: oneOf('linear'), budget: within(0, Number.MAX_VALUE) }, { columns: listOf(text) }),
  functions: record({ kind: oneOf('functions'), functions: listOf(text) }, { valueBins: whole(1, MAX_BINS) }),
})

/** Auditors that make a class together with these factors on this encoding. */
export function readAuditors(
  value: unknown,
  path: string,
  encoding: Encoding,
  factors: FactorKind,
): AuditorsData {
  const auditors = auditorsShape(value, path)
  if (auditors.kind === 'linear' && factors === 'level-sets') throw malformed(path, 'no finite level sets')
  if (auditors.kind === 'trees' && auditors.columns?.length === 0) throw malformed(path, 'no columns')
  if (auditors.kind === 'functions') checkFunctions(auditors.functions, path, encoding, factors)
  return auditors
}

function checkFunctions(
  names: readonly string[],
  path: string,
  encoding: Encoding,
  factors: FactorKind,
): void {
  const functions = new Set(encoding.functions)
  const same = names.length === encoding.functions.length && names.every(name => functions.has(name))
  if (names.length === 0 || !same) throw malformed(path, 'not the functions of the encoding')
  const numeric = new Set(encoding.features.flatMap(({ kind, name }) => (kind === 'numeric' ? [name] : [])))
  const binned = names.every(name => numeric.has(name))
  if ((factors === 'table' || factors === 'level-sets') && !binned) throw malformed(path, 'no value bins')
}

const measuredShape = record({ error: real, atMost: real, worst: text })

const summaryShape = record(
  {
    loss: real,
    meanResidual: real,
    calibration: real,
    multiaccuracy: measuredShape,
    multicalibration: measuredShape,
  },
  { levelSet: measuredShape },
)

const guaranteeShape = oneOf('multiaccuracy', 'multicalibration', 'level-set')
const heldOutBoundFields = { measured: real, slack: real, bound: real, worst: text }
const heldOutBoundShape = record(heldOutBoundFields)
const paperShape = record({ rows: real, vacuous: flag }, { bound: real, rowsNeeded: real })

const heldOutShape = record(
  {
    units: record({ rows: real, count: real, weight: real, largestWeight: real, squaredWeight: real }),
    confidence: real,
    candidates: real,
    meanSquare: real,
    multiaccuracy: heldOutBoundShape,
    multicalibration: heldOutBoundShape,
  },
  { levelSet: heldOutBoundShape, paper: paperShape },
)

/** Versions 1 and 2: one of two inequalities for each auditor. */
const oldBoundShape = record({
  ...heldOutBoundFields,
  inequality: oneOf('Hoeffding', 'empirical Bernstein'),
})
const oldHeldOutShape = record(
  {
    weight: real,
    effectiveRows: real,
    weighted: flag,
    confidence: real,
    candidates: real,
    multicalibration: oldBoundShape,
  },
  { levelSet: oldBoundShape, paper: paperShape },
)

const fraction = within(0, 1)
const seed = whole(0, 2 ** 32 - 1)

const rowSplitShape = byKind<RowSplit>({
  column: record({ kind: oneOf('column'), column: text }),
  rows: record({ kind: oneOf('rows'), fraction, seed }),
  ids: record({ kind: oneOf('ids'), column: text, fraction, seed }),
})

export function readCertificate(
  value: unknown,
  path: string,
  encoding: Encoding,
  version: ModelVersion,
): Certificate {
  const isOld = version < 3
  return record(
    {
      claim: record({
        guarantee: guaranteeShape,
        epsilon: real,
        tolerance: real,
        bins: whole(1, MAX_LEVELS),
        budget: real,
        confidence: real,
        candidates: real,
      }),
      holds: flag,
      rows: record(
        { rowCount: real, fitWeight: real, fingerprint: text },
        { holdoutWeight: real, split: rowSplitShape, copies: oneOf(...COPIES) },
      ),
      auditors: text,
      factors: oneOf(...FACTOR_KINDS),
      oracle: oneOf('closed form', 'exhaustive', 'least squares', 'rank one', 'greedy'),
      rounds: whole(0, Number.MAX_SAFE_INTEGER),
      tolerances: listOf(
        record({
          factors: oneOf(...FACTOR_KINDS),
          tolerance: real,
          attained: flag,
          worst: text,
          update: (update, place) => readUpdate(update, place, encoding),
        }),
      ),
      rungs: listOf(
        record({
          guarantee: guaranteeShape,
          bound: real,
          through: oneOf(...FACTOR_KINDS),
          tolerance: real,
          measured: measuredShape,
        }),
      ),
      before: summaryShape,
      after: summaryShape,
      proven: listOf(text),
      measured: listOf(text),
      caveats: listOf(text),
    },
    {
      protected: listOf(
        record(
          { group: text, weight: real, gap: real },
          { heldOut: record({ weight: real, gap: real, bound: real }) },
        ),
      ),
      paperBound: real,
      heldOut: isOld ? oldHeldOutShape : heldOutShape,
    },
  )(value, path)
}
