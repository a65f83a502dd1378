// Scores of the same rows, measured alike, and any two of them compared in pairs: the base score and what methods made of it.

import { COMPARED_MEASURES, type ComparedMeasure, MEASURES, measureOf } from '../audit/measures.ts'
import { collectScores, measureSegments } from '../audit/scores.ts'
import type { AuditSettings } from '../audit/settings.ts'
import { describeAuditors } from '../certify/statements.ts'
import { certifiedClass } from '../certify/tolerance.ts'
import { worstCalibration } from '../certify/worstErrors.ts'
import { type CompiledClass, compileAuditors } from '../classes/compile.ts'
import { openRows } from '../data/openRows.ts'
import type { Table } from '../data/table.ts'
import { type Engine, FIT } from '../engine/engine.ts'
import { rememberJoint } from '../engine/remember.ts'
import { makeBinner } from '../kernels/binner.ts'
import { makeSorter } from '../kernels/sorter.ts'
import { cellShares, shareDifference } from '../measures/class/cellShares.ts'
import { levelSetError, type WorstTree } from '../measures/class/levelSet.ts'
import { type SignedCells, worstCells } from '../measures/class/multicalibration.ts'
import { openComparison } from '../measures/score/compare.ts'
import type { Estimate, ScoredRows } from '../measures/score/scoredRows.ts'
import { encodeTable } from '../quantize/encoding.ts'
import { binCount, coarseCount } from '../quantize/schema.ts'
import { columnWarnings } from '../quantize/warnings.ts'
import { discretize, type Rounding } from '../round/discretize.ts'
import { encodedSource, learnEncoding } from '../store/encode.ts'
import { setAgainst } from './compareScores.ts'

/** Measures of a score alone: their differences come from pairs of rows (measures/score/compare.ts). */
type PairedMeasure = {
  [Key in ComparedMeasure]: (typeof MEASURES)[Key]['at'] extends { readonly score: string } ? Key : never
}[ComparedMeasure]

type WorstMeasure = Exclude<ComparedMeasure, PairedMeasure>

/** MCE is absent where no segments are asked for. */
export type MeasuredScore = Readonly<Partial<Record<ComparedMeasure, Estimate>>>

/** Worst errors, too (measures/class/cellShares.ts). That of MCE, a maximum of ratios, is what the intervals of both leave. */
type SharedMeasure = 'multicalibration' | 'levelSet'

/** Every row's score, with the measures that take long to find, and with each row's share in them. */
export interface BoardedScore {
  readonly rows: ScoredRows
  readonly worst: Readonly<Partial<Record<WorstMeasure, Estimate>>>
  readonly shares: Readonly<Record<SharedMeasure, Float64Array>>
}

export class ScoreBoard {
  readonly #table: Table
  readonly #settings: AuditSettings
  /** Of pairs; the settings have half the doubt, for differences of two intervals. */
  readonly #confidence: number
  readonly #compiled: CompiledClass
  /** Beyond the budget of cells, one condition at a time, as in audits. */
  readonly #searched: CompiledClass
  readonly #bins: readonly Uint8Array[]
  readonly #binCounts: readonly number[]

  private constructor(table: Table, settings: AuditSettings, confidence: number, compiled: CompiledClass) {
    this.#table = table
    this.#settings = settings
    this.#confidence = confidence
    this.#compiled = compiled
    const { encoding } = compiled
    const coarseCounts = encoding.features.map(coarseCount)
    this.#searched = certifiedClass(compiled, { coarseCounts }, settings.bins, settings.cellBudget).compiled
    this.#bins = encodeTable(encoding, table, {}, makeBinner().bin).bins
    this.#binCounts = encoding.features.map(binCount)
  }

