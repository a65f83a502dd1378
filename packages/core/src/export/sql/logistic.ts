// The steps of common/logistic.ts as SQL: the same additions, multiplications and divisions of doubles, one by one, in the same order. So
// each result is the same to the bit.

import { ONE } from '../../common/units.ts'
import type { Arithmetic } from './arithmetic.ts'
import { type Columns, cast, doubleSql, ONE_SQL } from './select.ts'

/** One over 13!, 12!, ... 0!. */
const EXPONENTIAL = [
  6227020800, 479001600, 39916800, 3628800, 362880, 40320, 5040, 720, 120, 24, 6, 2, 1, 1,
].map(factorial => 1 / factorial)
const LOGARITHM = [19, 17, 15, 13, 11, 9, 7, 5, 3, 1].map(power => 2 / power)
const LN2_HIGH = 0.6931471803691238
const LN2_LOW = 1.9082149292705877e-10

const polynomial = (coefficients: readonly number[], x: string): string =>
  coefficients
    .slice(1)
    .reduce((sum, next) => `(${sum} * ${x} + ${doubleSql(next)})`, doubleSql(coefficients[0]))

/** expOfStep: from `mo_x`, a step as a number, to the columns that `expSql` reads. */
export const expLayers = (dialect: Arithmetic): Columns[] => [
  { mo_k: dialect.floor(`mo_x * ${doubleSql(Math.LOG2E)} + 0.5E0`) },
  { mo_kd: cast('mo_k', dialect.doubleType) },
  { mo_rest: `mo_x - mo_kd * ${doubleSql(LN2_HIGH)} - mo_kd * ${doubleSql(LN2_LOW)}` },
]

/** e to `mo_x`. */
export const expSql = (dialect: Arithmetic): string =>
  `(${polynomial(EXPONENTIAL, 'mo_rest')} * ${dialect.powerOfTwo('mo_k')})`

/** moveOdds: from the columns `mo_u`, a prediction inside 0 and 1, and `mo_step` to `q`. */
export function moveOddsSql(dialect: Arithmetic): Columns[] {
  const double = (name: string) => cast(name, dialect.doubleType)
  return [
    { mo_x: `${double('mo_step')} / ${ONE_SQL}`, mo_from: double('mo_u') },
    ...expLayers(dialect),
    { mo_odds: `mo_from * ${expSql(dialect)}` },
    {
      q: cast(
        dialect.floor(`(${ONE_SQL} * mo_odds) / (mo_odds + (${ONE_SQL} - mo_from)) + 0.5E0`),
        dialect.wordType,
      ),
    },
  ]
}

/** lnOfUnits: from the column `units`, whole and above 0, to the column `name`. */
export function lnOfUnitsSql(dialect: Arithmetic, units: string, name: string): Columns[] {
  let exponent = '0'
  for (let power = 1; power <= 24; power++)
    exponent = `CASE WHEN ${units} >= ${2 ** power} THEN ${power} ELSE ${exponent} END`
  return [
    { [`${name}_e`]: exponent },
    { [`${name}_m`]: `${cast(units, dialect.doubleType)} / ${dialect.powerOfTwo(`${name}_e`)}` },
    { [`${name}_up`]: `CASE WHEN ${name}_m > ${doubleSql(Math.SQRT2)} THEN 1 ELSE 0 END` },
    {
      [`${name}_n`]: `CASE WHEN ${name}_up = 1 THEN ${name}_m / 2E0 ELSE ${name}_m END`,
      [`${name}_c`]: cast(`${name}_e + ${name}_up - 24`, dialect.doubleType),
    },
    { [`${name}_s`]: `(${name}_n - 1E0) / (${name}_n + 1E0)` },
    { [`${name}_q`]: `${name}_s * ${name}_s` },
    {
      [name]: `${name}_c * ${doubleSql(LN2_HIGH)} + (${name}_c * ${doubleSql(LN2_LOW)} + ${polynomial(LOGARITHM, `${name}_q`)} * ${name}_s)`,
    },
  ]
}

/** scaleOdds: from `mo_v`, inside 0 and 1, and `mo_by`, a step within bounds, to `q`. */
export function scaleOddsSql(dialect: Arithmetic, scale: number, largestStep: number): Columns[] {
  const scaled = dialect.floor(
    `(${doubleSql(scale)} * ${cast('mo_logit', dialect.doubleType)}) / ${ONE_SQL} + 0.5E0`,
  )
  return [
    ...lnOfUnitsSql(dialect, 'mo_v', 'mo_ln'),
    { mo_w: `${ONE} - mo_v` },
    ...lnOfUnitsSql(dialect, 'mo_w', 'mo_lw'),
    { mo_logit: `${dialect.floor(`(mo_ln - mo_lw) * ${ONE_SQL} + 0.5E0`)} + mo_by` },
    { mo_u: String(ONE / 2), mo_step: `GREATEST(${-largestStep}, LEAST(${largestStep}, ${scaled}))` },
    ...moveOddsSql(dialect),
  ]
}
