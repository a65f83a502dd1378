// The twin: every kernel again, in plain TypeScript on the same memory. It says what the kernels mean, and stands in
// for them where WebAssembly is missing. Its answers are the same to the bit.

import { clipUnits, levelAmong, levelOf, ONE } from '../common/units.ts'
import { forestTwin } from './forest/twin.ts'
import { FEATURE_BYTES, type KernelMemory, type Kernels, NODE_BYTES, PAIR_BYTES } from './kernels.ts'
import { pairTwin } from './pairs/twin.ts'
import { signedTreeTwin } from './signedTree.ts'

/** Views of the memory as it is now; a grown memory has another buffer. */
class Views {
  readonly bytes: Uint8Array
  readonly ints: Int32Array
  readonly doubles: Float64Array
  readonly longs: BigInt64Array

  constructor(buffer: ArrayBuffer) {
    this.bytes = new Uint8Array(buffer)
    this.ints = new Int32Array(buffer)
    this.doubles = new Float64Array(buffer)
    this.longs = new BigInt64Array(buffer)
  }
}

export function twinKernels(memory: KernelMemory): Kernels {
  let views = new Views(memory.buffer)
  const fresh = () => {
    if (views.bytes.buffer !== memory.buffer) views = new Views(memory.buffer)
    return views
  }
  return {
    kind: 'twin',
    ...forestTwin(() => memory.buffer),
    ...pairTwin(() => memory.buffer),
    ...signedTreeTwin(() => memory.buffer),
    histogram(...args) {
      const [from, to, base, label, prediction, weight, levels, cuts, levelValues, levelSigns, tree] = args
      const [leaves, table, entries, , , counts, residuals] = args.slice(11)
      const { bytes, ints } = fresh()
      for (let row = from; row < to; row++) {
        const seen = seeRow(
          views,
          row,
          base,
          label,
          prediction,
          weight,
          levels,
          cuts,
          levelValues,
          levelSigns,
          tree,
        )
        if (seen.leaf >= leaves) continue
        for (let f = 0; f < entries; f++) {
          const entry = (table + f * FEATURE_BYTES) >>> 2
          const fine = bytes[base + ints[entry] + row]
          const bin = ints[entry + 3] === 0 ? fine : bytes[ints[entry + 3] + fine]
          const cell = ints[entry + 2] + (seen.leaf * ints[entry + 1] + bin) * levels + seen.level
          addToCell(views, counts, residuals, cell, seen)
        }
      }
    },
    jointHistogram(...args) {
      const [from, to, base, label, prediction, weight, levels, cuts, levelValues, levelSigns, tree] = args
      const [table, entries, , , counts, residuals] = args.slice(12)
      const { bytes, ints } = fresh()
      for (let row = from; row < to; row++) {
        const seen = seeRow(
          views,
          row,
          base,
          label,
          prediction,
          weight,
          levels,
          cuts,
          levelValues,
          levelSigns,
          tree,
        )
        for (let p = 0; p < entries; p++) {
          const entry = (table + p * PAIR_BYTES) >>> 2
          const [fineA, fineB] = [bytes[base + ints[entry] + row], bytes[base + ints[entry + 1] + row]]
          const skipped = ints[entry + 6] - 1
          if (skipped >= 0 && (skipped < 256 ? fineB === skipped : fineA === skipped - 256)) continue
          const [a, b] = [bytes[ints[entry + 2] + fineA], bytes[ints[entry + 3] + fineB]]
          const cell = ints[entry + 5] + (a * (ints[entry + 4] >>> 16) + b) * levels + seen.level
          addToCell(views, counts, residuals, cell, seen)
        }
      }
    },
    levelSums(
      from,
      to,
      base,
      label,
      prediction,
      weight,
      levels,
      levelValues,
      tree,
      counts,
      residuals,
      predictions,
    ) {
      const { doubles } = fresh()
      for (let row = from; row < to; row++) {
        const seen = seeRow(views, row, base, label, prediction, weight, levels, 0, levelValues, 0, tree)
        const cell = seen.leaf * levels + seen.level
        addToCell(views, counts, residuals, cell, seen)
        doubles[(predictions >>> 3) + cell] += seen.weight * seen.prediction
      }
    },
    loss(from, to, label, prediction, weight, out) {
      const { ints } = fresh()
      for (let row = from; row < to; row++) {
        const residual = ints[(label >>> 2) + row] - ints[(prediction >>> 2) + row]
        addLoss(views, out, residual, weight === 0 ? 1 : ints[(weight >>> 2) + row])
      }
    },
    move(from, to, base, label, prediction, weight, levels, tree, table, target, out) {
      const { ints } = fresh()
      for (let row = from; row < to; row++) {
        const current = ints[(prediction >>> 2) + row]
        const cell = leafOf(views, tree, base, row, current) * levels + levelOf(current, levels)
        const moved = clipUnits(current + ints[(table >>> 2) + cell])
        if (target !== 0) ints[(target >>> 2) + row] = moved
        const counted = weight === 0 ? 1 : ints[(weight >>> 2) + row]
        if (out !== 0) addLoss(views, out, ints[(label >>> 2) + row] - moved, counted)
      }
    },
    forestWalk(from, to, base, prediction, tree, table, steps) {
      const { ints } = fresh()
      for (let row = from; row < to; row++) {
        const leaf = leafOf(views, tree, base, row, ints[(prediction >>> 2) + row])
        ints[(steps >>> 2) + row] += ints[(table >>> 2) + leaf]
      }
    },
    binNumbers(values, rows, cuts, half, missing, bins) {
      const { bytes, doubles } = fresh()
      for (let row = 0; row < rows; row++) {
        const value = doubles[(values >>> 3) + row]
        let bin = 0
        for (let step = half; step > 0; step >>= 1) {
          if (doubles[(cuts >>> 3) + bin + step - 1] < value) bin += step
        }
        bytes[bins + row] = Number.isNaN(value) ? missing : bin
      }
    },
    sortNumbers(values, rows) {
      const { doubles } = fresh()
      doubles.subarray(values >>> 3, (values >>> 3) + rows).sort()
    },
  }
}