  static async open(table: Table, settings: AuditSettings, confidence: number): Promise<ScoreBoard> {
    const { auditors, quantize, roles, signal } = settings
    const { learnable } = await openRows(table, roles, { signal })
    const encoding = learnEncoding(learnable, auditors, { ...quantize, sort: makeSorter().sort })
    return new ScoreBoard(table, settings, confidence, compileAuditors(auditors, 'table', encoding))
  }

  /** What a person should know of the columns; those in `meant` are as they should be. */
  warnings(meant?: readonly string[]): string[] {
    return columnWarnings(this.#compiled.encoding.features, this.#table.rowCount, meant)
  }

  /** What is searched for the worst errors, in words. */
  get auditors(): string {
    return describeAuditors(this.#settings.auditors, this.#searched)
  }

  /** The score of the table, or other predictions for its rows. */
  async add(predictions?: Float64Array): Promise<BoardedScore> {
    const table = predictions === undefined ? this.#table : this.#withScores(predictions)
    const rows = await collectScores(table, table.rowCount, this.#settings.roles)
    const { shares, worst } = await this.#worstErrors(table, rows)
    return { rows, worst: { ...worst, ...(await this.#segments(rows)) }, shares }
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
      const comparison = isPaired(name)
        ? paired!(MEASURES[name].at.score)
        : compareWorst(name, a, b, this.#confidence)
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

  async #worstErrors(table: Table, scored: ScoredRows): Promise<Pick<BoardedScore, 'worst' | 'shares'>> {
    const { bins, cellBudget, confidence, roles, signal } = this.#settings
    const compiled = this.#searched
    const rows = await openRows(table, roles, { sampleRows: 0, signal })
    const source = encodedSource(rows, compiled.encoding, {})
    const engine = rememberJoint(await this.#settings.engine(source))
    try {
      const scope = { fold: FIT, cellBudget, confidence }
      const rounding = await discretize(engine, bins)
      const levelSet = (await levelSetError(engine, compiled, rounding, scope))!
      const known = { ...scope, levelSet }
      const found = await worstCalibration(engine, compiled, rounding, known)
      const sharesOf = (cells: SignedCells) =>
        cellShares(scored, this.#bins, this.#binCounts, rounding, cells)
      return {
        worst: { multicalibration: plain(found.multicalibration), levelSet: plain(found.levelSet) },
        shares: {
          multicalibration: sharesOf(await worstCells(engine, compiled, rounding, scope)),
          levelSet: sharesOf(await levelSetCells(engine, rounding, levelSet)),
        },
      }
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

const isPaired = (name: ComparedMeasure): name is PairedMeasure => 'score' in measureOf(name).at

const plain = ({ high, low, value }: Estimate): Estimate => ({ value, low, high })

function compareWorst(name: WorstMeasure, a: BoardedScore, b: BoardedScore, confidence: number) {
  const [ofA, ofB] = [a.worst[name], b.worst[name]]
  if (ofA === undefined || ofB === undefined) return undefined
  if (name === 'mceSigma') return { a: ofA, difference: boundedDifference(ofA, ofB) }
  const value = ofA.value - ofB.value
  const { weights } = a.rows
  return { a: ofA, difference: shareDifference(value, a.shares[name], b.shares[name], weights, confidence) }
}

/** Of two errors without bound nothing can be said. */
function boundedDifference(a: Estimate, b: Estimate): Estimate {
  const { difference } = setAgainst(a, b)
  const unknown = Number.isNaN(difference.value) || Number.isNaN(difference.low + difference.high)
  return unknown ? { value: 0, low: -Infinity, high: Infinity } : difference
}

/** Every cell of the worst partition, with the sign of its sum. */
async function levelSetCells(engine: Engine, rounding: Rounding, { tree }: WorstTree): Promise<SignedCells> {
  const levelValues = Int32Array.from(rounding.values)
  const [sums] = await engine.levelSums({ fold: FIT, levels: rounding.bins, levelValues, trees: [tree] })
  return { tree, signs: Array.from(sums.residuals, sum => (sum < 0 ? -1 : 1)) }
}
