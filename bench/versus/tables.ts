// Numbers of a run as text, and its tables for the terminal.

import type { Estimate } from '@featureboost/core'
import { layoutTable } from '../../packages/cli/src/terminal/layout.ts'
import { type MethodSummary, type Run, type Summary, summarizeCases } from './results.ts'
import { MEASURES, type Measure } from './score.ts'
import { averageOf, findHarm, oursIn, RIVAL_MEASURES, standingsOf, type Worse } from './standing.ts'

export const TITLES: Readonly<Record<Measure, string>> = {
  logLoss: 'log loss',
  brier: 'Brier',
  auc: 'AUC',
  ece: 'ECE',
  worstK1: 'worst K1',
  levelSet: 'level-set error',
  mceSigma: 'MCE sigma',
}

export const COSTS = ['fit s', 'fit CPU s', 'predict s', 'peak MB'] as const

const digitsOf = (measure: Measure): number => (measure === 'mceSigma' ? 2 : 4)

export function formatValue(measure: Measure, value: number): string {
  if (Number.isFinite(value)) return value.toFixed(digitsOf(measure))
  return Number.isNaN(value) ? 'none' : `${value < 0 ? '-' : ''}infinite`
}

/** "-0.0031 (-0.0042 to -0.0020)". */
export function formatDifference(measure: Measure, { high, low, value }: Estimate): string {
  if (!Number.isFinite(value)) return signed(measure, value)
  return `${signed(measure, value)} (${formatInterval(measure, { low, high })})`
}

export const formatInterval = (measure: Measure, { high, low }: Pick<Estimate, 'low' | 'high'>): string =>
  low === high ? signed(measure, low) : `${signed(measure, low)} to ${signed(measure, high)}`

export function signed(measure: Measure, value: number): string {
  const text = formatValue(measure, value)
  // What rounds to 0 has no sign.
  if (Number(text) === 0) return text.replace('-', '')
  return value > 0 ? `+${text}` : text
}

export const formatCount = (value: number): string => value.toLocaleString('en-US')

export const headingOf = ({ base, calibrationRows, data, seeds, testRows }: Summary): string =>
  `${data}, ${base} score: ${formatCount(calibrationRows)} calibration rows, ${formatCount(testRows)} test rows, ` +
  `${seeds.length} ${seeds.length === 1 ? 'seed' : 'seeds'}`

/** In the order of COSTS; blank where there is no work. */
export function costsOf(method: MethodSummary): string[] {
  if ('failed' in method || method.cost === undefined) return COSTS.map(() => '')
  const { fit, fitCpu, peakBytes, predict } = method.cost
  return [fit.toFixed(2), fitCpu.toFixed(2), predict.toFixed(3), (peakBytes / 1e6).toFixed(0)]
}

/** A header and rows: ours against MCGrad in every case, and the average. */
export function standingTable(
  summaries: readonly Summary[],
  ours: string,
): [string[], string[][]] | undefined {
  const standings = standingsOf(summaries, ours)
  if (standings.length === 0) return undefined
  const times = (value: number | undefined) => (value === undefined ? '' : value.toFixed(1))
  const rows = standings.map(({ base, calibrationRows, data, differences, timesFaster, timesLessWork }) => [
    `${data}, ${base}`,
    formatCount(calibrationRows),
    times(timesFaster),
    times(timesLessWork),
    ...RIVAL_MEASURES.map(measure => formatDifference(measure, differences[measure])),
  ])
  // There MCGrad does nothing, and one difference of 13 in log loss would hide all others.
  const soft = standings.filter(({ data }) => data !== 'hard')
  const average = averageOf(soft)
  const last = [
    soft.length < standings.length ? 'average without hard' : 'average',
    '',
    times(average.timesFaster),
    times(average.timesLessWork),
    ...RIVAL_MEASURES.map(measure => signed(measure, average.differences[measure])),
  ]
  const figures = RIVAL_MEASURES.map(measure => TITLES[measure])
  return [
    ['case', 'rows', 'times faster', 'times less CPU', ...figures],
    [...rows, last],
  ]
}

/** A header and rows: where ours is worse than something else. */
export const worseTable = (found: readonly Worse[]): [string[], string[][]] => [
  ['case', 'better', 'in', 'rows', 'ours minus it'],
  found.map(({ base, calibrationRows, data, difference, measure, other }) => [
    `${data}, ${base}`,
    other,
    TITLES[measure],
    formatCount(calibrationRows),
    formatDifference(measure, difference),
  ]),
]

export function printTables(run: Run): string {
  const summaries = summarizeCases(run.cases)
  const header = ['method', ...MEASURES.map(measure => TITLES[measure]), ...COSTS]
  const tables = summaries.map(summary => {
    const rows = Object.entries(summary.methods).map(([name, method]) => [
      name,
      ...MEASURES.map(measure =>
        'failed' in method ? 'failed' : formatValue(measure, method.values[measure]),
      ),
      ...costsOf(method),
    ])
    return `${headingOf(summary)}\n\n${layoutTable(header, rows)}\n`
  })
  const standings = oursIn(summaries).flatMap(ours => {
    const table = standingTable(summaries, ours)
    return table === undefined ? [] : [`${ours} minus MCGrad\n\n${layoutTable(...table)}\n`]
  })
  const harm = oursIn(summaries).flatMap(ours => {
    const found = findHarm(summaries, ours)
    return found.length === 0
      ? []
      : [`${ours} worse than the score\n\n${layoutTable(...worseTable(found))}\n`]
  })
  return [...tables, ...standings, ...harm].join('\n')
}