interface SeenRow {
  readonly level: number
  readonly leaf: number
  readonly prediction: number
  readonly residual: number
  readonly weight: number
}

function seeRow(
  views: Views,
  row: number,
  base: number,
  label: number,
  prediction: number,
  weight: number,
  levels: number,
  levelCuts: number,
  levelValues: number,
  levelSigns: number,
  tree: number,
): SeenRow {
  const { ints } = views
  const current = ints[(prediction >>> 2) + row]
  const level =
    levelCuts === 0
      ? levelOf(current, levels)
      : levelAmong(current, ints.subarray(levelCuts >>> 2, (levelCuts >>> 2) + levels - 1))
  const looked = levelSigns === 0 ? level : levelOf(current, ints[levelSigns >>> 2])
  const predicted = levelValues === 0 ? current : ints[(levelValues >>> 2) + looked]
  const sign = levelSigns === 0 ? 1 : ints[(levelSigns >>> 2) + 1 + looked]
  return {
    level,
    leaf: leafOf(views, tree, base, row, current),
    prediction: current,
    residual: sign * (ints[(label >>> 2) + row] - predicted),
    weight: weight === 0 ? 1 : ints[(weight >>> 2) + row],
  }
}

function leafOf({ bytes, ints }: Views, tree: number, base: number, row: number, prediction: number): number {
  let node = ints[tree >>> 2]
  while (node >= 0) {
    const entry = tree + 8 + node * NODE_BYTES
    const [column, bound, no, yes] = ints.subarray(entry >>> 2, (entry >>> 2) + 4)
    const takesYes = column === 0 ? prediction < bound : bytes[entry + 16 + bytes[base + column + row]] !== 0
    node = takesYes ? yes : no
  }
  return ~node
}

function addToCell({ doubles }: Views, counts: number, residuals: number, cell: number, seen: SeenRow): void {
  doubles[(counts >>> 3) + cell] += seen.weight
  doubles[(residuals >>> 3) + cell] += seen.weight * seen.residual
}

function addLoss({ longs }: Views, out: number, residual: number, weight: number): void {
  const square = residual * residual
  const high = Math.floor(square / ONE)
  longs[out >>> 3] += BigInt(weight)
  longs[(out >>> 3) + 1] += BigInt(weight * weight)
  longs[(out >>> 3) + 2] += BigInt(weight * high)
  longs[(out >>> 3) + 3] += BigInt(weight * (square - high * ONE))
}
