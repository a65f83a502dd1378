// A gap with its interval.

import type { GroupGap } from '@featureboost/core/internal'
import { range, signed } from '../format.ts'

export const Gap = ({ gap: { gap, high, low } }: { gap: GroupGap }) => (
  <span title={`between ${range(low, high)}`}>
    {signed(gap)} <small>({range(low, high)})</small>
  </span>
)
