// The survey of a source whose rows are too many for this process: what survey.ts keeps in arrays of all rows is kept in a ledger. The
// same checks in the same order, the same facts, the same sample; the source is read once more, for the sample.

import { toUnits } from '../common/units.ts'
import type { Column } from './column.ts'
import { checkFolds } from './fold.ts'
import type { LedgerChunk, LedgerFacts, LedgerSample, RowLedger } from './ledger.ts'
import { observationWeight } from './observations.ts'
import { PresenceTally } from './presence.ts'
import { checkLabel, checkPrediction, constantLabel, readLabel, unitsOf } from './probabilities.ts'
import { type FirstReading, readAgain, startsOf } from './readAgain.ts'
import { ReadingPrint } from './readingPrint.ts'
import { type RoleColumns, type Roles, resolveRoles } from './resolve.ts'
import { type LearnableRows, learnableRows, type RoleRows, sampledColumns, sliceDataset } from './roleRows.ts'
import {
  checkRowCount,
  checkRowLimit,
  checkSplit,
  type Dataset,
  foldHint,
  foldOf,
  type Holdout,
  type StartKind,
} from './roles.ts'
import { hashContent, hashFurther, RowHasher } from './rowHash.ts'
import { RowSample } from './rowSample.ts'
import { ChunkGuard, type TableSource } from './source.ts'
import { chooseScaleBy, givenWeights } from './weights.ts'

/** As RoleRows, but that weights of all rows are nowhere at hand. */
export type LedgerRoleRows = Omit<RoleRows, 'weight'>

interface Asked {
  readonly source: TableSource
  readonly roles: Roles
  readonly holdout: Holdout | undefined
  /** Rows to learn cuts from, at most; 0 where nothing is to be learned. */
  readonly sampleRows: number
  readonly keyed: boolean
  readonly ledger: RowLedger
}

export async function surveyByLedger(asked: Asked): Promise<LedgerRoleRows> {
  const { holdout, keyed, ledger, roles, sampleRows } = asked
  checkSplit(roles, holdout)
  const first = await readFirst(asked)
  const { columns, rowCount } = first
  checkRowCount(rowCount)
  if (!first.labelsDiffer) throw constantLabel(columns.label.name)
  const facts = columns.weight === undefined ? undefined : await ledger.weights()
  const scale =
    facts === undefined
      ? undefined
      : await chooseScaleBy(columns.weight!.name, facts, ledger.scaled.bind(ledger))
  const folded = await checkSides(first, asked)
  const merged = await ledger.merge(scale, folded)
  const startKind = await startOf(columns, ledger)
  const isWhole = scale === undefined || facts!.areWhole
  const counted = (roles.copies ?? 'one') === 'one' && isWhole && sampleRows > 0
  const { keys, learnable } = await learnableOf(first, asked)
  const known = { folded, startKind, merged, weightScale: scale ?? 1, isWhole }
  return {
    rowCount,
    countedRows: merged.countedRows,
    copyCount: merged.copyCount + first.copyCount,
    units: merged.units,
    startKind,
    weighted: merged.weighted,
    weightScale: scale ?? 1,
    ...(counted && { observationWeight: observationWeight(learnable, keys, startKind) }),
    folded,
    keyed,
    learnable,
    chunks: rowsPerChunk => readLast(asked, first, known, rowsPerChunk),
  }
}

/** What one reading of all rows tells, besides what is in the ledger. */
interface Noted extends FirstReading {
  /** Of the first chunk. */
  readonly columns: RoleColumns
  readonly labelsDiffer: boolean
  /** Copies that the hasher told apart. */
  readonly copyCount: number
  readonly presence: PresenceTally | undefined
  readonly guard: ChunkGuard
}

async function readFirst({ holdout, ledger, roles, sampleRows, source }: Asked): Promise<Noted> {
  const rule = roles.copies ?? 'one'
  const seed = holdout?.seed ?? 0
  const hasher = new RowHasher(seed, rule)
  const [guard, print] = [new ChunkGuard(), new ReadingPrint()]
  let known: RoleColumns | undefined
  let presence: PresenceTally | undefined
  let firstLabel: number | undefined
  let labelsDiffer = false
  try {
    for await (const given of source.chunks()) {
      const before = guard.rowCount
      const chunk = guard.admit(given)
      checkRowLimit(guard.rowCount)
      const columns = resolveRoles(chunk, roles, holdout?.groupBy)
      known ??= columns
      if (chunk.rowCount === 0) continue
      const label = checkLabel(columns.label, before)
      firstLabel ??= toUnits(label.values[0])
      for (let row = 0; row < label.values.length && !labelsDiffer; row++)
        labelsDiffer = toUnits(label.values[row]) !== firstLabel
      if (columns.prediction !== undefined) checkPrediction(columns.prediction, before)
      const weight = columns.weight === undefined ? undefined : givenWeights(columns.weight, before)
      print.add(columns)
      const hashes = hasher.hash(columns)
      const fold = foldOf(columns, holdout, () => hashes, before)
      const { group } = columns
      const copied = [columns.label, columns.fold, group].filter((each): each is Column => each !== undefined)
      await ledger.add({
        rowCount: chunk.rowCount,
        key: hashes.b,
        ...(rule === 'one' && { copy: hashFurther(hashes, copied) }),
        ...(group !== undefined && { id: hashContent([group], seed) }),
        ...(weight !== undefined && { weight }),
        ...(fold !== undefined && { fold }),
        ...(columns.prediction === undefined && { label: unitsOf(label) }),
      })
      if (sampleRows === 0) continue
      presence ??= new PresenceTally(columns.features.length)
      // A copy holds what the first of its kind holds, so copies may be counted here.
      presence.add(
        columns.features,
        row => (fold === undefined || fold[row] === 0) && (weight === undefined || weight[row] > 0),
      )
    }
  } finally {
    hasher.close()
  }
  return {
    ...{ rowCount: guard.rowCount, labelsDiffer, copyCount: hasher.copyCount, presence, print, guard },
    columns: known!,
  }
}

