// A flat tree in memory, as the kernels walk it.

import type { FlatTree } from '../walk.ts'
import { type KernelMemory, NODE_BYTES } from './kernels.ts'
import type { Room } from './room.ts'

/** Says where it stands; `columns` are the addresses of the features, relative to their segment. */
export function writeTree(
  memory: KernelMemory,
  room: Room,
  flat: FlatTree,
  columns: readonly number[],
): number {
  const at = room.take(8 + NODE_BYTES * flat.feature.length)
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
