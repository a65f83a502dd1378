// Losses, and predictions moved by a table.

import { clip, leafOf, levelOf, NODE_BYTES, ONE } from './tree'

/** Adds one row's weight and squared residual to the sums at `out`: weight, squared weight, high, low. */
@inline
function addLoss(out: usize, residual: i64, counted: i64): void {
  const square = residual * residual
  store<i64>(out, load<i64>(out) + counted)
  store<i64>(out, load<i64>(out, 8) + counted * counted, 8)
  store<i64>(out, load<i64>(out, 16) + counted * (square >> 24), 16)
  store<i64>(out, load<i64>(out, 24) + counted * (square & (<i64>ONE - 1)), 24)
}

export function loss(from: u32, to: u32, label: usize, prediction: usize, weight: usize, out: usize): void {
  for (let row = from; row < to; row++) {
    const at = <usize>row << 2
    const counted: i64 = weight == 0 ? 1 : <i64>load<i32>(weight + at)
    addLoss(out, <i64>load<i32>(label + at) - <i64>load<i32>(prediction + at), counted)
  }
}

/** Where each prediction goes under a table update: into `target` (0: nowhere), with the loss it then has (0: not asked). */
export function move(
  from: u32, to: u32, base: usize, label: usize, prediction: usize, weight: usize,
  levels: u32, tree: usize, table: usize, target: usize, out: usize,
): void {
  if (out == 0 && isFullDepthTwo(tree)) {
    moveDepthTwo(from, to, base, prediction, levels, tree, table, target)
    return
  }
  for (let row = from; row < to; row++) {
    const at = <usize>row << 2
    const current = load<i32>(prediction + at)
    const cell = <u32>leafOf(tree, base, row, current) * levels + levelOf(<u32>current, levels)
    const moved = clip(current + load<i32>(table + (<usize>cell << 2)))
    if (target != 0) store<i32>(target + at, moved)
    if (out != 0) {
      const counted: i64 = weight == 0 ? 1 : <i64>load<i32>(weight + at)
      addLoss(out, <i64>load<i32>(label + at) - <i64>moved, counted)
    }
  }
}

/** A root and two children, all on features, and leaves 0 to 3 in order: what the exhaustive search mostly finds. */
@inline
function isFullDepthTwo(tree: usize): bool {
  const root = tree + 8
  if (load<i32>(tree) != 0 || load<i32>(root, 12) != 1 || load<i32>(root, 8) != 2) return false
  const yes = root + NODE_BYTES
  const no = yes + NODE_BYTES
  const onFeatures = load<u32>(root) != 0 && load<u32>(yes) != 0 && load<u32>(no) != 0
  const inOrder = load<i32>(yes, 12) == ~0 && load<i32>(yes, 8) == ~1 && load<i32>(no, 12) == ~2 && load<i32>(no, 8) == ~3
  return onFeatures && inOrder
}

/** The walk without a loop: both children are looked up, and the root's answer picks one. */
@inline
function moveDepthTwo(
  from: u32, to: u32, base: usize, prediction: usize, levels: u32, tree: usize, table: usize, target: usize,
): void {
  const root = tree + 8
  const yes = root + NODE_BYTES
  const no = yes + NODE_BYTES
  const rootColumn = base + <usize>load<u32>(root)
  const yesColumn = base + <usize>load<u32>(yes)
  const noColumn = base + <usize>load<u32>(no)
  for (let row = from; row < to; row++) {
    const at = <usize>row << 2
    const current = load<i32>(prediction + at)
    const first = <u32>load<u8>(root + <usize>load<u8>(rootColumn + <usize>row), 16)
    const inYes = <u32>load<u8>(yes + <usize>load<u8>(yesColumn + <usize>row), 16)
    const inNo = <u32>load<u8>(no + <usize>load<u8>(noColumn + <usize>row), 16)
    const leaf = select<u32>(1 - inYes, 3 - inNo, first != 0)
    const cell = leaf * levels + levelOf(<u32>current, levels)
    store<i32>(target + at, clip(current + load<i32>(table + (<usize>cell << 2))))
  }
}
