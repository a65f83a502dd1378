// A source of chunks, read twice: the survey goes through all rows once and keeps what no single chunk can tell (the
// split, the scale of weights, the base rate, a sample for the cuts); the second reading yields the rows.

import { toUnits } from '../common/units.ts'
import { checkFolds, emptyTally, tallyFolds } from './fold.ts'
import { observationWeight } from './observations.ts'
import { PresenceTally } from './presence.ts'
import { checkLabel, checkPrediction, constantLabel, readLabel, unitsOf } from './probabilities.ts'
import { type FirstReading, type RowsAgain, readAgain, startsOf } from './readAgain.ts'
import { ReadingPrint } from './readingPrint.ts'
import { type RoleColumns, type Roles, resolveRoles } from './resolve.ts'
import { learnableRows, type RoleRows, sampledColumns, sliceDataset } from './roleRows.ts'
import {
  baseRate,
  checkRowCount,
  checkRowLimit,
  checkSplit,
  type Dataset,
  foldHint,
  foldOf,
  type Holdout,
  type StartKind,
} from './roles.ts'
import { RowBits } from './rowBits.ts'
import { RowHasher, type RowHashes } from './rowHash.ts'
import { RowSample } from './rowSample.ts'
import { RowUnits, type UnitFacts } from './rowUnits.ts'
import { ChunkGuard, type TableSource } from './source.ts'
import { keysOf } from './split.ts'
import type { Table } from './table.ts'
import { areWhole, chooseScale, givenWeights, scaleWeights } from './weights.ts'

export async function surveySource(
  source: TableSource,
  roles: Roles,
  holdout: Holdout | undefined,
  sampleRows: number,
  keyed: boolean,
): Promise<RoleRows> {
  checkSplit(roles, holdout)
  const survey = new Survey(roles, holdout, sampleRows)
  const { learnable, ...facts } = await readFirst(source, survey)
  return {
    rowCount: facts.rowCount,
    countedRows: facts.countedRows,
    copyCount: facts.copyCount,
    units: facts.units,
    startKind: facts.startKind,
    weight: facts.weight,
    weighted: facts.weight !== undefined,
    weightScale: facts.weightScale,
    ...(facts.observationWeight !== undefined && { observationWeight: facts.observationWeight }),
    folded: facts.fold !== undefined,
    keyed,
    learnable,
    chunks: rowsPerChunk => chunksOf(source, roles, holdout, facts, rowsPerChunk, keyed),
  }
}

async function readFirst(source: TableSource, survey: Survey) {
  try {
    for await (const chunk of source.chunks()) survey.add(chunk)
    return survey.finish()
  } finally {
    survey.close()
  }
}

/** What the survey found, as far as the second reading needs it. */
interface Facts extends FirstReading, UnitFacts {
  readonly copyCount: number
  readonly startKind: StartKind
  readonly weightScale: number
  readonly whole: boolean
  readonly fold: RowBits | undefined
}

class Survey {
  readonly #roles: Roles
  readonly #holdout: Holdout | undefined
  readonly #guard = new ChunkGuard()
  readonly #hasher: RowHasher
  readonly #units: RowUnits
  readonly #sample: RowSample | undefined
  readonly #tally = emptyTally()
  readonly #fold = new RowBits()
  readonly #print = new ReadingPrint()
  #presence: PresenceTally | undefined
  #columns: RoleColumns | undefined
  #firstLabel: number | undefined
  #labelsDiffer = false
  /** Kept only where they are needed at the end: labels for the base rate, weights for their scale. */
  readonly #labels: Int32Array[] = []
  readonly #weights: Float64Array[] = []

  constructor(roles: Roles, holdout: Holdout | undefined, sampleRows: number) {
    this.#roles = roles
    this.#holdout = holdout
    this.#hasher = new RowHasher(holdout?.seed ?? 0, roles.copies)
    this.#units = new RowUnits(roles.copies ?? 'one', holdout?.seed ?? 0)
    this.#sample = sampleRows === 0 ? undefined : new RowSample(sampleRows)
  }

