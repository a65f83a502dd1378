// The figures as tables.

import { layoutTable } from '../../packages/cli/src/terminal/layout.ts'
import { LEVELS } from './coverage.ts'
import type { CertificateFigure, CoverageFigure, Share, UniformFigure } from './figures.ts'
import { GAPS, type PowerFigures } from './power.ts'
import { EVENTS, FEW_EVENTS } from './tally.ts'
import { KINDS } from './world.ts'

const percent = (share: number, digits = 1): string => `${(100 * share).toFixed(digits)} %`
const showShare = ({ share, total }: Share): string => (total === 0 ? '' : share.toFixed(3))

/** Cells: false certificates with the 95 % interval of their rate; below, how near they came. */
export function printCertificates(figures: readonly CertificateFigure[], failure: number): void {
  const names = [...new Set(figures.map(figure => figure.name))]
  const row = (title: string, kind: string, show: (figure: CertificateFigure) => string) => [
    title,
    ...names.map(name => show(figures.find(figure => figure.name === name && figure.kind === kind)!)),
  ]
  const kinds = [...new Set(figures.map(figure => figure.kind))]
  console.log(`\nFalse certificates of ${figures[0].draws} (at most ${percent(failure)})\n`)
  console.log(
    layoutTable(
      ['worlds', ...names],
      [
        ...kinds.map(kind =>
          row(kind, kind, ({ falseOnes, interval: { high, low } }) => {
            return `${falseOnes} (${(100 * low).toFixed(2)}-${percent(high, 2)})`
          }),
        ),
        row('truth above measured', 'all', figure => percent(figure.withoutSlack)),
        row('most of the slack used', 'all', figure => percent(figure.slackUsed)),
      ],
    ),
  )
}

export function printCoverage(figures: readonly CoverageFigure[]): void {
  console.log(`\nCoverage, draws with ${FEW_EVENTS} expected events or more\n`)
  const header = ['interval', 'draws', 'covered', 'least', ...KINDS, 'missed']
  const rows = figures.map(each => [
    each.name,
    String(each.enough.total),
    showShare(each.enough),
    each.least.toFixed(3),
    ...KINDS.map(kind => showShare(each.kinds[kind])),
    each.missed.join(', '),
  ])
  console.log(layoutTable(header, rows))
  const classes = EVENTS.map((least, index) => {
    const next = EVENTS[index + 1]
    return next === undefined ? `${least} or more` : `${least} to ${next}`
  })
  console.log(`\nCoverage by expected events (sum of p (1 - p)), and where the truth was when missed\n`)
  console.log(
    layoutTable(
      ['interval', ...classes, 'truth below', 'truth above'],
      figures.map(each => [
        each.name,
        ...each.byEvents.map(showShare),
        percent(each.truthBelow),
        percent(each.truthAbove),
      ]),
    ),
  )
}

export function printUniform(figures: readonly UniformFigure[]): void {
  console.log('\nCalibrated worlds: the share of p-values up to a level\n')
  const header = ['p-value of', 'draws', ...LEVELS.map(String), 'too many', 'too few']
  const rows = figures.map(({ draws, name, shares, tooFew, tooMany }) => [
    name,
    String(draws),
    ...shares.map(share => share.toFixed(3)),
    tooMany.join(' '),
    tooFew.join(' '),
  ])
  console.log(layoutTable(header, rows))
}

/** Cells: found at p 0.01 / found at p 0.05, in percent. */
export function printPower({ nothing, planted }: PowerFigures): void {
  for (const { audits, criticalZ, falseAlarms, rows } of nothing) {
    console.log(
      `\n${rows} rows, ${audits} audits: found with p <= 0.01 / p <= 0.05, in percent (nothing planted: ${percent(falseAlarms)} alarms, critical z ${criticalZ.toFixed(2)})\n`,
    )
    const own = planted.filter(figure => figure.rows === rows)
    const shares = [...new Set(own.map(figure => figure.share))]
    const cells = shares.map(share => {
      const row = own.filter(figure => figure.share === share)
      const found = row.map(
        each => `${(100 * each.found).toFixed(0)} / ${(100 * each.foundAtFive).toFixed(0)}`,
      )
      return [percent(share), ...found, row[0].detectable.toFixed(3)]
    })
    const header = ['group', ...GAPS.map(gap => `gap ${gap}`), 'detectable gap']
    console.log(layoutTable(header, cells))
  }
}
