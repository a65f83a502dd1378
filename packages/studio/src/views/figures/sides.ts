// The scores that are there: before, and with a correction after.

import type { Evidence } from '@featureboost/core'
import type { ScoreEvidence } from '@featureboost/core/internal'
import type { Side } from '../chart/marks.tsx'

export interface SidedScore {
  readonly side: Side
  readonly score: ScoreEvidence
}

export const scoresOf = ({ after, before }: Evidence): readonly SidedScore[] => [
  { side: 'before', score: before },
  ...(after === undefined ? [] : [{ side: 'after', score: after } as const]),
]
