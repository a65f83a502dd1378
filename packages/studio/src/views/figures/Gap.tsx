// A gap with its interval.

import type { GroupGap } from '@featureboost/core/internal'
import { decimal, range, signed } from '../format.ts'

export const Gap = ({ gap: { gap, high, low } }: { gap: GroupGap }) => (
  <span title={`between ${range(low, high)}`}>
    {signed(gap)}{' '}
    <small>
      ({decimal(low)} to {decimal(high)})
    </small>
  </span>
)
