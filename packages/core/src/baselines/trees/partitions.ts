// Partitions of the rows that auditors of a baseline are constant on: a group and its outside, or the leaves of a small tree; and
// how wrong predictions are for the worst function with values from -1 to 1 that is constant on them.

import type { Tree } from '../../update/update.ts'
import type { BaselineRows } from '../baseline.ts'
import { rowsWhere } from '../rows/memberships.ts'
import { type LeafSums, sumTargets, type TargetGrower, targetGrower } from './targetTree.ts'

export interface Partition {
  readonly tree: Tree
  /** Sums of a target in every leaf. */
  readonly leaves: readonly LeafSums[]
}

export class Partitions {
  /** Of all rows. */
  readonly weight: number
  readonly #rows: BaselineRows
  readonly #everyRow: Int32Array
  readonly #members: readonly Int32Array[]
  readonly #grow: TargetGrower

  constructor(rows: BaselineRows) {
    this.#rows = rows
    this.#everyRow = rowsWhere(rows.rowCount, () => true)
    this.weight = sumTargets(rows, this.#everyRow, rows.label).count
    this.#grow = targetGrower(rows, 'absolute')
    this.#members = rows.groups.map(({ member }) => rowsWhere(rows.rowCount, row => member[row] === 1))
  }

  /** The one with the largest error: a tree, grown for this, or a group. The tree is at least as bad as any single split. */
  worst(targets: Int32Array): Partition {
    const everyone = sumTargets(this.#rows, this.#everyRow, targets)
    const grown = this.#grow(this.#everyRow, targets)
    const groups = this.#members.map((members, group): Partition => {
      const inside = sumTargets(this.#rows, members, targets)
      const outside = { count: everyone.count - inside.count, sum: everyone.sum - inside.sum }
      return { tree: this.#rows.groups[group].tree, leaves: [inside, outside] }
    })
    return groups.reduce(worseOf, grown)
  }
}

/** Of equal ones the first. */
export const worseOf = (one: Partition, other: Partition): Partition =>
  errorOf(other) > errorOf(one) ? other : one

/** The largest correlation of the target with a function of the leaves within -1 and 1, in sum. */
export const errorOf = ({ leaves }: Pick<Partition, 'leaves'>): number =>
  leaves.reduce((total, { sum }) => total + Math.abs(sum), 0)
