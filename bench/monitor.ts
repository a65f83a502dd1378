// How often a monitor raises a false alarm, ever, and how soon a true one, beside audits that are repeated every day: the table of
// docs/monitor.md.
//
//   npx tsx bench/monitor.ts [--streams 500] [--shifted 200] [--seed 1] [--page docs/monitor.md]
//
// A stream is 100 batches of 1,000 rows, looked at after each. Nothing was tuned on these seeds.

import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import {
  type Alarms,
  BATCH_ROWS,
  BATCHES,
  DELTA,
  GROUPS,
  SHIFTED_SHARE,
  type Shift,
  WAYS,
  type Way,
  watchStream,
} from './monitor/streams.ts'

const SHIFT: Shift = { by: 0.05, from: 21 }

const WORDS: Readonly<Record<Way, string>> = {
  monitor: '`featureboost monitor`',
  'daily, day alone': 'every day, the rows of that day, each group at 5 %',
  'daily, day alone, for all groups': 'the same, corrected for the groups',
  'daily, day alone, for all groups and days': 'the same, corrected for the groups and the 100 days',
  'daily, all rows so far, for all groups': 'every day, all rows so far, corrected for the groups',
  'daily, all rows so far, for all groups and days': 'the same, corrected for the groups and the 100 days',
  'day beyond 3 deviations': 'a day alone beyond three standard deviations, as monitoring tools have it',
}

interface Figures {
  readonly way: Way
  readonly falseAlarms: number
  readonly found: number
  /** In rows since the change; undefined where it was found in less than half of the streams. */
  readonly delay: number | undefined
  readonly early: number
}

function figuresOf(way: Way, calm: readonly Alarms[], shifted: readonly Alarms[]): Figures {
  const batches = shifted.map(alarms => alarms[way])
  const early = batches.filter(batch => batch !== undefined && batch < SHIFT.from).length
  // A way that cries wolf before the change has found nothing.
  const delays = batches
    .flatMap(batch => (batch === undefined || batch < SHIFT.from ? [] : [batch - SHIFT.from + 1]))
    .sort((a, b) => a - b)
  const fair = shifted.length - early
  const middle = delays[Math.floor(fair / 2)]
  return {
    way,
    falseAlarms: calm.filter(alarms => alarms[way] !== undefined).length,
    found: delays.length,
    delay: middle === undefined ? undefined : middle * BATCH_ROWS,
    early,
  }
}

const percent = (count: number, of: number): string =>
  of === 0 ? '' : `${((100 * count) / of).toFixed(1)} %`

function tableOf(figures: readonly Figures[], streams: number, shifted: number): string {
  const lines = figures.map(({ delay, early, falseAlarms, found, way }) => {
    const fair = shifted - early
    const rows = delay === undefined ? 'not in 80,000' : delay.toLocaleString('en-US')
    return `| ${WORDS[way]} | ${percent(falseAlarms, streams)} | ${percent(found, fair)} | ${fair < shifted / 10 ? '' : rows} |`
  })
  return [
    '| way of watching | false alarm, ever | found, of those without one before | median delay in rows |',
    '|---|---:|---:|---:|',
    ...lines,
  ].join('\n')
}

const PLACE = /(<!-- figures of bench\/monitor.ts -->\n)[\s\S]*?(<!-- end of figures -->)/

function main(): void {
  const { values } = parseArgs({
    options: {
      streams: { type: 'string', default: '500' },
      shifted: { type: 'string', default: '200' },
      seed: { type: 'string', default: '1' },
      page: { type: 'string' },
    },
  })
  const [streams, shifted, seed] = [values.streams, values.shifted, values.seed].map(Number)
  const calm = Array.from({ length: streams }, (_, index) => watchStream(seed * 1_000_000 + index, undefined))
  const wrong = Array.from({ length: shifted }, (_, index) => watchStream(seed * 2_000_000 + index, SHIFT))
  const figures = WAYS.map(way => figuresOf(way, calm, wrong))
  const { system, user } = process.cpuUsage()
  const seconds = Math.round((system + user) / 1e6)
  const size = `${streams} streams of ${(BATCHES * BATCH_ROWS).toLocaleString('en-US')} rows in which nothing is wrong, looked at after each of ${BATCHES} batches; ${shifted} in which ${100 * SHIFTED_SHARE} % of the rows shift by ${SHIFT.by} from row ${((SHIFT.from - 1) * BATCH_ROWS).toLocaleString('en-US')} on. ${GROUPS.named} groups by name, ${GROUPS.searched} in the search, delta ${DELTA}. ${seconds} CPU seconds on one core of ${cpus()[0]?.model.trim() ?? 'an unknown machine'}.`
  const text = `${tableOf(figures, streams, shifted)}\n\n${size}`
  console.log(text)
  if (values.page === undefined) return
  const page = readFileSync(values.page, 'utf8')
  if (!PLACE.test(page)) throw new Error(`${values.page} has no place for figures`)
  writeFileSync(
    values.page,
    page.replace(PLACE, (_, begin: string, end: string) => `${begin}${text}\n${end}`),
  )
}

main()
