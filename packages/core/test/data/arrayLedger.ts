// A ledger in plain arrays, each answer by its definition: what a ledger in a database is held against.

import { MAX_TOTAL_WEIGHT } from '../../src/common/units.ts'
import { type FoldUnits, sumUnits } from '../../src/data/foldUnits.ts'
import type {
  LedgerChunk,
  LedgerFacts,
  LedgerRows,
  LedgerSample,
  RowLedger,
  WeightFacts,
} from '../../src/data/ledger.ts'
import type { RowHashes } from '../../src/data/rowHash.ts'

interface Entry {
  readonly key: number
  readonly copy: string | undefined
  readonly id: string | undefined
  readonly idKey: number
  readonly given: number | undefined
  readonly fold: number
  readonly label: number
  weight: number
}

export class ArrayLedger implements RowLedger {
  readonly #rows: Entry[] = []
  #isWeighted = false
  #isFolded = false

  async add({ copy, fold, id, key, label, rowCount, weight }: LedgerRows): Promise<void> {
    const name = (hashes: RowHashes | undefined, row: number) => hashes && `${hashes.a[row]},${hashes.b[row]}`
    for (let row = 0; row < rowCount; row++)
      this.#rows.push({
        key: key[row],
        copy: name(copy, row),
        id: name(id, row),
        idKey: id?.b[row] ?? 0,
        given: weight?.[row],
        fold: fold?.[row] ?? 0,
        label: label?.[row] ?? 0,
        weight: 1,
      })
  }

  async weights(): Promise<WeightFacts> {
    const given = this.#given()
    const total = given.reduce((sum, each) => sum + each, 0)
    return {
      areZero: given.every(each => each === 0),
      areOne: given.every(each => each === 1),
      areWhole: given.every(Number.isInteger) && total <= MAX_TOTAL_WEIGHT,
      largest: Math.max(...given),
    }
  }

  async scaled(scale: number): Promise<{ largest: number; total: number }> {
    const scaled = this.#given().map(each => scaledWeight(each, scale))
    return { largest: Math.max(...scaled), total: scaled.reduce((sum, each) => sum + each, 0) }
  }

  async folds(): Promise<{ rows: [number, number]; weighing: [number, number] }> {
    const count = (side: number, of: readonly Entry[]) => of.filter(({ fold }) => fold === side).length
    const weighing = this.#weighing()
    return {
      rows: [count(0, this.#rows), count(1, this.#rows)],
      weighing: [count(0, weighing), count(1, weighing)],
    }
  }

  async merge(scale: number | undefined, folded: boolean): Promise<LedgerFacts> {
    this.#isFolded = folded
    if (scale !== undefined) for (const row of this.#rows) row.weight = scaledWeight(row.given!, scale)
    // Who weighs nothing before copies are joined is no part of an id.
    const weighing = this.#weighing()
    const kinds = weighing.some(({ copy }) => copy !== undefined)
      ? groupBy(weighing, ({ copy }) => copy!)
      : []
    let copyCount = 0
    for (const [first, ...later] of kinds) {
      copyCount += later.length
      first.weight = sum([first, ...later])
      for (const row of later) row.weight = 0
    }
    this.#isWeighted = scale !== undefined || copyCount > 0
    const rows = this.#unitsOf(this.#rows.map(({ fold, weight }) => ({ fold, weight })))
    return {
      copyCount,
      countedRows: rows.reduce((total, { count }) => total + count, 0),
      units: this.#idUnits(rows, weighing),
      weighted: this.#isWeighted,
    }
  }

  async labelSum(): Promise<{ sum: number; total: number }> {
    const fitting = this.#fitting()
    return {
      sum: fitting.reduce((total, { label, weight }) => total + weight * label, 0),
      total: sum(fitting),
    }
  }

  async sample(most: number): Promise<LedgerSample> {
    const used = new Set(this.#fitting())
    let limit = 2 ** 32
    const isChosen = (row: Entry) => used.has(row) && row.key >>> 0 < limit
    while (this.#rows.filter(isChosen).length > most) limit /= 2
    const rows = Int32Array.from(this.#rows.flatMap((row, number) => (isChosen(row) ? [number] : [])))
    return {
      rows,
      keys: rows.map(number => this.#rows[number].key),
      ...(this.#isWeighted && { weight: rows.map(number => this.#rows[number].weight) }),
    }
  }

  /** Of another length than is asked for, as those of a database may be. */
  async *chunks(rowsPerChunk: number): AsyncGenerator<LedgerChunk> {
    const length = rowsPerChunk + 3
    for (let from = 0; from < this.#rows.length; from += length) {
      const rows = this.#rows.slice(from, from + length)
      yield {
        key: Int32Array.from(rows, ({ id, idKey, key }) => (id === undefined ? key : idKey)),
        ...(this.#isWeighted && { weight: Int32Array.from(rows, ({ weight }) => weight) }),
        ...(this.#isFolded && { fold: Uint8Array.from(rows, ({ fold }) => fold) }),
      }
    }
  }
  #idUnits(rows: readonly FoldUnits[], weighing: readonly Entry[]): readonly FoldUnits[] {
    if (weighing[0].id === undefined) return rows
    const ids = groupBy(weighing, ({ id }) => id!)
    if (ids.length === weighing.length) return rows
    const units = this.#unitsOf(ids.map(members => ({ fold: members[0].fold, weight: sum(members) })))
    return units.map((unit, side) => ({ ...unit, rows: rows[side].count }))
  }

  #unitsOf(units: readonly { readonly fold: number; readonly weight: number }[]): FoldUnits[] {
    const fold = this.#isFolded ? Uint8Array.from(units, each => each.fold) : undefined
    return sumUnits(
      units.length,
      Int32Array.from(units, ({ weight }) => weight),
      fold,
    )
  }

  #given(): number[] {
    return this.#rows.map(({ given }) => given!)
  }

  #weighing(): Entry[] {
    return this.#rows.filter(({ given }) => given !== 0)
  }

  #fitting(): Entry[] {
    return this.#rows.filter(({ fold, weight }) => !(this.#isFolded && fold === 1) && weight > 0)
  }
}

const sum = (rows: readonly Entry[]): number => rows.reduce((total, { weight }) => total + weight, 0)

const scaledWeight = (given: number, scale: number): number =>
  given === 0 ? 0 : Math.max(1, Math.round(given * scale))

/** Each group in the order of its rows, groups in that of their first. */
function groupBy(rows: readonly Entry[], nameOf: (row: Entry) => string): Entry[][] {
  const groups = new Map<string, Entry[]>()
  for (const row of rows) {
    const name = nameOf(row)
    groups.set(name, [...(groups.get(name) ?? []), row])
  }
  return [...groups.values()]
}
