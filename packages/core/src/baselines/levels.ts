// Prediction levels as updates say them: where a level begins, trees that hold for one level, curves that are flat on levels.

import { ONE } from '../common/units.ts'
import type { CurveUpdate, Tree } from '../engine/update.ts'

/** The least prediction of a level, in units; for `levels` itself, one more than the last one holds. */
export const levelStart = (level: number, levels: number): number =>
  level >= levels ? ONE + 1 : Math.ceil((level * ONE) / levels)

/** The tree inside one level; outside it everyone is in the leaf `outside`. */
export function treeInLevel(tree: Tree, level: number, levels: number, outside: number): Tree {
  const rest: Tree = { leaf: outside }
  const from = levelStart(level, levels)
  const above: Tree = from > 0 ? { split: { kind: 'below', units: from }, yes: rest, no: tree } : tree
  const to = levelStart(level + 1, levels)
  return to <= ONE ? { split: { kind: 'below', units: to }, yes: above, no: rest } : above
}

/** Every prediction of a level lands on its value; levels without one stay as they are. */
export function levelCurve(values: readonly (number | undefined)[]): CurveUpdate {
  const [from, to]: number[][] = [[], []]
  const place = (units: number, value: number | undefined) => {
    // A level of one unit has one place.
    if (from[from.length - 1] === units) return
    from.push(units)
    to.push(value ?? units)
  }
  values.forEach((value, level) => {
    place(levelStart(level, values.length), value)
    place(levelStart(level + 1, values.length) - 1, value)
  })
  return { kind: 'curve', from, to }
}
