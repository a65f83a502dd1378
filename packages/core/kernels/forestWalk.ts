// Which step of a tree each row takes.

import { NODE_BYTES } from './tree'

/**
 * Adds to every row's steps the one of its leaf. Rows are parted node by node, all of a block together: that takes no branch
 * that cannot be predicted, and no load waits for another. `scratch` has room for two row numbers a row.
 */
export function forestWalk(
  from: u32, to: u32, base: usize, prediction: usize, tree: usize, table: usize, steps: usize, scratch: usize,
): void {
  const rows = to - from
  for (let i: u32 = 0; i < rows; i++) store<u32>(scratch + (<usize>i << 2), from + i)
  const end = scratch + (<usize>rows << 2)
  partRows(tree, load<i32>(tree), scratch, end, end, base, prediction, table, steps)
}

/** The row numbers from `first` to before `last` have come to `node`; `spare` has room for as many. */
function partRows(
  tree: usize, start: i32, first: usize, last: usize, spare: usize,
  base: usize, prediction: usize, table: usize, steps: usize,
): void {
  let node = start
  while (node >= 0) {
    if (first == last) return
    const entry = tree + 8 + <usize>node * NODE_BYTES
    const column = <usize>load<u32>(entry)
    const middle =
      column == 0
        ? partByPrediction(first, last, spare, prediction, load<i32>(entry, 4))
        : partByBin(first, last, spare, base + column, entry + 16)
    partRows(tree, load<i32>(entry, 12), first, middle, spare, base, prediction, table, steps)
    node = load<i32>(entry, 8)
    first = middle
  }
  const step = load<i32>(table + (<usize>~node << 2))
  for (let at = first; at < last; at += 4) {
    const place = steps + (<usize>load<u32>(at) << 2)
    store<i32>(place, load<i32>(place) + step)
  }
}

/** Yes before no, each in order. Every row is written to both places and kept in one. */
@inline
function partByBin(first: usize, last: usize, spare: usize, column: usize, takesYes: usize): usize {
  let yes = first
  let no = spare
  for (let at = first; at < last; at += 4) {
    const row = load<u32>(at)
    const takes = <usize>load<u8>(takesYes + <usize>load<u8>(column + <usize>row))
    store<u32>(yes, row)
    store<u32>(no, row)
    yes += takes << 2
    no += (1 - takes) << 2
  }
  memory.copy(yes, spare, no - spare)
  return yes
}

@inline
function partByPrediction(first: usize, last: usize, spare: usize, prediction: usize, bound: i32): usize {
  let yes = first
  let no = spare
  for (let at = first; at < last; at += 4) {
    const row = load<u32>(at)
    const takes = <usize>(load<i32>(prediction + (<usize>row << 2)) < bound)
    store<u32>(yes, row)
    store<u32>(no, row)
    yes += takes << 2
    no += (1 - takes) << 2
  }
  memory.copy(yes, spare, no - spare)
  return yes
}
