// The steps of common/logistic.ts as SQL: the same additions, multiplications and divisions of doubles, one by one, in the same order. So
// each result is the same to the bit.

import { EXPONENTIAL, LN2_HIGH, LN2_LOW, LOGARITHM } from '../../common/logistic.ts'
import { ONE } from '../../common/units.ts'
import type { Arithmetic } from './arithmetic.ts'
import { type Columns, cast, doubleSql, ONE_SQL } from './select.ts'

const polynomial = (coefficients: readonly number[], x: string): string =>
  coefficients
    .slice(1)
    .reduce((sum, next) => `(${sum} * ${x} + ${doubleSql(next)})`, doubleSql(coefficients[0]))

/** expOfStep: from a step as a number, which is written out twice, to the columns that `expSql` reads. */
export const expLayers = (dialect: Arithmetic, x: string): Columns[] => [
  { mo_k: dialect.floor(`${x} * ${doubleSql(Math.LOG2E)} + 0.5E0`) },
  {
    mo_rest: `${x} - ${cast('mo_k', dialect.doubleType)} * ${doubleSql(LN2_HIGH)} - ${cast('mo_k', dialect.doubleType)} * ${doubleSql(LN2_LOW)}`,
  },
]

/** e to that step. */
export const expSql = (dialect: Arithmetic): string =>
  `(${polynomial(EXPONENTIAL, 'mo_rest')} * ${dialect.powerOfTwo('mo_k')})`

/** moveOdds: from the columns `mo_u`, a prediction inside 0 and 1, and `mo_step` to `q`. */
export function moveOddsSql(dialect: Arithmetic): Columns[] {
  const from = cast('mo_u', dialect.doubleType)
  return [
    ...expLayers(dialect, `(${cast('mo_step', dialect.doubleType)} / ${ONE_SQL})`),
    { mo_odds: `${from} * ${expSql(dialect)}` },
    {
      q: cast(
        dialect.floor(`(${ONE_SQL} * mo_odds) / (mo_odds + (${ONE_SQL} - ${from})) + 0.5E0`),
        dialect.wordType,
      ),
    },
  ]
}

/** lnOfUnits of a whole number above 0: its columns, layer by layer, and then the logarithm. */
export function lnOfUnits(
  dialect: Arithmetic,
  units: string,
  name: string,
): { layers: Columns[]; ln: string } {
  // Of so many powers of two the mantissa is left between the root of 1/2 and that of 2: what is halved there is counted at once.
  let exponent = '0'
  for (let power = 1; power <= 24; power++)
    exponent = `CASE WHEN ${units} > ${Math.floor(Math.SQRT2 * 2 ** (power - 1))} THEN ${power} ELSE ${exponent} END`
  const mantissa = `(${cast(units, dialect.doubleType)} / ${dialect.powerOfTwo(`${name}_e`)})`
  const scale = cast(`${name}_e - 24`, dialect.doubleType)
  const square = `(${name}_s * ${name}_s)`
  return {
    layers: [{ [`${name}_e`]: exponent }, { [`${name}_s`]: `(${mantissa} - 1E0) / (${mantissa} + 1E0)` }],
    ln: `(${scale} * ${doubleSql(LN2_HIGH)} + (${scale} * ${doubleSql(LN2_LOW)} + ${polynomial(LOGARITHM, square)} * ${name}_s))`,
  }
}

/** scaleOdds: from `mo_v`, inside 0 and 1, and the steps, within bounds, to `q`. */
export function scaleOddsSql(
  dialect: Arithmetic,
  scale: number,
  steps: string,
  largestStep: number,
): Columns[] {
  const yes = lnOfUnits(dialect, 'mo_v', 'mo_ln')
  const no = lnOfUnits(dialect, `(${ONE} - mo_v)`, 'mo_lw')
  const logit = `${dialect.floor(`(${yes.ln} - ${no.ln}) * ${ONE_SQL} + 0.5E0`)} + ${steps}`
  const scaled = dialect.floor(
    `(${doubleSql(scale)} * ${cast(logit, dialect.doubleType)}) / ${ONE_SQL} + 0.5E0`,
  )
  return [
    ...yes.layers.map((layer, index) => ({ ...layer, ...no.layers[index] })),
    { mo_u: String(ONE / 2), mo_step: `GREATEST(${-largestStep}, LEAST(${largestStep}, ${scaled}))` },
    ...moveOddsSql(dialect),
  ]
}
