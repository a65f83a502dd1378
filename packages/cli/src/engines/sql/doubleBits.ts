// The two halves of the bits of a double, as SQL: no database gives them, so they are put together from sign, exponent and mantissa.
// Every step is exact: products with powers of two, and differences of numbers that are near each other.

import { type Columns, cast, doubleSql } from '@featureboost/core/internal'
import type { Dialect } from './dialect.ts'

/** Below this a double has fewer digits, and no exponent of its own. */
const LEAST_NORMAL = 2 ** -1022

/** Layers; the last has `${name}_h` and `${name}_l`, from 0 to below 2^32, NULL where the column is. It holds finite numbers, and no -0. */
export function doubleBitsSql(dialect: Dialect, columns: Readonly<Record<string, string>>): Columns[] {
  const each = (sql: (name: string) => Columns): Columns =>
    Object.assign({}, ...Object.keys(columns).map(name => sql(name)))
  const power = (exponent: string) => `power(2E0, ${cast(exponent, dialect.doubleType)})`
  const long = (value: string) => cast(value, dialect.longType)
  const isSmall = (name: string) => `${name}_a < ${doubleSql(LEAST_NORMAL)}`
  return [
    each(name => ({ [`${name}_a`]: `abs(${columns[name]})` })),
    // Near a power of two the logarithm may be off by one, which is mended below.
    each(name => ({
      [`${name}_e`]: `CASE WHEN ${isSmall(name)} THEN 0 ELSE ${dialect.floor(`log2(${name}_a)`)} END`,
    })),
    // In two steps, neither of which leaves the range of doubles.
    each(name => ({
      [`${name}_m`]: `CASE WHEN ${isSmall(name)} THEN ${name}_a * ${doubleSql(2 ** 537)} * ${doubleSql(2 ** 537)} ELSE ${name}_a * ${power(`-floor(${name}_e / 2E0)`)} * ${power(`-(${name}_e - floor(${name}_e / 2E0))`)} END`,
    })),
    each(name => ({
      [`${name}_x`]: `CASE WHEN ${isSmall(name)} THEN ${long('0')} ELSE ${long(`${name}_e`)} + 1023 + CASE WHEN ${name}_m >= 2E0 THEN 1 WHEN ${name}_m < 1E0 THEN -1 ELSE 0 END END`,
      [`${name}_f`]: long(
        `CASE WHEN ${isSmall(name)} THEN ${name}_m ELSE (CASE WHEN ${name}_m >= 2E0 THEN ${name}_m / 2E0 WHEN ${name}_m < 1E0 THEN ${name}_m * 2E0 ELSE ${name}_m END - 1E0) * ${doubleSql(2 ** 52)} END`,
      ),
    })),
    each(name => ({
      [`${name}_h`]: dialect.unsigned(
        `CASE WHEN ${columns[name]} < 0E0 THEN ${long('2147483648')} ELSE 0 END + ${name}_x * 1048576 + ${dialect.shiftRight(`${name}_f`, 32)}`,
      ),
      [`${name}_l`]: dialect.unsigned(`${name}_f`),
    })),
  ]
}
