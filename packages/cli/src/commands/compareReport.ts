// A comparison of methods as text for the terminal and as Markdown.

import type { Estimate, MethodComparison } from '@featureboost/core'
import {
  COMPARED_MEASURES,
  type ComparedMeasure,
  type ComparedMethod,
  comparedOf,
  formatCount,
  formatNumber,
  type MeasuredScore,
} from '@featureboost/core/internal'
import { fitTable, section, type TableColumn, wrap } from '../terminal/layout.ts'
import { formatChange, interval } from '../terminal/measures.ts'
import type { View } from '../terminal/view.ts'
import { visible } from '../terminal/width.ts'
import { escapeMarkdown } from './auditReport.ts'

/** Those whose difference to the base score the recommendation looks at. */
const DECIDING = ['logLoss', 'multicalibration', 'mceSigma'] as const satisfies ComparedMeasure[]

const BASE = 'base'

const measuresIn = ({ base }: MethodComparison): ComparedMeasure[] =>
  COMPARED_MEASURES.filter(measure => base[measure] !== undefined)

interface Line {
  readonly name: string
  readonly measures: MeasuredScore
  readonly method?: ComparedMethod
}

const linesOf = ({ base, methods }: MethodComparison): Line[] => [
  { name: BASE, measures: base },
  ...methods.map(method => ({ name: method.method, measures: method.measures, method })),
]

function standing({ best }: MethodComparison, measure: ComparedMeasure, name: string): 'best' | 'tied' | '' {
  const found = best[measure]
  if (found?.best === name) return 'best'
  return found?.ties.includes(name) ? 'tied' : ''
}

const formatValue = (value: number, digits: number): string =>
  Number.isFinite(value) ? value.toFixed(digits) : 'infinite'

const formatSeconds = (seconds: number): string => seconds.toFixed(seconds < 10 ? 2 : 1)

const subjectOf = ({ folds, label, rows, score }: MethodComparison): string =>
  `"${score}" against "${label}" on ${formatCount(rows)} rows: each of ${folds} folds predicted by fits to the others`

/** The recommendation first: who reads no further knows the answer. */
export function layoutComparison(found: MethodComparison, view: View, next?: string): string[] {
  const { paint, width } = view
  const { after, before } = view.glyphs
  const level = formatNumber(100 * found.confidence)
  return [
    recommendationLine(found, view),
    ...(next === undefined ? [] : [nextLine(next)]),
    wrap(`${paint.bold('Comparison')} of ways to correct ${visible(subjectOf(found))}.`, width),
    layoutMeasures(found, view),
    wrap(
      `${after} best; ${before} not told from the best by the ${level} % interval of the difference.`,
      width,
    ),
    ...(found.methods.length === 0
      ? []
      : [section(`Less the base score, with ${level} % intervals`, layoutDifferences(found, view), view)]),
    ...(found.failed.length === 0
      ? []
      : [
          failureLines(found)
            .map(line => wrap(line, width, 2))
            .join('\n'),
        ]),
  ]
}

/** Never wrapped: it is there to be copied. */
export const nextLine = (command: string): string => `To fit it:\n  ${command}`

export function recommendationLine({ recommendation }: MethodComparison, { paint, width }: View): string {
  const { methods, sentence } = recommendation
  const title = methods.length > 0 ? paint.good('Recommendation:') : paint.careful('Recommendation:')
  return wrap(`${title} ${sentence}`, width)
}

function layoutMeasures(found: MethodComparison, view: View): string {
  const { glyphs, paint } = view
  const lines = linesOf(found)
  const marks = { best: paint.good(glyphs.after), tied: glyphs.before, '': ' ' }
  const measured = measuresIn(found).map((measure): TableColumn => {
    const { digits, short: name, spare } = comparedOf(measure)
    const cell = ({ measures, name }: Line) =>
      `${formatValue(measures[measure]!.value, digits)} ${marks[standing(found, measure, name)]}`
    return { title: name, cells: lines.map(cell), ...(spare !== undefined && { spare }) }
  })
  const timed = (title: string, spare: number, read: (method: ComparedMethod) => number): TableColumn => ({
    title,
    cells: lines.map(({ method }) => (method === undefined ? '' : formatSeconds(read(method)))),
    spare,
  })
  return fitTable(
    [
      { title: 'method', cells: lines.map(({ name }) => name) },
      ...measured,
      timed('fit s', 4, method => method.fitSeconds),
      timed('predict s', 5, method => method.predictSeconds),
    ],
    view,
  )
}

function layoutDifferences(found: MethodComparison, view: View): string {
  const { methods } = found
  const columns = DECIDING.filter(measure => found.base[measure] !== undefined).flatMap((measure, index) => {
    const { digits, short: name } = comparedOf(measure)
    const format = (value: number) =>
      Number.isFinite(value) ? formatChange(value, digits) : value > 0 ? 'any' : '-any'
    const of = ({ differences }: ComparedMethod): Estimate => differences[measure]!
    return [
      { title: name, cells: methods.map(method => format(of(method).value)) },
      {
        title: 'interval',
        cells: methods.map(method => interval(of(method), format, digits)),
        spare: index + 1,
      },
    ]
  })
  return fitTable([{ title: 'method', cells: methods.map(({ method }) => method) }, ...columns], view)
}

const failureLines = ({ failed, folds }: MethodComparison): string[] =>
  failed.map(
    ({ fold, message, method }) => `Left out: ${method}, fold ${fold} of ${folds}: ${visible(message)}`,
  )

export function markdownComparison(found: MethodComparison): string[] {
  const measures = measuresIn(found)
  const level = formatNumber(100 * found.confidence)
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const cell = ({ measures, method, name }: Line, measure: ComparedMeasure) => {
    const { digits } = comparedOf(measure)
    const mark = { best: '**', tied: '*', '': '' }[standing(found, measure, name)]
    const value = `${mark}${formatValue(measures[measure]!.value, digits)}${mark}`
    const difference = method?.differences[measure]
    if (difference === undefined) return value
    return `${value}<br>${interval(difference, end => (Number.isFinite(end) ? formatChange(end, digits) : 'any'), digits)}`
  }
  const lines = linesOf(found).map(line =>
    row([
      line.name,
      ...measures.map(measure => cell(line, measure)),
      ...[line.method?.fitSeconds, line.method?.predictSeconds].map(seconds =>
        seconds === undefined ? '' : formatSeconds(seconds),
      ),
    ]),
  )
  const titles = ['method', ...measures.map(measure => comparedOf(measure).short), 'fit s', 'predict s']
  return [
    `# Ways to correct ${escapeMarkdown(subjectOf(found))}`,
    found.recommendation.sentence,
    [row(titles), row(titles.map((_, index) => (index === 0 ? '---' : '---:'))), ...lines].join('\n'),
    `Bold: best. Italic: not told from the best by the ${level} % interval of the difference. Below each figure: the ${level} % interval of its difference to the base score.`,
    ...(found.failed.length === 0
      ? []
      : [
          failureLines(found)
            .map(line => `- ${escapeMarkdown(line)}`)
            .join('\n'),
        ]),
  ]
}
