// The rows of a table with two scores: the one that a model starts from and the corrected one.

import { type CancelSignal, throwIfCancelled } from '../common/cancel.ts'
import { fromUnits, ONE, toUnits } from '../common/units.ts'
import { type ColumnKind, gatherColumn, type NumericColumn } from '../data/column.ts'
import { checkFolds, emptyTally, tallyFolds } from '../data/fold.ts'
import { HELD_CELLS } from '../data/hold.ts'
import { type Roles, resolveRoles } from '../data/resolve.ts'
import { checkSplit, foldHint, foldOf, type Holdout } from '../data/roles.ts'
import { RowHasher } from '../data/rowHash.ts'
import { joinColumns } from '../data/rowSample.ts'
import { ChunkGuard, isSource, type TableSource } from '../data/source.ts'
import { findColumn, type Table } from '../data/table.ts'
import { givenWeights } from '../data/weights.ts'
import { readWording } from '../data/wording.ts'
import type { Model } from '../model/model.ts'
import { modelRowRoles, wordingOf } from '../model/modelRows.ts'
import { makeReadPredictor, type Predictor } from '../model/predict.ts'

export interface ModelScores {
  readonly rows: Table | TableSource
  readonly rowCount: number
  /** As many were given, those of the fit among them. */
  readonly allRows: number
  /** Of these rows: were they held out from the fit? */
  readonly heldOut: boolean
  /** Of all columns. */
  readonly names: readonly string[]
  /** Names of the two columns of scores. */
  readonly before: string
  readonly after: string
}

interface ModelScoreOptions {
  readonly signal?: CancelSignal | undefined
  /** Columns to keep besides those of the model. */
  readonly also?: readonly string[]
  /** Whether the model's own split into fitting and held-out rows applies to these rows. Default: yes. */
  readonly split?: boolean
  readonly heldCells?: number
}

/** The held-out rows where there are any, else all. Rows are read once, unless they are too many to be held. */
export async function scoreModelRows(
  model: Model,
  given: Table | TableSource,
  options: ModelScoreOptions = {},
): Promise<ModelScores> {
  return await scoreReadRows(model, readWording(given, wordingOf(model)), options)
}

/** Of rows whose words have been read. */
async function scoreReadRows(
  model: Model,
  rows: Table | TableSource,
  { also = [], heldCells = HELD_CELLS, signal, split = true }: ModelScoreOptions,
): Promise<ModelScores> {
  const names = namesFor(model, also)
  const scorer = new RowScorer(model, names, split, heldCells)
  for await (const chunk of chunksOf(rows)) {
    throwIfCancelled(signal, 'scoring')
    scorer.add(chunk)
  }
  // A column of folds that holds nobody out: all rows are meant.
  if (split && scorer.holdsNobodyOut())
    return await scoreReadRows(model, rows, { also, heldCells, signal, split: false })
  return {
    rows: scorer.finish() ?? scorer.source(rows),
    rowCount: scorer.rowCount,
    allRows: scorer.allRows,
    heldOut: scorer.isSplit,
    names: [...names.kept, names.before, names.after],
    before: names.before,
    after: names.after,
  }
}

const chunksOf = (rows: Table | TableSource) => (isSource(rows) ? rows.chunks() : [rows])

interface ScoredNames {
  /** Features, label and weight. */
  readonly kept: readonly string[]
  readonly before: string
  readonly after: string
}

function namesFor(model: Model, also: readonly string[]): ScoredNames {
  const { features, label, weight } = modelRowRoles(model)
  const { start } = model.data
  const kept = [...new Set([...features, ...also, label, ...(weight === undefined ? [] : [weight])])]
  const before = freeName(start.kind === 'column' ? start.column : 'base rate', kept)
  return { kept, before, after: freeName('corrected', [...kept, before]) }
}

/** Which rows of a chunk were picked, and their two scores. */
interface Piece {
  readonly picked: Int32Array
  readonly before: Float64Array
  readonly after: Float64Array
}

/**
 * As models count scores, in units, so that one that is left alone is the same before and after. But for those that become 0 or 1, which
 * costs a log loss dearly: there a model does change the score.
 */
function countedScore(score: number): number {
  const units = toUnits(score)
  return units === 0 || units === ONE ? score : fromUnits(units)
}

/** Scores chunk after chunk. Scores are kept; the other columns are, too, as long as there are not too many cells. */
class RowScorer {
  readonly #model: Model
  readonly #predictor: Predictor
  readonly #names: ScoredNames
  readonly #heldCells: number
  readonly #guard = new ChunkGuard()
  readonly #folds: FoldReader | undefined
  readonly #pieces: Piece[] = []
  #held: Table[] | undefined = []
  rowCount = 0
  allRows = 0

  constructor(model: Model, names: ScoredNames, split: boolean, heldCells: number) {
    this.#model = model
    this.#predictor = makeReadPredictor(model.data, model.functions)
    this.#names = names
    this.#heldCells = heldCells
    this.#folds = split ? FoldReader.of(model) : undefined
  }

