// Which rows take which way through a tree: row numbers are parted node by node, all of a block together. That takes no branch
// that cannot be predicted, and no load waits for another.

import { NODE_BYTES } from './tree'

/** Rows that are parted at a time where the caller has no blocks of its own: their numbers stay in the nearest cache. */
export const PART_ROWS: u32 = 4096

/** Writes the numbers of rows from `from` to before `to`, and says where they end. */
@inline
export function listRows(list: usize, from: u32, to: u32): usize {
  const rows = to - from
  for (let i: u32 = 0; i < rows; i++) store<u32>(list + (<usize>i << 2), from + i)
  return list + (<usize>rows << 2)
}

/**
 * Parts the row numbers from `first` to before `last` by the node at `entry`: yes before no, each in order. Says where the
 * first "no" stands. `spare` has room for as many.
 */
@inline
export function partNode(entry: usize, first: usize, last: usize, spare: usize, base: usize, prediction: usize): usize {
  const column = <usize>load<u32>(entry)
  return column == 0
    ? partByPrediction(first, last, spare, prediction, load<i32>(entry, 4))
    : partByBin(first, last, spare, base + column, entry + 16)
}

/** Every row is written to both places and kept in one. */
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

/**
 * The rows of leaf 0 among those from `start` to before `end`: their numbers, less `from`, are written every `stride` bytes from
 * `into` on; says how many they are. `list` has room for two numbers of each of PART_ROWS rows.
 */
export function placeFirstLeaf(
  tree: usize, from: u32, start: u32, end: u32, list: usize, base: usize, prediction: usize, into: usize, stride: usize,
): u32 {
  const last = listRows(list, start, end)
  const place = placeRows(tree, load<i32>(tree), list, last, last, base, prediction, from, into, stride)
  return <u32>((place - into) / stride)
}

function placeRows(
  tree: usize, start: i32, first: usize, last: usize, spare: usize,
  base: usize, prediction: usize, from: u32, into: usize, stride: usize,
): usize {
  let node = start
  let place = into
  while (node >= 0) {
    if (first == last) return place
    const entry = tree + 8 + <usize>node * NODE_BYTES
    const middle = partNode(entry, first, last, spare, base, prediction)
    place = placeRows(tree, load<i32>(entry, 12), first, middle, spare, base, prediction, from, place, stride)
    node = load<i32>(entry, 8)
    first = middle
  }
  if (node != ~0) return place
  for (let at = first; at < last; at += 4, place += stride) store<u32>(place, load<u32>(at) - from)
  return place
}
