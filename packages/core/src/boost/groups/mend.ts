// Algorithm 1 where it has evidence: the group that is most surely off, of all that two conditions describe, moves as far as its
// labels say; and again, until no group is off beyond what so many groups are by luck.

import { type CancelSignal, throwIfCancelled } from '../../common/cancel.ts'
import { ONE } from '../../common/units.ts'
import type { Engine } from '../../engine/engine.ts'
import { type FindOptions, openFinder, sureGroups } from '../../oracle/groups/find.ts'
import { readGroup } from '../../oracle/groups/levels.ts'
import { fitSteps } from '../../oracle/groups/steps.ts'
import type { Condition, ForestUpdate } from '../../update/update.ts'
import { groupUpdates } from './updates.ts'

export interface MendedGroup {
  readonly path: readonly Condition[]
  /** In order; one, or two where low scores go down or high ones up by a step in probability. */
  readonly updates: readonly ForestUpdate[]
  /** What the search had for it, or, of a group that was named, what its steps have. */
  readonly evidence: number
  /** The log likelihood that the rows gained, in nats, less what its runs of scores gain by luck. */
  readonly gain: number
}

export interface MendOptions extends FindOptions {
  /** How far from 0 and 1 predictions are taken to lie, in units. */
  readonly clip: number
  readonly mostGroups: number
  /** Groups that were mended before. */
  readonly already?: number
  /** Asked after every group; absent: yes, as long as one is surely off. */
  readonly goesOn?: ((mended: readonly MendedGroup[]) => boolean) | undefined
  readonly signal?: CancelSignal | undefined
  readonly onGroup?: ((group: MendedGroup) => void) | undefined
}

/** Moves the engine. */
export async function mendGroups(engine: Engine, options: MendOptions): Promise<MendedGroup[]> {
  const { already = 0, goesOn, mostGroups, onGroup, signal } = options
  const finder = await openFinder(engine, options)
  const mended: MendedGroup[] = []
  for await (const { evidence, path } of sureGroups(finder, () => already + mended.length)) {
    throwIfCancelled(signal, 'the mending of groups')
    const group = await mendGroup(engine, path, options, evidence)
    // Fine levels may say nothing where coarse ones did.
    if (group === undefined) continue
    mended.push(group)
    onGroup?.(group)
    if (mended.length >= mostGroups || goesOn?.(mended) === false) break
  }
  return mended
}

/** A group that was searched for moves less the nearer its evidence is to this: it may be off by luck, and if so all of it. */
const DOUBT = 8

/** Steps for one group, by its own labels; undefined where they have less evidence than `least`. Moves the engine. */
export async function mendGroup(
  engine: Engine,
  path: readonly Condition[],
  { clip, fold }: Pick<MendOptions, 'clip' | 'fold'>,
  evidence?: number,
  least = 0,
): Promise<MendedGroup | undefined> {
  const { cuts, levels } = await readGroup(engine, fold, path, clip)
  if (levels.rows[0] === 0) return undefined
  const fitted = fitSteps(levels)
  if (fitted.evidence < least) return undefined
  const share = evidence === undefined ? 1 : 1 - (DOUBT / evidence) ** 2
  const runs = fitted.runs.map(({ end, first, step }) => ({
    from: first === 0 ? 0 : cuts[first - 1],
    to: end > cuts.length ? ONE : cuts[end - 1],
    step: share * step,
  }))
  const updates = groupUpdates(path, fitted.link, runs, clip)
  if (updates.length === 0) return undefined
  for (const update of updates) await engine.apply(update)
  return { path, updates, evidence: evidence ?? fitted.evidence, gain: fitted.evidence / 2 }
}
