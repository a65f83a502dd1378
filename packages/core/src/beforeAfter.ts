// What a model changed: the score it started from and the corrected one, audited and compared on the rows it was not
// fitted to, where some were held out; and what became of the groups that were worst.

import { normalMultiple } from './audit/measures/normal.ts'
import type { Estimate } from './audit/measures/rows.ts'
import type { Finding } from './audit/worst/findings.ts'
import type { AuditOptions } from './auditSettings.ts'
import { type Auditors, type GroupAuditors, type TreeAuditors, trees } from './classes/auditors.ts'
import { matchRows } from './classes/matches.ts'
import { throwIfCancelled } from './common/cancel.ts'
import { fromUnits, toUnits } from './common/units.ts'
import { type ComparedScores, compareScores } from './compare.ts'
import { gatherColumn, type NumericColumn } from './data/column.ts'
import { openRows } from './data/rows.ts'
import { isSource, type TableSource } from './data/source.ts'
import { findColumn, type Table } from './data/table.ts'
import type { Model } from './model/model.ts'
import { auditorsOf, modelRowRoles } from './modelRows.ts'
import { AUDIT_OPTIONS } from './options.ts'
import { joinChunks } from './scores.ts'

export interface BeforeAfter {
  /** The held-out rows where there are any. On fitting rows, what the model was fitted to, measures are too kind. */
  readonly rows: 'held-out' | 'fitting'
  readonly rowCount: number
  /** a: before, b: after. */
  readonly compared: ComparedScores
  /** The worst groups before, in their order. */
  readonly groups: readonly GroupChange[]
}

export interface GroupChange {
  readonly before: Finding
  /** The same rows with corrected scores. */
  readonly after: {
    readonly weight: number
    readonly meanScore: number
    /** Mean label minus mean score. */
    readonly gap: number
    /** Of this group alone: it was chosen by how wrong it was before. */
    readonly interval: Pick<Estimate, 'low' | 'high'>
  }
}

export type BeforeAfterOptions = Omit<
  AuditOptions,
  'label' | 'prediction' | 'weight' | 'features' | 'except' | 'auditors' | 'onPhase'
>

export async function compareBeforeAfter(
  model: Model,
  rows: Table | TableSource,
  options: BeforeAfterOptions = {},
  heldCells: number = HELD_CELLS,
): Promise<BeforeAfter> {
  const { holdout, ...roles } = modelRowRoles(model)
  const opened = await openRows(rows, roles, { holdout, sampleRows: 0, signal: options.signal })
  const scored = await holdRows(
    await scoreRows(model, rows, opened.folded ? opened : undefined, options),
    heldCells,
  )
  const { label, weight } = roles
  const { confidence = AUDIT_OPTIONS.confidence.default } = options
  const compared = await compareScores(scored.rows, {
    ...options,
    label,
    prediction: scored.before,
    other: scored.after,
    ...(weight !== undefined && { weight }),
    features: roles.features,
    auditors: searchable(auditorsOf(model)),
  })
  const groups = await followGroups(scored, compared.a.worst, { confidence, label, weight })
  return { rows: opened.folded ? 'held-out' : 'fitting', rowCount: scored.rowCount, compared, groups }
}

/** Audits search trees of depth 1 and 2, and groups; for other auditors, the trees they would search by default. */
function searchable(auditors: Auditors): TreeAuditors | GroupAuditors {
  if (auditors.kind === 'groups') return auditors
  return auditors.kind === 'trees' ? { ...auditors, depth: Math.min(2, auditors.depth) } : trees()
}

/** Cells that are kept in memory, at most: rows are read a dozen times, and from a file that takes longer than the audits. */
const HELD_CELLS = 2 ** 25

async function holdRows(scored: ScoredRows, heldCells: number): Promise<ScoredRows> {
  const { names, rowCount, rows } = scored
  if (!isSource(rows) || rowCount * names.length > heldCells) return scored
  return { ...scored, rows: { rowCount, columns: await joinChunks(rows, names) } }
}

interface ScoredRows {
  readonly rows: Table | TableSource
  readonly rowCount: number
  /** Of all columns. */
  readonly names: readonly string[]
  /** Names of the two columns of scores. */
  readonly before: string
  readonly after: string
}

