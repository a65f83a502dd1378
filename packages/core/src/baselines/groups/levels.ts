// Prediction levels as the methods cut them, and updates that say so: trees that hold for some levels of a group, curves that are
// flat on levels.

import { levelOf, ONE, toUnits } from '../../common/units.ts'
import type { CurveUpdate, Tree } from '../../update/update.ts'
import { graft } from './groups.ts'

export class Levels {
  readonly count: number
  /** The least prediction of each level, in units, and at the end one more than there can be. */
  readonly #starts: readonly number[]

  /** Levels of one width: [0, 1/count), ... or, closed above, [0, 1/count], (1/count, 2/count], ... */
  constructor(count: number, closed: 'below' | 'above') {
    this.count = count
    const startOf = (level: number) =>
      closed === 'below' ? Math.ceil((level * ONE) / count) : toUnits(level / count) + 1
    this.#starts = [0, ...Array.from({ length: count - 1 }, (_, index) => startOf(index + 1)), ONE + 1]
  }

  of(units: number): number {
    // Where levels are closed is a matter of one unit.
    const level = levelOf(units, this.count)
    return units < this.#starts[level] ? level - 1 : level
  }

  first(level: number): number {
    return this.#starts[level]
  }

  last(level: number): number {
    return this.#starts[level + 1] - 1
  }
}

/**
 * A group's tree with a leaf for each of the chosen levels, in their order; everyone else, in the group or outside, shares the
 * leaf after these.
 */
export function treeOfLevels(group: Tree, levels: Levels, chosen: readonly number[]): Tree {
  const rest = chosen.length
  const leafOf = (level: number) => (chosen.includes(level) ? chosen.indexOf(level) : rest)
  const pieces: Piece[] = []
  for (let level = 0; level < levels.count; level++) {
    if (leafOf(level) !== pieces.at(-1)?.leaf) pieces.push({ from: levels.first(level), leaf: leafOf(level) })
  }
  return graft(group, treeOfPieces(pieces), { leaf: rest })
}

interface Piece {
  readonly from: number
  readonly leaf: number
}

function treeOfPieces(pieces: readonly Piece[]): Tree {
  if (pieces.length === 1) return { leaf: pieces[0].leaf }
  const middle = pieces.length >> 1
  return {
    split: { kind: 'below', units: pieces[middle].from },
    yes: treeOfPieces(pieces.slice(0, middle)),
    no: treeOfPieces(pieces.slice(middle)),
  }
}

/** Every prediction of a level lands on its value; levels without one stay as they are. */
export function curveOfLevels(levels: Levels, values: readonly (number | undefined)[]): CurveUpdate {
  const ends = values.flatMap((value, level) =>
    [levels.first(level), levels.last(level)].map(units => [units, value ?? units] as const),
  )
  return { kind: 'curve', from: ends.map(([units]) => units), to: ends.map(([, value]) => value) }
}
