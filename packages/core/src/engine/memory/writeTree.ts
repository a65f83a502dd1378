// A flat tree in memory, as the kernels walk it.

import { type KernelMemory, NODE_BYTES } from '../../kernels/kernels.ts'
import type { Scratch } from '../../kernels/scratch.ts'
import type { FlatTree } from '../../update/walk.ts'

/** Says where it stands; `columns` are the addresses of the features, relative to their segment. */
export function writeTree(
  memory: KernelMemory,
  scratch: Scratch,
  flat: FlatTree,
  columns: readonly number[],
): number {
  const at = scratch.take(8 + NODE_BYTES * flat.feature.length)
  const [bytes, ints] = [new Uint8Array(memory.buffer), new Int32Array(memory.buffer)]
  ints[at >>> 2] = flat.root
  flat.feature.forEach((feature, node) => {
    const entry = at + 8 + node * NODE_BYTES
    const column = feature < 0 ? 0 : columns[feature]
    ints.set([column, flat.below[node], flat.no[node], flat.yes[node]], entry >>> 2)
    bytes.set(flat.takesYes.subarray(256 * node, 256 * node + 256), entry + 16)
  })
  return at
}
