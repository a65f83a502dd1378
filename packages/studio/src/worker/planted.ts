// The errors that were planted in the example: which of them an audit found, and what a correction made of each.

import type { Column, Evidence, Model, Table } from '@featureboost/core'
import { matchRows, scoreModelRows, type WorstGroup } from '@featureboost/core/internal'
import type { PlantedRows } from './example.ts'

/** Outcomes less scores over the rows of one error, which was known beforehand: its 95 % interval is its own. */
export interface PlantedGap {
  readonly gap: number
  readonly low: number
  readonly high: number
}

export interface PlantedError extends Pick<PlantedRows, 'words' | 'where' | 'scores'> {
  readonly rowCount: number
  readonly before: PlantedGap
  readonly after?: PlantedGap
}

/** An error is found where groups that are surely off hold at least half of its rows, each of them mostly made of these. */
export interface FoundError extends PlantedError {
  readonly isFound: boolean
  /** The groups: first the one that holds most of its rows, then always the one that holds most of the rest. */
  readonly by: readonly WorstGroup[]
  /** The share of its rows that they hold together. */
  readonly share: number
}

/** So much of a group is the error's own, and so much of the error is held by such groups. */
export const HALF = 0.5

export function findPlanted(evidence: Evidence, table: Table, planted: readonly PlantedRows[]): FoundError[] {
  const { beyondNoise } = evidence.before.significance
  const [labels, scores] = [evidence.about.label, evidence.about.score].map(name => numbersOf(table, name))
  const sure = evidence.worst.filter(
    ({ before: { high, low }, where }) => beyondNoise && where.length > 0 && (low > 0 || high < 0),
  )
  const listed = sure.map(group => ({ group, rows: rowsOf(group, table, scores) }))
  return planted.map(error => {
    const { rows, side } = error
    const own = listed.filter(each => {
      const both = countOf(each.rows, rows)
      const isItsSide = each.group.before.gap > 0 === (side === 'too low')
      return isItsSide && both > 0 && both >= HALF * countOf(each.rows)
    })
    const { by, held } = coverBy(own, rows)
    const share = held / countOf(rows)
    const gap = gapOf(rows, labels, scores)
    return { ...namesOf(error), rowCount: countOf(rows), before: gap, isFound: share >= HALF, by, share }
  })
}

/** On the rows that the evidence is about; undefined where these are not found again. */
export async function followPlanted(
  evidence: Evidence,
  table: Table,
  planted: readonly PlantedRows[],
  model: Model,
): Promise<PlantedError[] | undefined> {
  const names = planted.map((_, index) => `planted ${index + 1}`)
  const marks = planted.map(
    ({ rows }, index): Column => ({ name: names[index], kind: 'numeric', values: Float64Array.from(rows) }),
  )
  const marked = { ...table, columns: [...table.columns, ...marks] }
  const split = evidence.about.rows === 'held-out'
  const scored = await scoreModelRows(model, marked, { also: names, split })
  if (scored.rowCount !== evidence.about.auditedCount || !('columns' in scored.rows)) return undefined
  const column = (name: string) => numbersOf(scored.rows as Table, name)
  const [labels, before, after] = [column(evidence.about.label), column(scored.before), column(scored.after)]
  return planted.map((error, index) => {
    const rows = Uint8Array.from(column(names[index]))
    const [old, now] = [gapOf(rows, labels, before), gapOf(rows, labels, after)]
    return { ...namesOf(error), rowCount: countOf(rows), before: old, after: now }
  })
}

const namesOf = ({ scores, where, words }: PlantedRows) => ({
  ...{ words, where },
  ...(scores !== undefined && { scores }),
})

interface Listed {
  readonly group: WorstGroup
  readonly rows: Uint8Array
}

/** `held`: how many of the rows the groups hold together. */
function coverBy(groups: readonly Listed[], rows: Uint8Array): { by: WorstGroup[]; held: number } {
  const rest = rows.slice()
  const by: WorstGroup[] = []
  for (;;) {
    const counts = groups.map(each => countOf(each.rows, rest))
    const most = Math.max(0, ...counts)
    if (most === 0) return { by, held: countOf(rows) - countOf(rest) }
    const next = groups[counts.indexOf(most)]
    by.push(next.group)
    for (let row = 0; row < rest.length; row++) if (next.rows[row] === 1) rest[row] = 0
  }
}

/** The rows of a group, at the scores that it is about. */
function rowsOf({ scores: at, where }: WorstGroup, table: Table, scores: ArrayLike<number>): Uint8Array {
  const rows = matchRows(table, where)
  if (at === undefined) return rows
  return rows.map((one, row) =>
    Number(one === 1 && scores[row] >= at.from && (scores[row] < at.to || at.to === 1)),
  )
}

/** With a second set of rows: those in both. */
function countOf(rows: Uint8Array, also?: Uint8Array): number {
  let count = 0
  for (let row = 0; row < rows.length; row++) count += also === undefined ? rows[row] : rows[row] & also[row]
  return count
}

const SURE_95 = 1.96

function gapOf(rows: Uint8Array, labels: ArrayLike<number>, scores: ArrayLike<number>): PlantedGap {
  const count = countOf(rows)
  let [sum, squares] = [0, 0]
  for (let row = 0; row < rows.length; row++) {
    if (rows[row] === 0) continue
    const residual = labels[row] - scores[row]
    sum += residual
    squares += residual * residual
  }
  const gap = sum / count
  const reach = SURE_95 * Math.sqrt(Math.max(0, squares / count - gap * gap) / count)
  return { gap, low: gap - reach, high: gap + reach }
}

function numbersOf({ columns }: Table, name: string): ArrayLike<number> {
  const column = columns.find(each => each.name === name)
  if (column === undefined || column.kind === 'categorical') throw new Error(`${name} holds no numbers`)
  return column.values
}
