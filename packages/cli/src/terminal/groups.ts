// Worst groups on the terminal: who, how far off, how surely; and what became of them.

import type { Audit, BeforeAfter } from '@featureboost/core'
import { formatCount, sayGap, surelyOff } from '@featureboost/core/internal'
import { layoutDumbbells } from './dumbbell.ts'
import { wrap } from './layout.ts'
import type { View } from './view.ts'
import { visible } from './width.ts'

/** What the verdict does not count as surely off may be noise. `details`: with z and p. */
export function layoutWorst(found: Audit, details: boolean, view: View): string {
  const { worst } = found
  if (worst.length === 0) return 'No group has enough rows to say anything.'
  const sure = surelyOff(found)
  const number = String(worst.length).length + 2
  return worst
    .map((finding, index) => {
      const name = wrap(`${`${index + 1}.`.padEnd(number)}${visible(finding.group)}`, view.width, number)
      const noise = sure.includes(finding) ? '' : '; may be noise'
      const test = details ? `; ${finding.test}` : ''
      const words = wrap(`${' '.repeat(number)}${sayGap(finding)}${test}${noise}`, view.width, number)
      return `${name}\n${view.paint.dim(words)}`
    })
    .join('\n')
}

/** With its sign. */
const formatGap = (value: number): string => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(3)}`

const SHOWN = 5

const ANSWERED = 3

/** The same in few lines, without a chart. */
export function layoutWorstChanges(changes: BeforeAfter['groups'], { paint, width }: View): string {
  if (changes.length === 0) return 'No group has enough rows to say anything.'
  const lines = changes.slice(0, ANSWERED).map(({ after, before }) => {
    const gaps = `  ${formatGap(before.gap)}  ${formatGap(after.gap)}  `
    return wrap(`${gaps}${visible(before.group)}, ${formatCount(before.weight)} rows`, width, gaps.length)
  })
  return [paint.bold('  before  after   outcome less score in the groups that were worst'), ...lines].join(
    '\n',
  )
}

export function layoutGroupChanges(changes: BeforeAfter['groups'], view: View): string {
  const rows = changes.slice(0, SHOWN).map(({ after, before }) => ({
    name: `${visible(before.group)} (${formatCount(before.weight)} rows)`,
    before: before.gap,
    after: after.gap,
  }))
  if (rows.length === 0) return 'No group has enough rows to say anything.'
  return layoutDumbbells(rows, { format: formatGap, symmetric: true, apart: true }, view)
}
