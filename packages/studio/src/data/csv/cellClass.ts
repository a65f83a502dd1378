// What a cell of CSV may be. The command line lets DuckDB guess types; these are the forms that DuckDB is known to read
// in one way (test/csv.test.ts compares). Forms that it reads in ways of its own are DOUBT: a column of them is left out
// rather than read as something else.

export const BOOLEAN = 1
export const INTEGER = 2
export const DOUBLE = 4
/** Year first. */
export const DATE = 8
/** Day first, month second; a date such as 03/04/2021 is also MONTH_FIRST. */
export const DAY_FIRST = 16
export const MONTH_FIRST = 32
export const TIMESTAMP = 64
/** With a zone. */
export const MOMENT = 128
export const TIME = 256
export const DOUBT = 512
export const TEXT = 1024

const TRUTH = /^(?:true|false)$/i
const WHOLE = /^(?:-\d+|0|[1-9]\d*)$/
export type Decimal = ',' | '.'

const NUMBER: Readonly<Record<Decimal, RegExp>> = {
  '.': /^-?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/,
  ',': /^-?(?:(?:0|[1-9]\d*)(?:,\d*)?|,\d+)(?:[eE][-+]?\d+)?$/,
}
const NOT_A_NUMBER = /^-?nan$/i
const DATED = /^(\d{4})([-/. ])(\d{1,2})\2(\d{1,2})$/
const DATED_LAST = /^(\d{1,2})([-/. ])(\d{1,2})\2(\d{4})$/
const STAMP = /^(\d{4})-(\d{1,2})-(\d{1,2})[ T](\d{1,2}):(\d{2}):(\d{2})(?:\.\d+)?(Z|[-+]\d{2}(?::?\d{2})?)?$/
const SHORT_STAMP = /^(\d{4})-(\d{1,2})-(\d{1,2})[ T](\d{1,2}):(\d{2})$/
const CLOCK = /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.\d+)?$|^(\d{1,2}):(\d{2})$/
/** Numbers in other coats, moments in other forms, words that DuckDB takes for dates. */
const ODD =
  /^\s+|\s+$|^0[xb][\da-f]|^-0\d|^[-+]?inf|^epoch$|^\d{1,7}[-/. ]\d{1,2}[-/. ]\d{1,7}(?![-/.\d])|^\d{1,3}:\d|^-\d+-\d+-\d+/i

/** The bits of a cell that is not empty. */
export function classify(text: string, decimal: Decimal): number {
  if (WHOLE.test(text)) return isLong(text) ? INTEGER | DOUBLE : DOUBLE
  if (NUMBER[decimal].test(text) || NOT_A_NUMBER.test(text)) return DOUBLE
  if (TRUTH.test(text)) return BOOLEAN
  return classifyDate(text) || (ODD.test(text) ? doubtOf(text) : TEXT)
}

/** Spaces around mere words are part of them. */
const doubtOf = (text: string): number => (/\d|inf|nan|epoch/i.test(text) ? DOUBT : TEXT)

/** Within 64 bits. */
function isLong(text: string): boolean {
  if (text.length < 19) return true
  const value = BigInt(text)
  return value >= -(2n ** 63n) && value < 2n ** 63n
}

function classifyDate(text: string): number {
  const first = text.charCodeAt(0)
  if (first < 48 || first > 57) return 0
  const dated = DATED.exec(text)
  if (dated !== null) return isDay(+dated[1], +dated[3], +dated[4]) ? DATE : TEXT
  const last = DATED_LAST.exec(text)
  if (last !== null) {
    const [, a, , b, year] = last
    return (isDay(+year, +b, +a) ? DAY_FIRST : 0) | (isDay(+year, +a, +b) ? MONTH_FIRST : 0) || TEXT
  }
  const stamp = STAMP.exec(text) ?? SHORT_STAMP.exec(text)
  if (stamp !== null) {
    const [, year, month, day, hour, minute, second = '0', zone] = stamp
    if (!isDay(+year, +month, +day) || !isClock(+hour, +minute, +second)) return DOUBT
    return zone === undefined ? TIMESTAMP : MOMENT
  }
  const clock = CLOCK.exec(text)
  if (clock === null) return 0
  const [, h, m, s, hour, minute] = clock
  return isClock(+(h ?? hour), +(m ?? minute), +(s ?? 0)) ? TIME : DOUBT
}

const isClock = (hour: number, minute: number, second: number): boolean =>
  hour < 24 && minute < 60 && second < 60

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day))
  return year >= 1000 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}
