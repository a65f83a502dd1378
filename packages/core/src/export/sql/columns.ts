// What a row of a database holds, as bins, signals and the units that a prediction starts from: quantize/encoding.ts in SQL. A value that
// `predict` would refuse makes the prediction NULL.

import { ONE } from '../../common/units.ts'
import { type FeatureSchema, missingBin } from '../../quantize/schema.ts'
import type { PlannedSignal, ScoringPlan } from '../plan.ts'
import { isStorable } from '../texts.ts'
import type { Warehouse } from './dialects.ts'
import { expLayers, expSql } from './logistic.ts'
import { type Columns, cast, doubleSql, ONE_SQL, roundSql } from './select.ts'

const DAY_MICROS = 86_400_000_000

/** Numbers as people write them, and as databases write large and small ones. */
const NUMBER = String.raw`-?(0|[1-9]\d{0,14})(\.\d{1,15})?|-?\d(\.\d+)?[eE][+-]?\d+`

/** The columns of the table in the form of their schemas: x0, x1 ..., and `score`. */
export function valuesOf(warehouse: Warehouse, { features, start }: ScoringPlan, source: string): Columns {
  const column = (name: string) => `${source}.${warehouse.name(name)}`
  return {
    ...Object.fromEntries(
      features.map((feature, index) => [`x${index}`, readSql(warehouse, feature, column(feature.name))]),
    ),
    ...(start.kind === 'column' && { score: warehouse.number(column(start.column)) }),
  }
}

function readSql(warehouse: Warehouse, feature: FeatureSchema, column: string): string {
  const { doubleType } = warehouse
  if (feature.kind === 'boolean') return cast(column, 'BOOLEAN')
  if (feature.kind === 'categorical') return cast(column, warehouse.textType)
  if (feature.time === undefined) return warehouse.number(column)
  if (feature.time === 'time') return `${cast(warehouse.clock(column), doubleType)} / 1000000E0`
  return `${cast(warehouse.moment(column, feature.time), doubleType)} / ${doubleSql(DAY_MICROS)}`
}

/** From the values to bins f0, f1 ..., signals s0, s1 ..., the start `p`, and `ok`, which is 1 where all of them may be. */
export function encodedLayers(warehouse: Warehouse, plan: ScoringPlan): Columns[] {
  const { features, signals } = plan
  const numbers = features.flatMap((feature, index) =>
    feature.kind === 'categorical' && feature.numbers
      ? [[`n${index}`, warehouse.numberIn(`x${index}`, NUMBER)]]
      : [],
  )
  const scaled = signals.flatMap((signal, index) =>
    signal.kind === 'scaled' ? [[`u${index}`, scaledSql(signal, `x${placeOf(plan, signal.column)}`)]] : [],
  )
  const bins = features.map((feature, index) => [`f${index}`, binSql(warehouse, feature, index)])
  const units = signals.map((signal, index) => [`s${index}`, signalSql(warehouse, plan, signal, index)])
  return [
    Object.fromEntries([...numbers, ...scaled]),
    ...startLayers(warehouse, plan),
    Object.fromEntries([...bins, ...units]),
  ]
}

const placeOf = ({ features }: ScoringPlan, column: string): number =>
  features.findIndex(({ name }) => name === column)

/** PostgreSQL refuses products that are too small for a double. Such scores are worth no unit, and e to them is 1. */
const TINY = '(ABS(score) < 1E-30)'
const PERCENT_SHARE = `CASE WHEN ${TINY} THEN score ELSE score / 100E0 END`

function startLayers(warehouse: Warehouse, { features, start }: ScoringPlan): Columns[] {
  const finite = features.flatMap((feature, index) =>
    feature.kind === 'numeric' && feature.time === undefined
      ? [`(x${index} IS NULL OR NOT (${warehouse.isInfinite(`x${index}`)}))`]
      : [],
  )
  const flag = (conditions: readonly string[]) =>
    conditions.length === 0 ? '1' : `CASE WHEN ${conditions.join(' AND ')} THEN 1 ELSE 0 END`
  if (start.kind === 'constant')
    return [
      { ok: flag(finite), p: warehouse.unknown?.(start.units) ?? cast(start.units, warehouse.wordType) },
    ]
  const { scale = 'probability' } = start
  const known = scale === 'logit' ? `NOT (${warehouse.isInfinite('score')})` : 'share BETWEEN 0E0 AND 1E0'
  const share = { probability: 'score', percent: PERCENT_SHARE, logit: '0E0' }[scale]
  const ok = flag(['score IS NOT NULL', known, ...finite])
  const probability: Columns[] =
    scale === 'logit'
      ? [
          { mo_x: `CASE WHEN ok = 1 AND NOT ${TINY} THEN GREATEST(-32E0, LEAST(32E0, score)) ELSE 0E0 END` },
          ...expLayers(warehouse, 'mo_x'),
          { odds: expSql(warehouse) },
          { beginning: `(odds / (1E0 + odds)) * ${ONE_SQL}` },
        ]
      : [{ beginning: `CASE WHEN ok = 1 THEN share ELSE 0E0 END * ${ONE_SQL}` }]
  return [
    { share },
    { ok },
    ...probability,
    { p: cast(roundSql(warehouse, 'beginning'), warehouse.wordType) },
  ]
}

