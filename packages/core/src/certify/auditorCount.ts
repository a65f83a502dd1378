// How many auditors a class has, by logarithms.

import type { CompiledClass } from '../classes/compile.ts'
import { declaredSplitCount } from '../classes/splits.ts'
import { leafCount } from '../update/update.ts'
import { logTrees } from './heldOut.ts'

interface AuditorCount {
  /** ln of the number of partitions. */
  readonly logPartitions: number
  /** ln R: the same with a sign for every leaf, where leaves have values of their own. */
  readonly logAuditors: number
  /** Of the largest partition. */
  readonly leaves: number
}

/** Undefined for linear auditors, which no finite count covers. */
export function countAuditors({ encoding, space }: CompiledClass): AuditorCount | undefined {
  switch (space.kind) {
    case 'trees': {
      const splits = space.features.reduce(
        (sum, feature) => sum + declaredSplitCount(encoding.features[feature]),
        0,
      )
      return countSigned(logTrees(splits, space.depth), 2 ** space.depth)
    }
    case 'partitions': {
      const leaves = Math.max(...space.partitions.map(partition => leafCount(partition.tree)))
      const logPartitions = Math.log(space.partitions.length)
      // A group is one function; on other partitions any function that is constant on the leaves counts.
      if (space.partitions.every(partition => partition.indicator))
        return { logPartitions, logAuditors: logPartitions, leaves }
      return countSigned(logPartitions, leaves)
    }
    case 'signals': {
      const logPartitions = Math.log(space.signals.length)
      return space.span ? undefined : { logPartitions, logAuditors: logPartitions, leaves: 1 }
    }
  }
}

const countSigned = (logPartitions: number, leaves: number): AuditorCount => ({
  logPartitions,
  logAuditors: logPartitions + leaves * Math.LN2,
  leaves,
})
