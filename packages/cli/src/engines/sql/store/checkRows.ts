// Every row is checked where it is, in one reading: what a column may not hold is counted, and the first bad rows are named by what they
// hold, since rows of a database have no numbers.

import { type ErrorCode, FeatureBoostError } from '@featureboost/core'
import { formatCount } from '@featureboost/core/internal'
import { CLOCK_TEXT, MOMENT_TEXT } from '../../../data/kinds.ts'
import { countWhere, readRow } from '../survey.ts'
import { type GivenColumn, type GivenRoles, type Kind, tooWide } from './givenColumns.ts'
import type { NotedColumn, NotedRoles } from './noteRows.ts'
import type { Cell, StoreDriver } from './storeDialect.ts'

/** The table of given rows: `place`, and a column for each role. */
export interface GivenTable {
  readonly table: string
  readonly roles: GivenRoles
  /** Is a side chosen by the hash of an id? */
  readonly splitsById: boolean
}

/** Names in that table. */
export const givenNames = ({ features, fold, group, label, prediction, weight }: GivenRoles) => {
  const named = (column: GivenColumn | undefined, name: string) =>
    column === undefined ? undefined : { ...column, column: name }
  return {
    features: features.map((column, index) => named(column, `c${index}`)!),
    label: named(label, 'cl')!,
    prediction: named(prediction, 'cp'),
    weight: named(weight, 'cw'),
    fold: named(fold, 'cs'),
    group: named(group, 'ci'),
  }
}
type Named = ReturnType<typeof givenNames>['label']

export interface CheckedRows {
  readonly rowCount: number
  readonly roles: NotedRoles
}

interface Facts {
  readonly present: number
  readonly infinite: number
  readonly wide: number
  readonly truths: number
  readonly times: number
}

const FACTS = ['present', 'infinite', 'wide', 'truths', 'times'] as const

export async function checkRows(driver: StoreDriver, given: GivenTable): Promise<CheckedRows> {
  const names = givenNames(given.roles)
  const all = [
    ...names.features,
    names.label,
    names.prediction,
    names.weight,
    names.fold,
    names.group,
  ].filter(each => each !== undefined)
  const asked = all.flatMap(each => FACTS.map(fact => factSql(driver, each, fact)))
  const [rowCount, ...found] = await readRow(driver, ['COUNT(*)', ...asked], given.table)
  const facts = new Map<Named, Facts>(
    all.map((each, index) => [
      each,
      Object.fromEntries(
        FACTS.map((fact, at) => [fact, found[index * FACTS.length + at]]),
      ) as unknown as Facts,
    ]),
  )
  if (rowCount > 0) for (const each of all) await checkColumn(driver, given, each, facts.get(each)!)
  const roles = notedRoles(driver, names, each => facts.get(each)!)
  if (rowCount > 0) await checkRoles(driver, given, names, roles)
  return { rowCount, roles }
}

/** What columns turned out to be. */
function notedRoles(
  driver: Pick<StoreDriver, 'dialect'>,
  names: ReturnType<typeof givenNames>,
  factsOf: (each: Named) => Facts,
): NotedRoles {
  let texts = 0
  const noted = (each: Named, isText = true): NotedColumn => {
    const kind = kindOf(each, factsOf(each))
    const { time } = each.given
    const isEmpty = factsOf(each).present === 0
    return {
      ...{ column: each.column, kind, sql: finalSql(driver, each, kind), isEmpty },
      ...(time !== undefined && !isEmpty && { time }),
      ...(kind === 'categorical' && isText && { texts: texts++ }),
    }
  }
  const notedOptional = (each: Named | undefined, isText = true) =>
    each === undefined ? undefined : noted(each, isText)
  return {
    features: names.features.map(each => noted(each)),
    label: noted(names.label),
    prediction: notedOptional(names.prediction),
    weight: notedOptional(names.weight),
    fold: notedOptional(names.fold, false),
    group: notedOptional(names.group),
  }
}

