// Dates, timestamps and times of day as numbers: days since 1970-01-01 (UTC), with fractions, and seconds since midnight.

import type { ColumnType } from './columnType.ts'

type MomentType = Extract<ColumnType, 'date' | 'day first' | 'month first' | 'timestamp' | 'time'>

export const isMomentType = (type: ColumnType): type is MomentType => type in READERS

/** The text has been found to be of that type. */
export const readMoment = (type: MomentType, text: string): number => READERS[type](text)

/** What the numbers stand for. */
export function timeOf(type: MomentType): 'date' | 'timestamp' | 'time' {
  return type === 'timestamp' || type === 'time' ? type : 'date'
}

/** How dates are written that are not as ISO 8601 has them, by one of them. */
export function formatOf(type: MomentType, text: string): string | undefined {
  const sign = /\D/.exec(text)?.[0] ?? '-'
  if (type === 'day first') return `%d${sign}%m${sign}%Y`
  if (type === 'month first') return `%m${sign}%d${sign}%Y`
  return type === 'date' && sign !== '-' ? `%Y${sign}%m${sign}%d` : undefined
}

const READERS: Readonly<Record<MomentType, (text: string) => number>> = {
  date: text => days(text, 0, 1, 2),
  'day first': text => days(text, 2, 1, 0),
  'month first': text => days(text, 2, 0, 1),
  timestamp: readTimestamp,
  time: text => microseconds(text) / 1e6,
}

function days(text: string, year: number, month: number, day: number): number {
  const parts = text.split(/\D/).map(Number)
  return Date.UTC(parts[year], parts[month] - 1, parts[day]) / 86_400_000
}

function readTimestamp(text: string): number {
  const [, date, clock, zone = 'Z'] = /^(\S+?)[ T]([\d:.]+)(.*)$/.exec(text)!
  const [, sign = '+', hours = '0', minutes = '0'] = /^([-+])(\d{2}):?(\d{2})?$/.exec(zone) ?? []
  const offset = (60 * Number(hours) + Number(minutes)) * (sign === '-' ? -60 : 60)
  return (days(date, 0, 1, 2) * 86_400e6 + microseconds(clock) - offset * 1e6) / 86_400e6
}

/** Whole ones: what is finer is cut off. */
function microseconds(clock: string): number {
  const [hour, minute, rest = '0'] = clock.split(':')
  const [second, fraction = ''] = rest.split('.')
  const whole = 3600 * Number(hour) + 60 * Number(minute) + Number(second)
  return whole * 1e6 + Number(fraction.padEnd(6, '0').slice(0, 6))
}
