// Before and after on the terminal: measures with intervals, the worst groups and what became of them, the diagram.

import type { BeforeAfter } from '@featureboost/core'
import { changesOf } from '@featureboost/core/internal'
import { layoutGroupChanges, layoutWorstChanges } from './groups.ts'
import { section, wrap } from './layout.ts'
import { layoutChanges, layoutErrorBells, layoutMeasures, rowsInWords } from './measures.ts'
import { layoutReliability } from './reliability.ts'
import { judgeBeforeAfter } from './verdict.ts'
import type { View } from './view.ts'

const NARROW = 80
const ANSWERED: readonly string[] = ['logLoss', 'brier', 'auc']

/** What most people want to know: did it help, and what became of the worst groups? */
export function layoutAnswer(found: BeforeAfter, view: View): string[] {
  const changes = changesOf(found.compared).filter(({ key }) => ANSWERED.includes(key))
  const title = `On ${rowsInWords(found)}`
  if (judgeBeforeAfter(found).score === 'unchanged')
    return [section(title, layoutMeasures(found.compared.a, view, ANSWERED), view)]
  // Without the intervals of each score: those of the change tell what is sure.
  const narrow = { ...view, tableWidth: Math.min(view.tableWidth, NARROW) }
  return [section(title, layoutChanges(changes, narrow), view), layoutWorstChanges(found.groups, view)]
}

/** Sections, in the order of reading. Nothing is drawn twice where nothing has changed. */
export function layoutBeforeAfter(found: BeforeAfter, view: View): string[] {
  const { a, b } = found.compared
  if (judgeBeforeAfter(found).score === 'unchanged')
    return [
      section(`Audit on ${rowsInWords(found)}`, layoutMeasures(a, view), view),
      section(
        'Reliability: outcomes (up) against scores (across)',
        layoutReliability({ before: a.measures.eceWidth.bins, names: [a.score] }, view),
        view,
      ),
    ]
  const { after, before, line } = view.glyphs
  const changes = changesOf(found.compared)
  const arrow = `${before}${line}${line}${after}`
  return [
    wrap(`${view.paint.bold('Audit')} on ${rowsInWords(found)}`, view.width),
    layoutChanges(changes, view),
    section(`Errors, before ${arrow} after`, layoutErrorBells(changes, view), view),
    section(
      `Worst groups before, outcome less score, before ${arrow} after`,
      layoutGroupChanges(found.groups, view),
      view,
    ),
    section(
      'Reliability: outcomes (up) against scores (across)',
      layoutReliability(
        { before: a.measures.eceWidth.bins, after: b.measures.eceWidth.bins, names: [a.score, b.score] },
        view,
      ),
      view,
    ),
  ]
}
