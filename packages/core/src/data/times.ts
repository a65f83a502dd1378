// Dates and times as numbers. A date and a moment are days since 1970-01-01 in UTC, with fractions: so a date and the midnight it
// begins with are the same number, from whatever file they come. A time of day is seconds since midnight.

export const TIME_KINDS = ['date', 'timestamp', 'time'] as const
export type TimeKind = (typeof TIME_KINDS)[number]

const DAY_SECONDS = 86_400

/** Days and moments are alike; times of day are not. */
export const isSameTime = (one: TimeKind, other: TimeKind): boolean => (one === 'time') === (other === 'time')

const DATE = String.raw`(\d{4})-(\d{2})-(\d{2})`
const CLOCK = String.raw`(\d{2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?`
const ZONE = String.raw`(?:Z|([+-])(\d{2}):?(\d{2})?)?`
const MOMENT = new RegExp(`^${DATE}(?:[T ]${CLOCK}${ZONE})?$`)

/** A date or a moment as ISO 8601 writes them, "2024-06-14" or "2024-06-14 12:30:00"; undefined where it is none. */
export function parseMoment(text: string): number | undefined {
  const parts = MOMENT.exec(text)
  if (parts === null) return undefined
  const [, year, month, day, hours, minutes, seconds, fraction, sign, zoneHours, zoneMinutes] = parts
  const midnight = Date.UTC(Number(year), Number(month) - 1, Number(day))
  const date = new Date(midnight)
  // There is no 31st of June: Date.UTC would take it for the 1st of July.
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined
  if (Number(hours ?? 0) > 23 || Number(minutes ?? 0) > 59 || Number(seconds ?? 0) > 59) return undefined
  const offset = (sign === '-' ? -60 : 60) * (60 * Number(zoneHours ?? 0) + Number(zoneMinutes ?? 0))
  const clock = 3600 * Number(hours ?? 0) + 60 * Number(minutes ?? 0) + Number(seconds ?? 0)
  const micros = Math.round(Number(fraction ?? 0) * 1e6)
  return daysOf(midnight / 1000 + clock - offset, micros)
}

/** Whole seconds and millionths of them: what every reader can tell apart. */
export const daysOf = (seconds: number, micros = 0): number => (seconds * 1e6 + micros) / (DAY_SECONDS * 1e6)

const CLOCK_ALONE = /^(\d{1,2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?$/

/** A time of day, "12:30", "8:15" or "12:30:05.25", in seconds since midnight; undefined where it is none. */
export function parseClock(text: string): number | undefined {
  const parts = CLOCK_ALONE.exec(text)
  if (parts === null) return undefined
  const [hours, minutes, seconds, fraction] = parts.slice(1).map(part => Number(part ?? 0))
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined
  // Whole millionths, divided once: the same double as from every other reader.
  return ((3600 * hours + 60 * minutes + seconds) * 1e6 + Math.round(fraction * 1e6)) / 1e6
}

/** Text as a number of this kind; dates also as the format says. */
export function parseTime(text: string, kind: TimeKind, format?: string): number | undefined {
  if (kind === 'time') return parseClock(text)
  return parseMoment(text) ?? (format === undefined ? undefined : parseDate(text, format))
}

/** Parts of a date, as C's strftime names them. */
const PARTS: Readonly<Record<string, string>> = { Y: '\\d{4}', m: '\\d{1,2}', d: '\\d{1,2}', y: '\\d{2}' }

/** "06/14/2024" by "%m/%d/%Y"; undefined where the text or the format is another. */
export function parseDate(text: string, format: string): number | undefined {
  const names = Array.from(format.matchAll(/%(.)/g), match => match[1])
  if (names.some(name => PARTS[name] === undefined)) return undefined
  const pattern = format
    .split(/%(.)/)
    .map((piece, index) =>
      index % 2 === 1 ? `(${PARTS[piece]})` : piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
    )
  const found = new RegExp(`^${pattern.join('')}$`).exec(text)
  if (found === null) return undefined
  const parts = new Map(names.map((name, index) => [name, found[index + 1]]))
  const short = Number(parts.get('y') ?? 0)
  const year = parts.get('Y') ?? String(short < 69 ? 2000 + short : 1900 + short)
  const [month, day] = ['m', 'd'].map(name => (parts.get(name) ?? '1').padStart(2, '0'))
  return parseMoment(`${year}-${month}-${day}`)
}

/** Is there a time of day besides the date? */
export const hasClock = (days: number): boolean => !Number.isInteger(days)

/** As ISO 8601 has it, down to a millionth of a second, without what is 0. */
export function formatTime(value: number, kind: TimeKind): string {
  if (kind === 'time') return clockText(Math.round(value * 1e6))
  const micros = microsOf(value)
  const day = Math.floor(micros / (DAY_SECONDS * 1e6))
  const rest = micros - day * DAY_SECONDS * 1e6
  const date = new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, 10)
  return rest === 0 ? date : `${date} ${clockText(rest)}`
}

/** The whole millionths of a second that give this number; their product is rounded, so they may be neighbours of it. */
function microsOf(days: number): number {
  const near = Math.round(days * DAY_SECONDS * 1e6)
  return [0, 1, -1, 2, -2].map(by => near + by).find(micros => daysOf(0, micros) === days) ?? near
}

function clockText(micros: number): string {
  const seconds = Math.floor(micros / 1e6)
  const two = (value: number) => String(value).padStart(2, '0')
  const clock = [seconds / 3600, (seconds / 60) % 60, seconds % 60]
    .map(part => two(Math.floor(part)))
    .join(':')
  const rest = micros - seconds * 1e6
  return rest === 0 ? clock : `${clock}.${String(rest).padStart(6, '0').replace(/0+$/, '')}`
}
