// From the steps of a group to updates of a model.

import { groupTree } from '../../classes/groups.ts'
import { lnOf } from '../../common/logistic.ts'
import { ONE } from '../../common/units.ts'
import { LEFT, type Link } from '../../oracle/groups/steps.ts'
import type { Condition, ForestUpdate } from '../../update/update.ts'

/** Scores from (included) up to (excluded, but for ONE), in units, that take one step: on the logit scale, or in probability. */
interface ScoreRun {
  readonly from: number
  readonly to: number
  readonly step: number
}

/** `runs` follow one another from 0 to ONE. */
export function groupUpdates(
  path: readonly Condition[],
  link: Link,
  runs: readonly ScoreRun[],
  clip: number,
): ForestUpdate[] {
  if (link === 'logit') return withoutStill([updateOf(path, runs, clip)])
  const parted = runs.flatMap(guardEnds)
  const guarded = parted.map(({ isGuarded, ...run }) => ({ ...run, step: isGuarded ? run.step : 0 }))
  const plain = parted.map(({ isGuarded, ...run }) => ({ ...run, step: isGuarded ? 0 : run.step }))
  // Guarded scores first: they stay where they are guarded, and the others do not come there before they have moved.
  return withoutStill([updateOf(path, guarded, clip), { ...updateOf(path, plain, clip), link: 'identity' }])
}

interface GuardedRun extends ScoreRun {
  readonly isGuarded: boolean
}

/** A step in probability that would leave too little of the way to 0 or 1 becomes one on the logit scale, for those scores. */
function guardEnds({ from, step, to }: ScoreRun): GuardedRun[] {
  const reach = Math.round((ONE * Math.abs(step)) / (1 - LEFT))
  const bound = Math.max(from, Math.min(to, step < 0 ? reach : ONE - reach))
  const guard = step < 0 ? lnOf(LEFT) : -lnOf(LEFT)
  const [low, high] = [
    { from, to: bound, isGuarded: step < 0 },
    { from: bound, to, isGuarded: step > 0 },
  ]
  return [low, high]
    .filter(run => run.from < run.to)
    .map(run => ({ ...run, step: run.isGuarded ? guard : step }))
}

/** One tree: runs with the same step, in units, are one. */
function updateOf(path: readonly Condition[], runs: readonly ScoreRun[], clip: number): ForestUpdate {
  const inUnits = runs.map(({ from, step }) => ({ from, step: Math.round(step * ONE) + 0 }))
  const kept = inUnits.filter(({ step }, index) => index === 0 || step !== inUnits[index - 1].step)
  const tree = groupTree(
    path,
    kept.slice(1).map(({ from }) => from),
  )
  const steps = kept.map(({ step }) => step)
  return { kind: 'forest', clip, trees: [{ tree, steps: path.length === 0 ? steps : [...steps, 0] }] }
}

const withoutStill = (updates: readonly ForestUpdate[]): ForestUpdate[] =>
  updates.filter(({ trees: [{ steps }] }) => steps.some(step => step !== 0))
