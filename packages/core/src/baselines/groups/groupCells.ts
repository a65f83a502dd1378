// Weight and residual sum of every cell of a group and a prediction level, kept true while predictions move: a moved row
// changes the cells of its own groups, and no other row is looked at again.

import type { BaselineGroup, BaselineRows } from '../baseline.ts'
import { everyoneAnd, type Memberships, membershipsOf } from '../rows/memberships.ts'
import type { Levels } from './levels.ts'

export class GroupCells {
  readonly levels: Levels
  /** Everyone comes first. */
  readonly groups: readonly BaselineGroup[]
  /** Current predictions, in units. */
  readonly prediction: Int32Array
  /** Total weight at [group * levels.count + level]. */
  readonly weights: Float64Array
  /** Sum of weight * (label - prediction), in the same place. */
  readonly residuals: Float64Array
  readonly #label: Int32Array
  readonly #weight: Int32Array | undefined
  readonly #level: Uint16Array
  readonly #memberships: Memberships

  constructor(rows: BaselineRows, levels: Levels) {
    this.levels = levels
    this.groups = everyoneAnd(rows)
    this.prediction = Int32Array.from(rows.start)
    this.weights = new Float64Array(this.groups.length * levels.count)
    this.residuals = new Float64Array(this.groups.length * levels.count)
    this.#label = rows.label
    this.#weight = rows.weight
    this.#level = Uint16Array.from(rows.start, units => levels.of(units))
    this.#memberships = membershipsOf(this.groups, rows.rowCount)
    for (let row = 0; row < rows.rowCount; row++) this.#count(row, 1)
  }

  /** The total weight of a group. */
  groupWeight(group: number): number {
    const { count } = this.levels
    return this.weights.subarray(group * count, (group + 1) * count).reduce((sum, weight) => sum + weight, 0)
  }

  /** Moves every row of a cell. */
  moveCell(group: number, level: number, next: (prediction: number) => number): void {
    for (const row of this.#memberships.rowsOf[group]) {
      if (this.#level[row] !== level) continue
      this.#count(row, -1)
      this.prediction[row] = next(this.prediction[row])
      this.#level[row] = this.levels.of(this.prediction[row])
      this.#count(row, 1)
    }
  }

  #count(row: number, sign: 1 | -1): void {
    const { groupsOf, offsets } = this.#memberships
    const weight = sign * (this.#weight === undefined ? 1 : this.#weight[row])
    const residual = weight * (this.#label[row] - this.prediction[row])
    const level = this.#level[row]
    for (let index = offsets[row]; index < offsets[row + 1]; index++) {
      const cell = groupsOf[index] * this.levels.count + level
      this.weights[cell] += weight
      this.residuals[cell] += residual
    }
  }
}
