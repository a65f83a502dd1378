// Scores of the same rows, measured alike, and any two of them compared in pairs: the base score and what methods made of it.

import { openComparison } from './audit/measures/compare.ts'
import type { Estimate, ScoredRows } from './audit/measures/rows.ts'
import type { AuditSettings } from './auditSettings.ts'
import { describeAuditors } from './certify/statements.ts'
import { worstErrors } from './certify/worstErrors.ts'
import { type CompiledClass, compileAuditors } from './classes/compile.ts'
import { setAgainst } from './compare.ts'
import { openRows } from './data/rows.ts'
import type { Table } from './data/table.ts'
import { encodedSource, learnEncoding } from './encode.ts'
import { FIT } from './engine/engine.ts'
import { makeSorter } from './engine/memory/sorter.ts'
import { rememberJoint } from './engine/remember.ts'
import { discretize } from './round/discretize.ts'
import { collectScores, measureSegments } from './scores.ts'

/** Their differences come from pairs, row by row. Those of the other measures are what both intervals leave. */
const PAIRED = { logLoss: 'logLoss', brier: 'brier', auc: 'auc', ece: 'eceWidth' } as const
type PairedMeasure = keyof typeof PAIRED
type WorstMeasure = 'multicalibration' | 'levelSet' | 'mceSigma'

export type ComparedMeasure = PairedMeasure | WorstMeasure

/** In the order of tables. Less is better, but for auc. */
export const COMPARED_MEASURES: readonly ComparedMeasure[] = [
  ...(['logLoss', 'brier', 'auc', 'ece', 'multicalibration', 'levelSet', 'mceSigma'] as const),
]

/** MCE is absent where no segments are asked for. */
export type MeasuredScore = Readonly<Partial<Record<ComparedMeasure, Estimate>>>

/** Every row's score, with the measures that take long to find. */
export interface BoardedScore {
  readonly rows: ScoredRows
  readonly worst: Readonly<Partial<Record<WorstMeasure, Estimate>>>
}

export class ScoreBoard {
  readonly #table: Table
  readonly #settings: AuditSettings
  /** Of pairs; the settings have half the doubt, for differences of two intervals. */
  readonly #confidence: number
  readonly #compiled: CompiledClass

  private constructor(table: Table, settings: AuditSettings, confidence: number, compiled: CompiledClass) {
    this.#table = table
    this.#settings = settings
    this.#confidence = confidence
    this.#compiled = compiled
  }

  static async open(table: Table, settings: AuditSettings, confidence: number): Promise<ScoreBoard> {
    const { auditors, quantize, roles, signal } = settings
    const { learnable } = await openRows(table, roles, { signal })
    const encoding = learnEncoding(learnable, auditors, { ...quantize, sort: makeSorter().sort })
    return new ScoreBoard(table, settings, confidence, compileAuditors(auditors, 'table', encoding))
  }

  /** What is searched for the worst errors, in words. */
  get auditors(): string {
    return describeAuditors(this.#settings.auditors, this.#compiled)
  }

  /** The score of the table, or other predictions for its rows. */
  async add(predictions?: Float64Array): Promise<BoardedScore> {
    const table = predictions === undefined ? this.#table : this.#withScores(predictions)
    const rows = await collectScores(table, table.rowCount, this.#settings.roles)
    return { rows, worst: { ...(await this.#worstErrors(table)), ...(await this.#segments(rows)) } }
  }

  /** Each measure of a, and a minus b. */
  compare(
    a: BoardedScore,
    b: BoardedScore,
    measures: readonly ComparedMeasure[] = COMPARED_MEASURES,
  ): { readonly measures: MeasuredScore; readonly differences: MeasuredScore } {
    const options = { confidence: this.#confidence, seed: this.#settings.seed }
    const paired = measures.some(isPaired) ? openComparison(a.rows, b.rows, options) : undefined
    const found = measures.flatMap(name => {
      const comparison = isPaired(name) ? paired!(PAIRED[name]) : compareWorst(a.worst[name], b.worst[name])
      return comparison === undefined ? [] : [{ name, ...comparison }]
    })
    return {
      measures: Object.fromEntries(found.map(({ a: value, name }) => [name, value])),
      differences: Object.fromEntries(found.map(({ difference, name }) => [name, difference])),
    }
  }

  #withScores(values: Float64Array): Table {
    const name = this.#settings.roles.prediction
    const { columns, rowCount } = this.#table
    const replaced = columns.map(column =>
      column.name === name ? ({ name, kind: 'numeric', values } as const) : column,
    )
    return { rowCount, columns: replaced }
  }

  async #worstErrors(table: Table): Promise<BoardedScore['worst']> {
    const { bins, cellBudget, confidence, roles, signal } = this.#settings
    const rows = await openRows(table, roles, { sampleRows: 0, signal })
    const source = encodedSource(rows, this.#compiled.encoding, {})
    const engine = rememberJoint(await this.#settings.engine(source))
    try {
      const scope = { fold: FIT, cellBudget, confidence, candidates: 1 }
      const found = await worstErrors(engine, this.#compiled, await discretize(engine, bins), scope)
      return { multicalibration: plain(found.multicalibration), levelSet: plain(found.levelSet) }
    } finally {
      await engine.close()
    }
  }

  async #segments(rows: ScoredRows): Promise<BoardedScore['worst']> {
    const { confidence, seed, segmentDepth: depth } = this.#settings
    if (depth === 0) return {}
    const names = this.#compiled.encoding.features.map(feature => feature.name)
    const { sigma } = await measureSegments(this.#table, rows, names, { depth, confidence, seed })
    return { mceSigma: sigma }
  }
}

const isPaired = (name: ComparedMeasure): name is PairedMeasure => Object.hasOwn(PAIRED, name)

const plain = ({ high, low, value }: Estimate): Estimate => ({ value, low, high })

/** Of two errors without bound nothing can be said. */
function compareWorst(a: Estimate | undefined, b: Estimate | undefined) {
  if (a === undefined || b === undefined) return undefined
  const { difference } = setAgainst(a, b)
  const unknown = Number.isNaN(difference.value) || Number.isNaN(difference.low + difference.high)
  return { a, difference: unknown ? { value: 0, low: -Infinity, high: Infinity } : difference }
}