  add(given: Table): void {
    const chunk = this.#guard.admit(given)
    const picked = pickRows(chunk.rowCount, this.#folds?.read(chunk))
    const piece = {
      picked,
      before: this.#before(chunk, picked),
      after: this.#predictor.predict(rowsOf(chunk, picked)),
    }
    this.#pieces.push(piece)
    this.rowCount += picked.length
    this.allRows += chunk.rowCount
    const { kept } = this.#names
    if (this.rowCount * (kept.length + 2) > this.#heldCells) this.#held = undefined
    if (picked.length > 0) this.#held?.push(this.#tableOf(chunk, piece))
  }

  get isSplit(): boolean {
    return this.#folds !== undefined
  }

  holdsNobodyOut(): boolean {
    return this.#folds?.holdsNobodyOut() ?? false
  }

  /** All rows in memory; undefined where they are too many. */
  finish(): Table | undefined {
    this.#folds?.check()
    const held = this.#held
    if (held === undefined || held.length === 0) return undefined
    const columns = held[0].columns.map(({ name }, index) =>
      joinColumns(
        held.map(table => table.columns[index]),
        this.#kindOf(name),
      ),
    )
    return { rowCount: this.rowCount, columns }
  }

  /** The rows as they come from their source, with both scores. */
  source(rows: Table | TableSource): TableSource {
    const [pieces, tableOf] = [this.#pieces, this.#tableOf.bind(this)]
    return {
      async *chunks() {
        let index = 0
        for await (const chunk of chunksOf(rows)) {
          const piece = pieces[index++]
          if (piece.picked.length > 0) yield tableOf(chunk, piece)
        }
      },
    }
  }

  #before(chunk: Table, picked: Int32Array): Float64Array {
    const { start } = this.#model.data
    if (start.kind === 'constant') return new Float64Array(picked.length).fill(fromUnits(start.units))
    const scoreOf = numbersOf(chunk, start.column)
    return Float64Array.from(picked, row => countedScore(scoreOf(row)))
  }

  #tableOf(chunk: Table, { after, before, picked }: Piece): Table {
    const names = this.#names
    const numeric = (name: string, values: Float64Array): NumericColumn => ({ name, kind: 'numeric', values })
    const columns = names.kept.map(name => gatherColumn(findColumn(chunk, name), picked))
    return {
      rowCount: picked.length,
      columns: [...columns, numeric(names.before, before), numeric(names.after, after)],
    }
  }

  #kindOf(name: string): ColumnKind {
    const { after, before } = this.#names
    return name === before || name === after ? 'numeric' : this.#guard.kindOf(name)
  }
}

/** The split that a model was fitted with, chunk after chunk. */
class FoldReader {
  readonly #roles: Roles
  readonly #holdout: Holdout | undefined
  readonly #hasher: RowHasher
  readonly #tally = emptyTally()
  #rowCount = 0
  #hint = ''

  private constructor(roles: Roles, holdout: Holdout | undefined) {
    this.#roles = roles
    this.#holdout = holdout
    this.#hasher = new RowHasher(holdout?.seed ?? 0, roles.copies)
  }

  /** Undefined where no row was held out. */
  static of(model: Model): FoldReader | undefined {
    const { holdout, ...roles } = modelRowRoles(model)
    if (roles.fold === undefined && holdout === undefined) return undefined
    checkSplit(roles, holdout)
    return new FoldReader(roles, holdout)
  }

  read(chunk: Table): Uint8Array {
    const columns = resolveRoles(chunk, this.#roles, this.#holdout?.groupBy)
    const hashes = () => this.#hasher.hash(columns)
    const fold = foldOf(columns, this.#holdout, hashes, this.#rowCount)!
    const weight = columns.weight === undefined ? undefined : givenWeights(columns.weight, this.#rowCount)
    tallyFolds(this.#tally, fold, weight)
    this.#rowCount += chunk.rowCount
    this.#hint = foldHint(columns, this.#holdout, this.#roles.copies)
    return fold
  }

  holdsNobodyOut(): boolean {
    return this.#roles.fold !== undefined && this.#tally.rows[1] === 0
  }

  check(): void {
    this.#hasher.close()
    checkFolds(this.#tally, this.#hint)
  }
}

const rowsOf = (chunk: Table, picked: Int32Array): Table =>
  picked.length === chunk.rowCount
    ? chunk
    : { rowCount: picked.length, columns: chunk.columns.map(column => gatherColumn(column, picked)) }

/** The held-out ones; all where none are. */
function pickRows(rowCount: number, fold: Uint8Array | undefined): Int32Array {
  const rows = Int32Array.from({ length: rowCount }, (_, row) => row)
  return fold === undefined ? rows : rows.filter(row => fold[row] === 1)
}

export function numbersOf(table: Table, name: string): (row: number) => number {
  const column = findColumn(table, name)
  if (column.kind === 'categorical') return () => Number.NaN
  const { values } = column
  return row => values[row]
}

export function freeName(wanted: string, taken: readonly string[]): string {
  let name = wanted
  while (taken.includes(name)) name = `${name} score`
  return name
}