/** The bin of the value x0, x1 ...; of names that are numbers also n0, n1 ... */
function binSql(warehouse: Warehouse, feature: FeatureSchema, index: number): string {
  const value = `x${index}`
  const missing = missingBin(feature)
  switch (feature.kind) {
    case 'boolean':
      return `CASE WHEN ${value} THEN 1 WHEN NOT ${value} THEN 0 ELSE 2 END`
    case 'numeric':
      return `CASE WHEN ${value} IS NULL THEN ${missing} ELSE ${searchSql(value, feature.cuts)} END`
    case 'categorical': {
      const bins = new Map<string, number>(feature.pooled.map(text => [text, feature.categories.length]))
      for (const [bin, text] of feature.categories.entries()) bins.set(text, bin)
      return categorySql(warehouse, feature, index, [...bins], missing)
    }
  }
}

/** How many cuts are below the value: a search among them. */
function searchSql(value: string, cuts: readonly number[]): string {
  const between = (low: number, high: number): string => {
    if (low === high) return String(low)
    const middle = (low + high) >> 1
    return `CASE WHEN ${value} <= ${doubleSql(cuts[middle])} THEN ${between(low, middle)} ELSE ${between(middle + 1, high)} END`
  }
  return between(0, cuts.length)
}

type Categorical = Extract<FeatureSchema, { kind: 'categorical' }>

/** What a text is worth; texts that no database holds are left out. */
function categorySql(
  warehouse: Warehouse,
  { numbers }: Categorical,
  index: number,
  worth: readonly (readonly [text: string, value: number])[],
  otherwise: number,
): string {
  const known = worth.filter(([text]) => isStorable(text))
  const asNumber = (text: string) => numbers === true && String(Number(text)) === text
  const cases = (wanted: typeof known, literal: (text: string) => string, column: string, rest: string) => {
    const values = new Map<number, string[]>()
    for (const [text, value] of wanted) values.set(value, [...(values.get(value) ?? []), literal(text)])
    const branches = Array.from(values, ([value, texts]) =>
      texts.length === 1
        ? `WHEN ${column} = ${texts[0]} THEN ${value}`
        : `WHEN ${column} IN (${texts.join(', ')}) THEN ${value}`,
    )
    return branches.length === 0 ? rest : `CASE ${branches.join(' ')} ELSE ${rest} END`
  }
  const texts = known.filter(([text]) => !asNumber(text))
  const plain = known.filter(([text]) => asNumber(text))
  const byText = cases(texts, text => warehouse.text(text), `x${index}`, String(otherwise))
  return cases(plain, text => doubleSql(Number(text)), `n${index}`, byText)
}

/** (x - center) / scale within -1 and 1, in units; databases that refuse numbers that are too large or too small are not asked for any. */
function scaledSql({ center, scale }: Extract<PlannedSignal, { kind: 'scaled' }>, value: string): string {
  const [low, high] = [-1, 1].map(side => farEnough(center, scale, side))
  const inside = `GREATEST(-1E0, LEAST(1E0, (${value} - ${signed(center)}) / ${signed(scale)}))`
  return (
    `CASE WHEN ${value} IS NULL THEN 0E0 WHEN ${value} >= ${signed(high)} THEN 1E0 ` +
    `WHEN ${value} <= ${signed(low)} THEN -1E0 ` +
    `WHEN ABS(${value} - ${signed(center)}) < ${doubleSql(scale * 2 ** -30)} THEN 0E0 ELSE ${inside} END * ${ONE_SQL}`
  )
}

/** From here on the signal is 1, or -1: doubles are rounded, but in order. */
function farEnough(center: number, scale: number, side: number): number {
  let far = scale
  while (Math.abs((center + side * far - center) / scale) < 1) far *= 2
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, center + side * far))
}

const signed = (value: number): string => `(${doubleSql(value)})`

function signalSql(warehouse: Warehouse, plan: ScoringPlan, signal: PlannedSignal, index: number): string {
  if (signal.kind === 'one') return String(ONE)
  if (signal.kind === 'scaled') return roundSql(warehouse, `u${index}`)
  const place = placeOf(plan, signal.column)
  const feature = plan.features[place]
  if (feature.kind === 'categorical' && typeof signal.value === 'string')
    return categorySql(warehouse, feature, place, [[signal.value, ONE]], 0)
  return `CASE WHEN ${signal.value === true ? '' : 'NOT '}x${place} THEN ${ONE} ELSE 0 END`
}
