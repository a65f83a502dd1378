// What a model changed: the score it started from and the corrected one, audited and compared on the rows it was not
// fitted to, where some were held out; and what became of the groups that were worst.

import { type ProtectedRow, protectedRows } from '../audit/protected.ts'
import type { AuditOptions } from '../audit/settings.ts'
import { type Finding, scoreInterval } from '../audit/worst/findings.ts'
import { type Auditors, type GroupAuditors, type TreeAuditors, trees } from '../classes/auditors.ts'
import { matchRows } from '../classes/matches.ts'
import { ExactSum } from '../common/exactSum.ts'
import { fromUnits, toUnits } from '../common/units.ts'
import { checkNames, checkOptionsObject, checkRows } from '../data/given.ts'
import { isSource, type TableSource } from '../data/source.ts'
import type { Table } from '../data/table.ts'
import type { WordOption } from '../data/wording.ts'
import type { Estimate } from '../measures/score/scoredRows.ts'
import { checkModel, type Model } from '../model/model.ts'
import { auditorsOf, modelRowRoles } from '../model/modelRows.ts'
import { type ComparedScores, compareScores } from './compareScores.ts'
import { type ModelScores, numbersOf, scoreModelRows } from './modelScores.ts'
import { knownCount, rareFor } from './rareValues.ts'

export interface BeforeAfter {
  /** The held-out rows where there are any. On fitting rows, what the model was fitted to, measures are too kind. */
  readonly rows: 'held-out' | 'fitting'
  readonly rowCount: number
  /** All rows that were given, those of the fit among them. */
  readonly allRows: number
  /** Does the model move scores at all? */
  readonly corrects: boolean
  /** a: before, b: after. Paired differences have a fifth of the doubt asked for: 99 % where all else has 95 %. */
  readonly compared: ComparedScores
  /** The worst groups before, in their order. */
  readonly groups: readonly GroupChange[]
  /** Every protected group; only where columns are protected. */
  readonly protected?: readonly ProtectedRow[]
}

export interface GroupChange {
  readonly before: Finding
  /** The same rows with corrected scores. */
  readonly after: {
    readonly weight: number
    readonly meanScore: number
    /** Mean label minus mean score. */
    readonly gap: number
    /** Covers the gaps of all groups searched at once, as that of the finding does: the group was chosen by how wrong it was before. */
    readonly interval: Pick<Estimate, 'low' | 'high'>
  }
}

/** A model knows its columns, and how they are read. */
export type BeforeAfterOptions = Omit<
  AuditOptions,
  'label' | 'prediction' | 'weight' | 'features' | 'except' | 'onPhase' | WordOption
>

/**
 * Compares the score that a model started from with its predictions, on held-out rows if there are any,
 * and follows the groups that were worst.
 */
export async function compareBeforeAfter(
  model: Model,
  given: Table | TableSource,
  options: BeforeAfterOptions = {},
  heldCells?: number,
): Promise<BeforeAfter> {
  checkModel(model)
  checkOptionsObject(options)
  checkNames('protect', options.protect)
  const rows = checkRows(given)
  const scored = await scoreModelRows(model, rows, {
    signal: options.signal,
    also: protectedColumns(model, options),
    ...(heldCells !== undefined && { heldCells }),
  })
  const rare = rareFor(knownCount(scored.rows), options.auditors ?? searchable(auditorsOf(model)), options)
  const asked = auditOptionsFor(model, scored, { ...options, rare })
  const compared = await compareScores(scored.rows, { ...asked, changes: 'sure' })
  return await describeChange(model, scored, compared)
}

/**
 * Both scores audited, with the model's auditors unless others are declared. Unless draws are asked for there are none: they take many
 * passes over wide tables, and the union bound says no more than is true. What a fit prints, reports and the page go by the same.
 */
export function auditOptionsFor(
  model: Model,
  { after, before }: ModelScores,
  options: BeforeAfterOptions & Pick<AuditOptions, 'onPhase'>,
): AuditOptions & { readonly other: string } {
  const { features, label, weight } = modelRowRoles(model)
  const protect = protectedColumns(model, options)
  return {
    ...options,
    draws: options.draws ?? 0,
    label,
    prediction: before,
    other: after,
    ...(weight !== undefined && { weight }),
    features: [...new Set([...features, ...protect])],
    protect,
    auditors: options.auditors ?? searchable(auditorsOf(model)),
  }
}

