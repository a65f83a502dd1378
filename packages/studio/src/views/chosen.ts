// The chosen group: one for all views of the same evidence. Whatever view it is chosen in, every other marks it where it has it, and its
// card is shown. Views name groups by their conditions and by the scores that they are about, so that the same group is the same everywhere.

import type { Evidence } from '@featureboost/core'
import { type GroupGap, type GroupRef, groupKey, type HeatRow, whereOf } from '@featureboost/core/internal'
import { type Signal, signal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Side } from './chart/marks.tsx'
import { refOf } from './figures/segmentWords.ts'
import { percentRange, signed } from './format.ts'
import { isNested } from './nested.ts'

/** Of a cell of the heat map no interval is known. */
type Gap = Pick<GroupGap, 'gap'> & Partial<GroupGap>

/** A group with all that the view knows of it that it is chosen in. */
export interface Group extends GroupRef {
  /** Absent: all scores. */
  readonly scores?: { readonly from: number; readonly to: number }
  readonly weight: number
  readonly meanLabel?: number
  readonly before?: Gap
  readonly after?: Gap
}

export type Chosen = Signal<Group | undefined>

/** Of the evidence that is shown. */
export const ChosenGroup = createContext<Chosen>(signal(undefined))

export const useChosen = (): Chosen => useContext(ChosenGroup)

type Named = Pick<Group, 'scores' | 'where' | 'words'>

/** The same for the same group. Where conditions are too long to be kept, its words have to do. */
export function keyOf({ scores, where, words }: Named): string {
  const who = where.length === 0 ? atAllScores(words) : groupKey(where.map(asList))
  return scores === undefined ? who : `${who} @${scores.from}-${scores.to}`
}

const atAllScores = (words: string): string => words.replace(/, at scores .*$/, '')

/** One value is a list of one. */
const asList = (predicate: GroupRef['where'][number]) => {
  if (!('is' in predicate)) return predicate
  const { is, ...rest } = predicate
  return { ...rest, in: [is] }
}

/** "nested": one of them lies within the other, by its conditions and its scores. */
export type Relation = 'same' | 'nested'

export function relationOf(group: Named, chosen: Named | undefined): Relation | undefined {
  if (chosen === undefined) return undefined
  if (keyOf(group) === keyOf(chosen)) return 'same'
  return isNested(group, chosen) || isNested(chosen, group) ? 'nested' : undefined
}

export function segmentGroup({ segments: map }: Evidence, index: number): Group {
  const segment = map.segments[index]
  const { after, before, meanLabel, weight } = segment
  return { ...refOf(map, segment), weight, meanLabel, before, ...(after !== undefined && { after }) }
}

/** The group of a row of the heat map, at the scores of one of its cells: by the score before, or by the corrected one. */
export function cellGroup(
  { heat, segments: map }: Evidence,
  row: HeatRow,
  level: number,
  side: Side,
): Group | undefined {
  const cell = (side === 'after' && row.after !== undefined ? row.after : row.before)[level]
  if (cell === null) return undefined
  const [from, to] = [heat.edges[level], heat.edges[level + 1]]
  const { where = [], words } = map.parts[row.part]
  const { gap, weight, z } = cell
  return {
    words: `${words}, at scores of ${percentRange(from, to)}`,
    where,
    scores: { from, to },
    weight,
    [side]: { gap, z },
  }
}

/** How sure a gap is that was not searched for. */
export const cellWords = ({ z }: { readonly z: number }): string =>
  z === 0 ? 'too few rows to tell more' : `z ${signed(z, 1)} of this cell alone`

/** At all scores, if the map has it. */
export function rowGroup(evidence: Evidence, row: HeatRow): Group | undefined {
  const index = evidence.segments.segments.findIndex(
    ({ parts }) => parts.length === 1 && parts[0] === row.part,
  )
  return index < 0 ? undefined : segmentGroup(evidence, index)
}

/** Which figures show a group, by their ids. */
export function figuresWith(evidence: Evidence, chosen: Group): readonly string[] {
  const { heat, protected: guarded = [], segments: map, worst, worstAfter = [] } = evidence
  const isSame = (group: Named) => relationOf(group, chosen) === 'same'
  const inHeat = heat.rows.some(({ part }) => {
    const { where = [], words } = map.parts[part]
    return relationOf({ where, words }, chosen) !== undefined
  })
  const shown: [string, boolean][] = [
    ['hero', worst.some(isSame)],
    ['segments', (chosen.before ?? chosen.after) !== undefined],
    ['worst', worst.some(isSame) || worstAfter.some(isSame)],
    ['protected', guarded.some(isSame)],
    ['heat', inHeat],
  ]
  return shown.flatMap(([id, isThere]) => (isThere ? [id] : []))
}

/** Overlaps of a group of one condition with another, the most significant first, by their places in the map. */
export function insideOf({ segments: { parts, segments } }: Evidence, chosen: Group): number[] {
  if (chosen.scores !== undefined) return []
  const key = keyOf(chosen)
  const part = parts.findIndex(({ where = [], words }) => keyOf({ where, words }) === key)
  if (part < 0) return []
  return segments.flatMap((segment, index) =>
    segment.parts.length === 2 && segment.parts.includes(part) ? [index] : [],
  )
}

/** What can be looked into: its rows at all scores. */
export function drillRef({ scores, sql, where, words }: Group): GroupRef {
  if (scores === undefined) return { words, where, ...(sql !== undefined && { sql }) }
  return { words: atAllScores(words), where, sql: whereOf(where) }
}