/** What they are by their types, before anybody has looked at a row. */
export const assumedRoles = (driver: Pick<StoreDriver, 'dialect'>, roles: GivenRoles): NotedRoles =>
  notedRoles(driver, givenNames(roles), () => ({ present: 1, infinite: 0, wide: 0, truths: 0, times: 0 }))

function factSql({ dialect }: StoreDriver, { column, given }: Named, fact: (typeof FACTS)[number]): string {
  if (fact === 'present') return `COUNT(${column})`
  if (given.kind === 'numeric') {
    if (fact === 'infinite') return countWhere(dialect.isInfinite(column))
    if (fact === 'wide' && given.wide) return countWhere(`abs(${column}) > 9007199254740991E0`)
  }
  if (given.kind === 'categorical') {
    if (fact === 'truths') return countWhere(`lower(${column}) IN ('true', 'false')`)
    if (fact === 'times') return countWhere(dialect.matches(column, `(${MOMENT_TEXT})|(${CLOCK_TEXT})`))
  }
  return '0'
}

/** A column without a value is the same column whatever its type. */
function kindOf({ given }: Named, { present, truths }: Facts): Kind {
  if (present === 0) return 'numeric'
  return given.kind === 'categorical' && truths === present ? 'boolean' : given.kind
}

function finalSql({ dialect }: Pick<StoreDriver, 'dialect'>, { column, given }: Named, kind: Kind): string {
  if (kind === given.kind) return column
  if (kind === 'boolean') return `CASE lower(${column}) WHEN 'true' THEN 1 WHEN 'false' THEN 0 END`
  return `CAST(NULL AS ${dialect.doubleType})`
}

async function checkColumn(driver: StoreDriver, given: GivenTable, each: Named, facts: Facts): Promise<void> {
  const { column, name } = each
  if (facts.infinite > 0)
    await refuse(driver, given, each, driver.dialect.isInfinite(column), facts.infinite, {
      code: 'FB_NOT_FINITE',
      message: value => `${value} is not a finite number.`,
      expected: 'a finite number, or NaN or NULL for a missing value',
    })
  if (facts.wide > 0) throw tooWide(name, facts.wide)
  if (facts.present > 0 && facts.times === facts.present)
    throw new FeatureBoostError('FB_COLUMN_KIND', 'the column holds dates or times as text.', {
      column: name,
      expected: 'dates and moments of such a type',
      hint: 'Convert them with --sql (CAST(... AS DATE) or CAST(... AS TIMESTAMP)), or leave the column out with --except.',
    })
}