/** Those asked for, or those that the fit was asked to protect. */
export const protectedColumns = (
  { data }: Model,
  { protect }: Pick<AuditOptions, 'protect'>,
): readonly string[] => protect ?? data.roles.protect ?? []

export async function describeChange(
  model: Model,
  scored: ModelScores,
  compared: ComparedScores,
): Promise<BeforeAfter> {
  const groups = await followGroups(model, scored, compared.a.worst, compared.b.significance.criticalZ)
  return {
    rows: scored.heldOut ? 'held-out' : 'fitting',
    rowCount: scored.rowCount,
    allRows: scored.allRows,
    corrects: model.data.updates.length > 0,
    compared,
    groups,
    ...(compared.a.protected !== undefined && {
      protected: protectedRows(compared.a.protected, compared.b.protected),
    }),
  }
}

/** Audits search trees of depth 1 and 2, and groups; for other auditors, the trees they would search by default. */
export function searchable(auditors: Auditors): TreeAuditors | GroupAuditors {
  if (auditors.kind === 'groups') return auditors
  return auditors.kind === 'trees' ? { ...auditors, depth: Math.min(2, auditors.depth) } : trees()
}

/** Sums of one group: weight, label and corrected score; with squared weights what the interval of a gap is made of. */
interface GroupSums {
  readonly weight: ExactSum
  readonly labels: ExactSum
  readonly scores: ExactSum
  readonly squaredWeight: ExactSum
  readonly predicted: ExactSum
  readonly variance: ExactSum
  readonly squares: ExactSum
}

const noRows = (): GroupSums => ({
  ...{ weight: new ExactSum(), labels: new ExactSum(), scores: new ExactSum() },
  ...{ squaredWeight: new ExactSum(), predicted: new ExactSum() },
  ...{ variance: new ExactSum(), squares: new ExactSum() },
})

/** What became of groups that were found with the score before. `critical`: standard errors that a search of the corrected score asks for. */
export async function followGroups(
  model: Model,
  { after, before, rows }: ModelScores,
  findings: readonly Finding[],
  critical: number,
): Promise<GroupChange[]> {
  const { label, weight } = modelRowRoles(model)
  const sums = findings.map(noRows)
  const total = new ExactSum()
  let rowCount = 0
  for await (const chunk of isSource(rows) ? rows.chunks() : [rows]) {
    const [labels, olds, news] = [label, before, after].map(name => numbersOf(chunk, name))
    const weights = weight === undefined ? () => 1 : numbersOf(chunk, weight)
    rowCount += chunk.rowCount
    for (let row = 0; row < chunk.rowCount; row++) total.add(weights(row))
    for (const [index, { scores, where }] of findings.entries()) {
      const matched = matchRows(chunk, where)
      const sum = sums[index]
      for (let row = 0; row < chunk.rowCount; row++) {
        if (matched[row] === 0 || !isWithin(olds(row), scores)) continue
        addRow(sum, weights(row), labels(row), news(row))
      }
    }
  }
  const perRow = total.value() / rowCount
  return findings.map((finding, index) => ({
    before: finding,
    after: changeOf(sums[index], perRow, critical),
  }))
}

/** Levels are taken of scores in units, as the search took them. */
function isWithin(score: number, scores: Finding['scores']): boolean {
  if (scores === undefined) return true
  const counted = fromUnits(toUnits(score))
  return counted >= scores.from && (counted < scores.to || scores.to === 1)
}

function addRow(sum: GroupSums, weight: number, label: number, score: number): void {
  const squared = weight * weight
  sum.weight.add(weight)
  sum.labels.add(weight * label)
  sum.scores.add(weight * score)
  sum.squaredWeight.add(squared)
  sum.predicted.add(squared * score)
  sum.variance.add(squared * score * (1 - score))
  sum.squares.add(squared * (label - score) ** 2)
}

/** Sizes are in rows, each by its weight over the mean weight, as those of findings are. */
function changeOf(sums: GroupSums, perRow: number, critical: number): GroupChange['after'] {
  const [labels, scores, weight] = [sums.labels.value(), sums.scores.value(), sums.weight.value()]
  const spread = {
    ...{ squaredWeight: sums.squaredWeight.value(), predicted: sums.predicted.value() },
    ...{ variance: sums.variance.value(), squares: sums.squares.value() },
  }
  const gap = (labels - scores) / weight
  return {
    weight: weight / perRow,
    meanScore: scores / weight,
    gap,
    interval: scoreInterval(gap, scores / weight, weight, critical, spread),
  }
}