/** The rows to audit, with both scores. These are computed once and kept; the other columns are read as often as needed. */
async function scoreRows(
  model: Model,
  rows: Table | TableSource,
  folded: Awaited<ReturnType<typeof openRows>> | undefined,
  { signal }: BeforeAfterOptions,
): Promise<ScoredRows> {
  const { start } = model.data
  const chunksOf = () => (isSource(rows) ? rows.chunks() : [rows])
  const pieces: { picked: Int32Array; before: Float64Array; after: Float64Array }[] = []
  const folds = folded === undefined ? undefined : await readFolds(folded)
  let [offset, rowCount] = [0, 0]
  for await (const chunk of chunksOf()) {
    throwIfCancelled(signal, 'scoring')
    const picked = pickRows(chunk.rowCount, folds, offset)
    const after = model.predict(chunk)
    const before =
      start.kind === 'constant'
        ? new Float64Array(picked.length).fill(fromUnits(start.units))
        : Float64Array.from(picked, numbersOf(chunk, start.column))
    pieces.push({ picked, before, after: Float64Array.from(picked, row => after[row]) })
    offset += chunk.rowCount
    rowCount += picked.length
  }
  const { features, ...named } = modelRowRoles(model)
  const kept = [...new Set([...features, named.label, ...(named.weight === undefined ? [] : [named.weight])])]
  const before = freeName(start.kind === 'column' ? start.column : 'base rate', kept)
  const after = freeName('corrected', [...kept, before])
  const numeric = (name: string, values: Float64Array): NumericColumn => ({ name, kind: 'numeric', values })
  const source: TableSource = {
    async *chunks() {
      let index = 0
      for await (const chunk of chunksOf()) {
        const piece = pieces[index++]
        const columns = kept.map(name => gatherColumn(findColumn(chunk, name), piece.picked))
        const scores = [numeric(before, piece.before), numeric(after, piece.after)]
        if (piece.picked.length > 0) yield { rowCount: piece.picked.length, columns: [...columns, ...scores] }
      }
    },
  }
  return { rows: source, rowCount, names: [...kept, before, after], before, after }
}

async function readFolds(rows: Awaited<ReturnType<typeof openRows>>): Promise<Uint8Array> {
  const folds = new Uint8Array(rows.rowCount)
  let offset = 0
  for await (const { fold, rowCount } of rows.chunks(FOLD_ROWS)) {
    if (fold !== undefined) folds.set(fold, offset)
    offset += rowCount
  }
  return folds
}

const FOLD_ROWS = 2 ** 16

/** The held-out ones; all where none are. */
function pickRows(rowCount: number, folds: Uint8Array | undefined, offset: number): Int32Array {
  const picked = new Int32Array(rowCount)
  let count = 0
  for (let row = 0; row < rowCount; row++) {
    if (folds === undefined || folds[offset + row] === 1) picked[count++] = row
  }
  return picked.slice(0, count)
}

function numbersOf(table: Table, name: string): (row: number) => number {
  const column = findColumn(table, name)
  if (column.kind === 'categorical') return () => Number.NaN
  const { values } = column
  return row => values[row]
}

function freeName(wanted: string, taken: readonly string[]): string {
  let name = wanted
  while (taken.includes(name)) name = `${name} score`
  return name
}

/** Sums of one group: weight, label, corrected score, and the variance of labels that have it as their probability. */
interface GroupSums {
  weight: number
  labels: number
  scores: number
  variance: number
}

async function followGroups(
  { after, before, rows }: ScoredRows,
  findings: readonly Finding[],
  { confidence, label, weight }: { confidence: number; label: string; weight?: string | undefined },
): Promise<GroupChange[]> {
  const sums: GroupSums[] = findings.map(() => ({ weight: 0, labels: 0, scores: 0, variance: 0 }))
  for await (const chunk of isSource(rows) ? rows.chunks() : [rows]) {
    const [labels, olds, news] = [label, before, after].map(name => numbersOf(chunk, name))
    const weights = weight === undefined ? () => 1 : numbersOf(chunk, weight)
    for (const [index, { scores, where }] of findings.entries()) {
      const matched = matchRows(chunk, where)
      const sum = sums[index]
      for (let row = 0; row < chunk.rowCount; row++) {
        if (matched[row] === 0 || !isWithin(olds(row), scores)) continue
        const [w, score] = [weights(row), news(row)]
        sum.weight += w
        sum.labels += w * labels(row)
        sum.scores += w * score
        sum.variance += w * w * score * (1 - score)
      }
    }
  }
  return findings.map((finding, index) => ({ before: finding, after: changeOf(sums[index], confidence) }))
}

/** Levels are taken of scores in units, as the search took them. */
function isWithin(score: number, scores: Finding['scores']): boolean {
  if (scores === undefined) return true
  const counted = fromUnits(toUnits(score))
  return counted >= scores.from && (counted < scores.to || scores.to === 1)
}

function changeOf({ labels, scores, variance, weight }: GroupSums, confidence: number): GroupChange['after'] {
  const gap = (labels - scores) / weight
  const reach = (normalMultiple(confidence) * Math.sqrt(variance)) / weight
  return { weight, meanScore: scores / weight, gap, interval: { low: gap - reach, high: gap + reach } }
}