  add(given: Table): void {
    const before = this.#guard.rowCount
    const chunk = this.#guard.admit(given)
    checkRowLimit(this.#guard.rowCount)
    const columns = resolveRoles(chunk, this.#roles, this.#holdout?.groupBy)
    this.#columns ??= columns
    if (chunk.rowCount === 0) return
    this.#readLabels(columns, before)
    if (columns.prediction !== undefined) checkPrediction(columns.prediction, before)
    const weight = columns.weight === undefined ? undefined : givenWeights(columns.weight, before)
    if (weight !== undefined) this.#weights.push(weight.slice())
    this.#print.add(columns)
    const hashes = this.#hasher.hash(columns)
    const fold = this.#readFolds(columns, () => hashes, weight, before)
    const isCopy = this.#units.add(columns, hashes, weight)
    if (this.#sample === undefined) return
    const use = (row: number) =>
      (fold === undefined || fold[row] === 0) &&
      (weight === undefined || weight[row] > 0) &&
      isCopy?.[row] !== 1
    this.#presence ??= new PresenceTally(columns.features.length)
    this.#presence.add(columns.features, use)
    this.#sample.add(sampledColumns(columns), hashes.b, use)
  }

  #readLabels({ label, prediction }: RoleColumns, before: number): void {
    const numbers = checkLabel(label, before)
    this.#firstLabel ??= toUnits(numbers.values[0])
    for (let row = 0; row < numbers.values.length && !this.#labelsDiffer; row++) {
      this.#labelsDiffer = toUnits(numbers.values[row]) !== this.#firstLabel
    }
    if (prediction === undefined) this.#labels.push(unitsOf(numbers))
  }

  #readFolds(
    columns: RoleColumns,
    hashes: () => RowHashes,
    weight: Float64Array | undefined,
    before: number,
  ): Uint8Array | undefined {
    const fold = foldOf(columns, this.#holdout, hashes, before)
    if (fold === undefined) return undefined
    tallyFolds(this.#tally, fold, weight)
    this.#fold.push(fold)
    return fold
  }

  close(): void {
    this.#hasher.close()
    this.#units.close()
  }

  finish(): Facts & Pick<RoleRows, 'learnable' | 'observationWeight'> {
    const { rowCount } = this.#guard
    checkRowCount(rowCount)
    const columns = this.#columns!
    if (!this.#labelsDiffer) throw constantLabel(columns.label.name)
    const given = columns.weight === undefined ? undefined : join(this.#weights, rowCount)
    const scale = given === undefined ? undefined : chooseScale(columns.weight!.name, given)
    const scaled = given === undefined || scale === undefined ? undefined : scaleWeights(given, scale)
    const heldOut = this.#tally.rows[1] > 0 || columns.fold === undefined
    const fold = this.#fold.length > 0 && heldOut ? this.#fold : undefined
    if (fold !== undefined) checkFolds(this.#tally, foldHint(columns, this.#holdout, this.#roles.copies))
    const units = this.#units.finish(rowCount, scaled, fold?.slice(0, rowCount))
    const whole = given === undefined || scale === undefined || areWhole(given)
    const learnable = this.#learnable(columns, units.weight)
    const startKind = this.#start(columns, units.weight, fold)
    const keys = (this.#roles.copies ?? 'one') === 'one' && whole ? this.#sample?.keys() : undefined
    return {
      ...units,
      ...(keys !== undefined && { observationWeight: observationWeight(learnable, keys, startKind) }),
      copyCount: this.#units.copyCount + this.#hasher.copyCount,
      weightScale: scale ?? 1,
      ...{ rowCount, startKind, whole, fold, learnable, print: this.#print },
    }
  }

  #start({ prediction }: RoleColumns, weight: Int32Array | undefined, fold: RowBits | undefined): StartKind {
    if (prediction !== undefined) return { kind: 'column', column: prediction.name }
    const labels = new Int32Array(this.#guard.rowCount)
    let offset = 0
    for (const part of this.#labels) {
      labels.set(part, offset)
      offset += part.length
    }
    return { kind: 'constant', units: baseRate(labels, weight, row => fold?.at(row) !== 1) }
  }

  #learnable(columns: RoleColumns, weight: Int32Array | undefined): RoleRows['learnable'] {
    if (this.#sample === undefined) return { features: [] }
    const kept = this.#sample.finish(name => this.#guard.kindOf(name))
    return learnableRows(kept, this.#sample.rows(), columns, weight, this.#presence!.finish())
  }
}

function join(parts: readonly Float64Array[], length: number): Float64Array {
  const joined = new Float64Array(length)
  let offset = 0
  for (const part of parts) {
    joined.set(part, offset)
    offset += part.length
  }
  return joined
}

async function* chunksOf(
  source: TableSource,
  roles: Roles,
  holdout: Holdout | undefined,
  facts: Facts,
  rowsPerChunk: number,
  keyed: boolean,
): AsyncGenerator<Dataset> {
  const hasher = new RowHasher(holdout?.seed ?? 0, roles.copies)
  for await (const rows of readAgain(source, roles, holdout, facts)) {
    const { columns, rowCount } = rows
    const hashes = () => hasher.hash(columns)
    const key = keyed && { key: keysOf(columns.group, holdout, hashes) }
    const dataset = { ...datasetOf(rows, facts), ...key }
    for (let from = 0; from < rowCount; from += rowsPerChunk) {
      yield sliceDataset(dataset, from, Math.min(rowCount, from + rowsPerChunk))
    }
  }
}

function datasetOf(rows: RowsAgain, { fold, startKind, weight, weightScale, whole }: Facts): Dataset {
  const { before, columns, rowCount } = rows
  const to = before + rowCount
  return {
    rowCount,
    features: columns.features,
    label: readLabel(columns.label, before),
    start: startsOf(rows, startKind),
    startKind,
    ...(weight !== undefined && { weight: weight.subarray(before, to) }),
    weightScale,
    whole,
    ...(fold !== undefined && { fold: fold.slice(before, to) }),
  }
}
