// Which rows belong together, as they come in chunks: exact copies where these are one, whose weight the first of them takes; and
// rows of one id. None of it depends on the order of rows but which of some equal rows is called the first.

import type { Column } from './column.ts'
import type { CopyRule } from './copies.ts'
import { CopyCounter } from './copyCounter.ts'
import { countUnits, type FoldUnits, sumUnits } from './foldUnits.ts'
import type { RoleColumns } from './resolve.ts'
import { hashContent, hashFurther, type RowHashes } from './rowHash.ts'

export interface UnitFacts {
  /** Of every row: copies that are one weigh nothing but for the first. Absent: every row weighs 1. */
  readonly weight: Int32Array | undefined
  /** Rows that weigh something. */
  readonly countedRows: number
  /** For each fold. */
  readonly units: readonly FoldUnits[]
}

export class RowUnits {
  readonly #rule: CopyRule
  readonly #seed: number
  readonly #copies = new FirstRows()
  readonly #ids = new FirstRows()

  constructor(rule: CopyRule, seed: number) {
    this.#rule = rule
    this.#seed = seed
  }

  /** Rows that are copies of an earlier one; where copies are one. */
  get copyCount(): number {
    return this.#copies.laterCount
  }

  /** `hashes`: as a hasher of the same rule gives them. Tells of each row whether it is a copy of an earlier one; undefined where copies are not one. */
  add(
    columns: RoleColumns,
    hashes: RowHashes,
    weight: ArrayLike<number> | undefined,
  ): Uint8Array | undefined {
    const { fold, group, label } = columns
    if (group !== undefined) this.#ids.add(hashContent([group], this.#seed), weight)
    if (this.#rule !== 'one') return undefined
    const further = [label, fold, group].filter((column): column is Column => column !== undefined)
    return this.#copies.add(hashFurther(hashes, further), weight)
  }

  /** `weight` and `fold` of all rows. The weights are changed where they are given. */
  finish(rowCount: number, weight: Int32Array | undefined, fold: Uint8Array | undefined): UnitFacts {
    const merged = this.#copies.addUp(rowCount, weight)
    const rows = sumUnits(rowCount, merged, fold)
    return {
      weight: merged,
      countedRows: countUnits(rows),
      units: this.#unitsOf(rows, rowCount, merged, fold),
    }
  }

  #unitsOf(
    rows: readonly FoldUnits[],
    rowCount: number,
    weight: Int32Array | undefined,
    fold: Uint8Array | undefined,
  ): readonly FoldUnits[] {
    if (this.#ids.laterCount === 0) return rows
    const ids = sumUnits(rowCount, this.#ids.addUp(rowCount, weight?.slice()), fold)
    return ids.map((units, side) => ({ ...units, rows: rows[side].count }))
  }

  close(): void {
    this.#copies.close()
    this.#ids.close()
  }
}

/** Rows by their hash: for each that is like an earlier one, the first of these. Rows of weight 0 are none. */
class FirstRows {
  readonly #known = new CopyCounter()
  readonly #later = new IntList()
  readonly #firsts = new IntList()
  #rowCount = 0

  get laterCount(): number {
    return this.#later.length
  }

  add({ a, b }: RowHashes, weight: ArrayLike<number> | undefined): Uint8Array {
    const isLater = new Uint8Array(a.length)
    this.#known.expect(a.length)
    for (let index = 0; index < a.length; index++) {
      if (weight !== undefined && weight[index] === 0) continue
      const row = this.#rowCount + index
      const first = this.#known.first(a[index], b[index], row)
      if (first === row) continue
      isLater[index] = 1
      this.#later.push(row)
      this.#firsts.push(first)
    }
    this.#rowCount += a.length
    return isLater
  }

  /** First rows take the weight of later ones. What is given is changed; made where it is absent and needed. */
  addUp(rowCount: number, weight: Int32Array | undefined): Int32Array | undefined {
    const [later, firsts] = [this.#later.values(), this.#firsts.values()]
    if (later.length === 0) return weight
    const summed = weight ?? new Int32Array(rowCount).fill(1)
    for (let index = 0; index < later.length; index++) {
      summed[firsts[index]] += summed[later[index]]
      summed[later[index]] = 0
    }
    return summed
  }

  close(): void {
    this.#known.close()
  }
}

/** Whole numbers, appended to. */
class IntList {
  #room = new Int32Array(64)
  length = 0

  push(value: number): void {
    if (this.length === this.#room.length) {
      const larger = new Int32Array(2 * this.length)
      larger.set(this.#room)
      this.#room = larger
    }
    this.#room[this.length++] = value
  }

  values(): Int32Array {
    return this.#room.subarray(0, this.length)
  }
}
