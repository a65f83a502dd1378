// A baseline asked as a question that can go to another thread: groups are made there, and progress comes back as numbers.

import type { AuditorSpace } from '../../classes/compile.ts'
import type { ForestRows } from '../../forest/forestRows.ts'
import type { FeatureSchema } from '../../quantize/schema.ts'
import type { Update } from '../../update/update.ts'
import type { BaselineSettings } from '../baseline.ts'
import { BASELINES, type BaselineName } from '../baselines.ts'
import { baselineGroups } from '../groups/groups.ts'

export interface BaselineQuestion {
  readonly method: BaselineName
  readonly rows: ForestRows
  /** What groups are made of. */
  readonly space: AuditorSpace
  readonly features: readonly FeatureSchema[]
  readonly settings: Omit<BaselineSettings, 'signal' | 'onRound'>
}

/** `rest`: what cannot go to another thread. */
export async function answerBaseline(
  { features, method, rows, settings, space }: BaselineQuestion,
  rest: Pick<BaselineSettings, 'signal' | 'onRound'>,
): Promise<readonly Update[]> {
  const groups = baselineGroups(space, features, rows)
  return await BASELINES[method].run({ ...rows, groups }, { ...settings, ...rest })
}
