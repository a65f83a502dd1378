// Patches of cells as updates. One update holds several patches of one group, one after the other, where it does not matter that
// they come so: where no patch can move a prediction into a level that a later one moves.

import { clipUnits } from '../../common/units.ts'
import { leafCount, type TableUpdate, type Tree } from '../../update/update.ts'
import { type Levels, treeOfLevels } from './levels.ts'

interface Run {
  readonly tree: Tree
  /** From level to move. */
  readonly moves: Map<number, number>
}

export class PatchLog {
  readonly #levels: Levels
  readonly #runs: Run[] = []

  constructor(levels: Levels) {
    this.#levels = levels
  }

  /** The next patch: predictions of this level move by this much, in units, in leaf 0 of the tree. */
  add(tree: Tree, level: number, move: number): void {
    const last = this.#runs.at(-1)
    if (last?.tree === tree && !this.#mayReach(last, level)) last.moves.set(level, move)
    else this.#runs.push({ tree, moves: new Map([[level, move]]) })
  }

  updates(): TableUpdate[] {
    return this.#runs.map(({ moves, tree: group }) => {
      const chosen = [...moves.keys()].sort((a, b) => a - b)
      const tree = treeOfLevels(group, this.#levels, chosen)
      const values = [...chosen.map(level => moves.get(level)!), 0].slice(0, leafCount(tree))
      return { kind: 'table', tree, levels: 1, values }
    })
  }

  /** Was the level patched in this run, or could a patch have moved a prediction there? */
  #mayReach({ moves }: Run, level: number): boolean {
    if (moves.has(level)) return true
    const [first, last] = [this.#levels.first(level), this.#levels.last(level)]
    return [...moves].some(([earlier, move]) => {
      const [low, high] = [this.#levels.first(earlier), this.#levels.last(earlier)]
      return clipUnits(low + move) <= last && clipUnits(high + move) >= first
    })
  }
}