/** Do rows lie on two sides? Then each has to have something to say. */
async function checkSides({ columns }: Noted, { holdout, ledger, roles }: Asked): Promise<boolean> {
  if (columns.fold === undefined && holdout === undefined) return false
  const tally = await ledger.folds()
  if (columns.fold !== undefined && tally.rows[1] === 0) return false
  checkFolds(tally, foldHint(columns, holdout, roles.copies))
  return true
}

async function startOf({ prediction }: RoleColumns, ledger: RowLedger): Promise<StartKind> {
  if (prediction !== undefined) return { kind: 'column', column: prediction.name }
  const { sum, total } = await ledger.labelSum()
  return { kind: 'constant', units: Math.round(sum / total) }
}

/** The second reading: columns of the rows that the ledger chose. */
async function learnableOf(
  first: Noted,
  { holdout, ledger, roles, sampleRows, source }: Asked,
): Promise<{ keys: Int32Array; learnable: LearnableRows }> {
  if (sampleRows === 0) return { keys: new Int32Array(0), learnable: { features: [] } }
  const chosen = await ledger.sample(sampleRows)
  const sample = new RowSample(sampleRows)
  let next = 0
  for await (const { before, columns, rowCount } of readAgain(source, roles, holdout, first)) {
    const { isChosen, keys, to } = chosenAmong(chosen, next, before, rowCount)
    next = to
    sample.add(sampledColumns(columns), keys, row => isChosen[row] === 1)
  }
  const kept = sample.finish(name => first.guard.kindOf(name))
  const places = Int32Array.from(chosen.rows, (_, place) => place)
  const { columns, presence } = first
  return {
    keys: chosen.keys,
    learnable: learnableRows(kept, places, columns, chosen.weight, presence!.finish()),
  }
}

/** Which rows of one chunk were chosen, from the place in the list that the chunk before ended at. */
function chosenAmong({ keys: all, rows }: LedgerSample, from: number, before: number, rowCount: number) {
  const isChosen = new Uint8Array(rowCount)
  const keys = new Int32Array(rowCount)
  let to = from
  for (; to < rows.length && rows[to] < before + rowCount; to++) {
    isChosen[rows[to] - before] = 1
    keys[rows[to] - before] = all[to]
  }
  return { isChosen, keys, to }
}

interface Known {
  readonly folded: boolean
  readonly startKind: StartKind
  readonly merged: LedgerFacts
  readonly weightScale: number
  readonly isWhole: boolean
}

/** The last reading: rows with what the ledger says of them. */
async function* readLast(
  { holdout, keyed, ledger, roles, source }: Asked,
  first: Noted,
  known: Known,
  rowsPerChunk: number,
): AsyncGenerator<Dataset> {
  const pages = new Pages(ledger.chunks(rowsPerChunk))
  try {
    for await (const rows of readAgain(source, roles, holdout, first)) {
      const { before, columns, rowCount } = rows
      const { fold, key, weight } = await pages.take(rowCount)
      const dataset: Dataset = {
        rowCount,
        features: columns.features,
        label: readLabel(columns.label, before),
        start: startsOf(rows, known.startKind),
        startKind: known.startKind,
        ...(known.merged.weighted && { weight: weight! }),
        weightScale: known.weightScale,
        whole: known.isWhole,
        ...(known.folded && { fold: fold! }),
        ...(keyed && { key }),
      }
      for (let from = 0; from < rowCount; from += rowsPerChunk)
        yield sliceDataset(dataset, from, Math.min(rowCount, from + rowsPerChunk))
    }
  } finally {
    await pages.close()
  }
}

/** The chunks of a ledger, in pieces of any length. */
class Pages {
  readonly #chunks: AsyncIterator<LedgerChunk>
  #chunk: LedgerChunk | undefined
  #from = 0

  constructor(chunks: AsyncIterable<LedgerChunk>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  async take(rowCount: number): Promise<{ key: Int32Array; weight: Int32Array; fold: Uint8Array }> {
    const taken = {
      key: new Int32Array(rowCount),
      weight: new Int32Array(rowCount),
      fold: new Uint8Array(rowCount),
    }
    for (let filled = 0; filled < rowCount; ) {
      if (this.#chunk === undefined || this.#from === this.#chunk.key.length) {
        this.#chunk = (await this.#chunks.next()).value as LedgerChunk
        this.#from = 0
      }
      const { fold, key, weight } = this.#chunk
      const to = Math.min(key.length, this.#from + rowCount - filled)
      taken.key.set(key.subarray(this.#from, to), filled)
      if (weight !== undefined) taken.weight.set(weight.subarray(this.#from, to), filled)
      if (fold !== undefined) taken.fold.set(fold.subarray(this.#from, to), filled)
      filled += to - this.#from
      this.#from = to
    }
    return taken
  }

  async close(): Promise<void> {
    await this.#chunks.return?.()
  }
}
