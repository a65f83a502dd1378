// The oracle that minds noise: of all groups of two conditions the one that is most surely off, moved as far as its labels say, in
// as many runs of levels as they tell apart; nothing where no group is surely off. What it proposes gains on new rows; it need
// not gain most on these. Certificates never ask it.

import { groupTree } from '../../classes/groups.ts'
import { ONE } from '../../common/units.ts'
import { ROOT, type TableUpdate } from '../../update/update.ts'
import { tableUpdate } from '../finite.ts'
import { gainOf, type Oracle, type Proposal } from '../oracle.ts'
import { type FindOptions, openFinder, sureGroups } from './find.ts'
import { readGroup } from './levels.ts'
import { fitSteps, type GroupSteps, landing } from './steps.ts'

/** `levels`: prediction levels K of the tables it proposes. */
export function sureOracle(options: Omit<FindOptions, 'fold'> & { readonly levels: number }): Oracle {
  const { levels } = options
  return {
    kind: 'exhaustive',
    async propose(engine, fold) {
      const finder = await openFinder(engine, { ...options, fold })
      // Held-out rows have the last word here, so evidence may be as if a group had been mended before.
      const { value: found } = await sureGroups(finder, () => 1).next()
      if (found === undefined) return NOTHING
      const { cuts, levels: own } = await readGroup(engine, fold, found.path, 1)
      const moves = tableOf(fitSteps(own), cuts, levels)
      const tree = groupTree(found.path)
      const [{ counts, residuals }] = await engine.levelSums({ fold, levels, trees: [tree] })
      const values = new Float64Array(counts.length)
      values.set(moves)
      const importance = values.map((value, cell) => value * (2 * residuals[cell] - counts[cell] * value))
      const drop = importance.reduce((sum, part) => sum + part, 0)
      const weight = counts.reduce((sum, count) => sum + count, 0)
      const update = tableUpdate(tree, levels, { values, importance, drop })
      return { update, gain: gainOf(drop, weight), importance } satisfies Proposal
    },
  }
}

const STILL: TableUpdate = { kind: 'table', tree: ROOT, levels: 1, values: [0] }
const NOTHING: Proposal = { update: STILL, gain: 0, importance: new Float64Array(1) }

/** The move of each level of equal width, in units: what its middle score would move by, and never more than its lowest allows. */
function tableOf({ link, runs }: GroupSteps, cuts: readonly number[], levels: number): Float64Array {
  const bounds = runs.map(({ end }) => (end > cuts.length ? ONE : cuts[end - 1]))
  return Float64Array.from({ length: levels }, (_, level) => {
    const middle = (level + 0.5) / levels
    const run = runs[bounds.findIndex(bound => middle * ONE < bound)]
    const move = landing(link, middle, run.step) - middle
    const nearest = move < 0 ? level / levels : 1 - (level + 1) / levels
    return ONE * Math.sign(move) * Math.min(Math.abs(move), nearest)
  })
}
