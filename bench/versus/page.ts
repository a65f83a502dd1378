// docs/versus.md: what was run, on what, by what protocol, and the tables.

import { type MethodSummary, type Run, type Summary, summarizeCases } from './results.ts'
import { MEASURES } from './score.ts'
import { findHarm, findWorse, oursIn, type Standing, standingsOf, type Worse } from './standing.ts'
import {
  COSTS,
  costsOf,
  formatCount,
  formatInterval,
  formatValue,
  headingOf,
  standingTable,
  TITLES,
  worseTable,
} from './tables.ts'

export function writePage(run: Run): string {
  const summaries = summarizeCases(run.cases)
  return [
    '# Against other packages',
    'This page is written by `bench/versus/run.ts`; do not edit it by hand.',
    fence(run.command),
    describeMachine(run),
    ...PROTOCOL,
    describeMethods(run),
    ...oursIn(summaries).flatMap(ours => describeStanding(summaries, ours)),
    '## Every case',
    'Below each figure is the 95 % interval of its difference from the base score, on the same test rows: below 0 is better, except for AUC.',
    ...summaries.flatMap(summary => [`### ${headingOf(summary)}`, caseTable(summary)]),
  ]
    .join('\n\n')
    .concat('\n')
}

const fence = (text: string): string => `<!-- not run: takes hours -->\n\`\`\`sh\n${text}\n\`\`\``

function describeMachine({ cases, commit, date, machine, threads, versions }: Run): string {
  const { cores, memoryGiB, processor, system } = machine
  const listed = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  const loads = cases.flatMap(({ methods }) =>
    Object.values(methods).flatMap(method => ('failed' in method ? [] : (method.measured?.load ?? []))),
  )
  const load = Math.max(0, ...loads)
  const busy =
    load > 1.5 * cores
      ? ` **The machine was busy with other work: its load was up to ${load.toFixed(1)} when a method began, so times are ` +
        'upper bounds, and those of LightGBM, whose threads wait for each other, are affected most.**'
      : ''
  return (
    `${date}, revision ${commit}. ${cores} cores of ${processor}, ${memoryGiB} GiB, ${system}; every method had ${threads} ` +
    `${threads === 1 ? 'thread' : 'threads'}. ${listed.join(', ')}.${busy}`
  )
}

const PROTOCOL = [
  '## Protocol',
  [
    '- Rows are split by seed: 40 % train the base model, 40 % are for calibration, 20 % for the test. No row is used twice; the visits of one patient (diabetes) stay together.',
    "- Base scores of the real data sets: *poor* is a logistic regression on the raw columns, *strong* is LightGBM's " +
      'classifier with its defaults. Made-up populations come with their own score, and the row *truth* has their true probabilities: the floor of every measure.',
    '- *rare*: one row in a hundred is positive. *tiny*: six groups of about 125 calibration rows, each marked by its own column, are badly off. *hard*: the score is 0 or 1.',
    '- Every method runs in its own process and reads the same arrays. Converting rows into the form that a package takes is not timed; `fit` and `predict` on the test rows are. Peak memory is that of the whole process, with its packages and rows.',
    '- Methods that need declared groups (Jin et al., HKRR, HJZ) get every value of the natural group columns, and quartile ranges of numbers, that hold at least half a percent of the rows.',
    '- All predictions of the test rows are scored by one program, with our measures: log loss (clipped at 2^-52), Brier score, ' +
      'AUC, ECE with 10 equal bins; worst K1 and level-set error over all trees of depth 2 at 20 levels of the score; MCE in ' +
      'sigmas over all segments of up to three columns, ties collapsed.',
    '- Intervals are paired: they come from the differences row by row. For K1 and the level-set error the worst group is held fixed, which is conservative; for MCE, rows are resampled and it is measured again. With several seeds, figures and ends of intervals are means, times are medians, and memory is the largest value.',
    '- Results are kept between runs until data, settings or versions change, so they are not all necessarily from the same day.',
  ].join('\n'),
]

function describeMethods({ titles }: Run): string {
  const rows = Object.entries(titles).map(([name, title]) => [name, title])
  return markdownTable(['method', 'what it is'], rows, 2)
}

function describeStanding(summaries: readonly Summary[], ours: string): string[] {
  const table = standingTable(summaries, ours)
  if (table === undefined) return []
  const name = ours === 'ours' ? 'Ours' : `\`${ours}\``
  return [
    `## ${name} against MCGrad`,
    'Our fit against that of MCGrad with its defaults; then ours minus MCGrad, with the paired 95 % interval: below 0, ours is better. Averages are over cases; those of times are geometric.',
    markdownTable(...table),
    describeSpeed(standingsOf(summaries, ours)),
    `### Where ${name === 'Ours' ? 'ours' : name} is worse`,
    'Every measure in which another method is better and the whole interval says so: against MCGrad with its defaults in log loss, ' +
      'Brier score, MCE and worst K1; against the others in worst K1 and Brier score.',
    listWorse(findWorse(summaries, ours)),
    'Cases in which the correction made the base score worse, in any of the four:',
    listWorse(findHarm(summaries, ours)),
  ]
}

/** How many times faster than MCGrad a fit is meant to be. */
const AIM = 20

function describeSpeed(standings: readonly Standing[]): string {
  const timed = standings.filter(({ timesFaster }) => timesFaster !== undefined)
  const reached = timed.filter(({ timesFaster }) => timesFaster! >= AIM)
  const where = reached.map(
    ({ base, calibrationRows, data }) => `${data}, ${base} (${formatCount(calibrationRows)} rows)`,
  )
  const count = `The aim of ${AIM} times faster is reached in ${reached.length} of ${timed.length} cases`
  return (
    `${where.length === 0 ? count : `${count}: ${where.join('; ')}`}. Our fit always grows six forests (four from 100,000 rows, 24 small ones below 10,000) ` +
    'and proves its certificate over all pairs of columns; MCGrad has no certificate. That takes some tenths of a second even for few rows, much of it for compiling JavaScript, since every fit here is the first in its process. ' +
    'MCGrad takes as long as its cross-validation keeps finding rounds: many on large tables with a poor score. Where it finds none or one, it ends after a second or less, mostly without having changed the score.'
  )
}

function listWorse(found: readonly Worse[]): string {
  return found.length === 0 ? 'None.' : markdownTable(...worseTable(found), 3)
}

function caseTable({ methods }: Summary): string {
  const header = ['method', ...MEASURES.map(measure => TITLES[measure]), ...COSTS]
  return markdownTable(
    header,
    Object.entries(methods).map(([name, method]) => [name, ...figuresOf(method), ...costsOf(method)]),
  )
}

function figuresOf(method: MethodSummary): string[] {
  if ('failed' in method) return MEASURES.map((_, index) => (index === 0 ? `failed: ${method.failed}` : ''))
  const { againstBase, values } = method
  return MEASURES.map(measure => {
    const value = formatValue(measure, values[measure])
    return againstBase === undefined ? value : `${value}<br>${formatInterval(measure, againstBase[measure])}`
  })
}

/** The first columns, one unless said otherwise, to the left, the others to the right. A bar inside a cell would end it. */
export function markdownTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  wordColumns = 1,
): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map(cell => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
  const rule = header.map((_, column) => (column < wordColumns ? '---' : '---:'))
  return [line(header), line(rule), ...rows.map(line)].join('\n')
}
