// Before and after on the terminal: measures with intervals, the worst groups and what became of them, the diagram.

import type { BeforeAfter } from '@featureboost/core'
import { changesOf } from '@featureboost/core/internal'
import { layoutGroupChanges } from './groups.ts'
import { section, wrap } from './layout.ts'
import { layoutChanges, layoutErrorBells, rowsInWords } from './measures.ts'
import { layoutReliability } from './reliability.ts'
import type { View } from './view.ts'

/** Sections, in the order of reading. */
export function layoutBeforeAfter(found: BeforeAfter, view: View): string[] {
  const { a, b } = found.compared
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