/** In the order in which rows in memory are checked. */
async function checkRoles(
  driver: StoreDriver,
  given: GivenTable,
  names: ReturnType<typeof givenNames>,
  roles: NotedRoles,
): Promise<void> {
  const probability = async (each: Named, noted: NotedColumn, role: 'label' | 'prediction') => {
    if (noted.kind === 'categorical') throw await textRole(driver, given, each, role)
    await missing(
      each,
      role,
      role === 'label' ? 'Leave these rows out with --sql, or fill them in.' : undefined,
    )
    const outside = `(${noted.sql} < 0 OR ${noted.sql} > 1)`
    await count(each, outside, {
      code: role === 'label' ? 'FB_LABEL_RANGE' : 'FB_PREDICTION_RANGE',
      message: value => `${value} is not a ${role === 'label' ? 'label' : 'probability'}.`,
      expected: '0 to 1',
    })
  }
  const bad: { each: Named; condition: string; refusal: Refusal }[] = []
  const count = async (each: Named, condition: string, refusal: Refusal) => {
    bad.push({ each, condition, refusal })
  }
  const missing = (each: Named, role: string, hint = 'Fill these rows in or remove them first.') =>
    count(each, `${each.column} IS NULL`, {
      code: 'FB_MISSING_VALUE',
      message: () => `the ${role} is missing.`,
      hint,
    })
  await probability(names.label, roles.label, 'label')
  if (names.prediction !== undefined) await probability(names.prediction, roles.prediction!, 'prediction')
  if (names.weight !== undefined) {
    if (roles.weight!.kind !== 'numeric')
      throw new FeatureBoostError('FB_COLUMN_KIND', `the weight is ${roles.weight!.kind}.`, {
        column: names.weight.name,
        expected: 'numbers that are not negative',
      })
    await missing(names.weight, 'weight')
    await count(names.weight, `${names.weight.column} < 0`, {
      code: 'FB_WEIGHT_RANGE',
      message: value => `${value} is negative.`,
      expected: 'a weight of 0 or more',
    })
  }
  if (names.fold !== undefined) {
    await missing(names.fold, 'fold')
    const other =
      roles.fold!.kind === 'categorical' ? `${names.fold.column} NOT IN ('fit', 'holdout')` : '1 = 1'
    await count(names.fold, other, {
      code: 'FB_FOLD_VALUE',
      message: value => `${value} is not a fold.`,
      expected: '"fit" or "holdout"',
    })
  }
  if (names.group !== undefined && given.splitsById) await missing(names.group, 'id to split by')
  const counts = await readRow(
    driver,
    bad.map(({ condition }) => countWhere(condition)),
    given.table,
  )
  for (const [index, { condition, each, refusal }] of bad.entries())
    if (counts[index] > 0) await refuse(driver, given, each, condition, counts[index], refusal)
}

interface Refusal {
  readonly code: ErrorCode
  readonly message: (value: string) => string
  readonly expected?: string
  readonly hint?: string
}

/** Columns of a bad row that are shown, and bad rows. */
const [SHOWN_COLUMNS, SHOWN_ROWS] = [5, 3]

async function refuse(
  driver: StoreDriver,
  { roles, table }: GivenTable,
  each: Named,
  condition: string,
  count: number,
  { code, expected, hint, message }: Refusal,
): Promise<never> {
  const shown = givenNames(roles).features.slice(0, SHOWN_COLUMNS)
  const columns = [each, ...shown.filter(({ column }) => column !== each.column)]
  const found = await driver.values(
    `SELECT ${columns.map(({ column }) => column).join(', ')} FROM ${table} WHERE ${condition} ORDER BY place LIMIT ${SHOWN_ROWS}`,
  )
  const rows = Array.from(found[0], (_, row) =>
    shown
      .map(({ name }, index) => `${name} ${show(found[columns.length - shown.length + index][row])}`)
      .join(', '),
  )
  const more = count > rows.length ? '; ...' : ''
  const value = found[0][0]
  throw new FeatureBoostError(code, message(show(value)), {
    column: each.name,
    found: typeof value === 'bigint' ? String(value) : value,
    ...(expected !== undefined && { expected }),
    hint: [`Bad rows: ${formatCount(count)} (${rows.join('; ')}${more}).`, hint]
      .filter(part => part !== undefined)
      .join(' '),
  })
}

const show = (value: Cell): string =>
  value === null ? 'missing' : typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : String(value)

async function textRole(
  driver: StoreDriver,
  { table }: GivenTable,
  { column, name }: Named,
  role: string,
): Promise<FeatureBoostError> {
  const [values] = await driver.values(
    `SELECT DISTINCT ${column} FROM ${table} WHERE ${column} IS NOT NULL ORDER BY ${column} LIMIT 2`,
  )
  const examples = Array.from(values, show)
  const positive =
    role === 'label' ? ` CAST(${name} = ${String(values[0] === null ? '' : `'${values[0]}'`)} AS INT)` : ''
  return new FeatureBoostError(
    'FB_COLUMN_KIND',
    `the ${role} holds strings, such as ${examples.join(' and ')}.`,
    {
      column: name,
      expected: 'numbers from 0 to 1, or booleans',
      hint: `Make them numbers where they are, with --sql, for instance${positive || ' CAST(... AS DOUBLE)'}.`,
    },
  )
}
