// Decision trees.

import type { TreeAuditors } from '../auditors.ts'
import { type AuditorKind, checkColumns, featureIndexes, PLAIN } from './kind.ts'

export const treeKind: AuditorKind<TreeAuditors> = {
  ...PLAIN,
  check({ columns, depth }, refuse) {
    if (![1, 2, 3, 4].includes(depth)) refuse(`trees of depth ${depth}.`, 'a depth of 1, 2, 3 or 4')
    if (columns?.length === 0) refuse('trees without columns.', 'at least one column')
    checkColumns(columns, refuse)
  },
  valueBins: ({ depth }) => 2 ** depth,
  space: ({ columns, depth }, _factors, { features }) => ({
    kind: 'trees',
    depth,
    features: featureIndexes(columns, features),
  }),
}
