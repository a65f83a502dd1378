// Dates, timestamps and times of day as numbers: days since 1970-01-01, seconds since then (UTC), seconds since midnight.

import type { ColumnType } from './columnType.ts'

type MomentType = Extract<ColumnType, 'date' | 'day first' | 'month first' | 'timestamp' | 'time'>

export const isMomentType = (type: ColumnType): type is MomentType => type in READERS

/** The text has been found to be of that type. */
export const readMoment = (type: MomentType, text: string): number => READERS[type](text)

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
  return (days(date, 0, 1, 2) * 86_400e6 + microseconds(clock) - offset * 1e6) / 1e6
}

/** Whole ones: what is finer is cut off. */
function microseconds(clock: string): number {
  const [hour, minute, rest = '0'] = clock.split(':')
  const [second, fraction = ''] = rest.split('.')
  const whole = 3600 * Number(hour) + 60 * Number(minute) + Number(second)
  return whole * 1e6 + Number(fraction.padEnd(6, '0').slice(0, 6))
}
