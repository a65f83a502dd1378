// Which step of a tree each row takes.

import { listRows, partNode } from './part'
import { NODE_BYTES } from './tree'

/** Adds to every row's steps the one of its leaf. `scratch` has room for two row numbers a row. */
export function forestWalk(
  from: u32, to: u32, base: usize, prediction: usize, tree: usize, table: usize, steps: usize, scratch: usize,
): void {
  const end = listRows(scratch, from, to)
  stepRows(tree, load<i32>(tree), scratch, end, end, base, prediction, table, steps)
}

/** The row numbers from `first` to before `last` have come to `node`; `spare` has room for as many. */
function stepRows(
  tree: usize, start: i32, first: usize, last: usize, spare: usize,
  base: usize, prediction: usize, table: usize, steps: usize,
): void {
  let node = start
  while (node >= 0) {
    if (first == last) return
    const entry = tree + 8 + <usize>node * NODE_BYTES
    const middle = partNode(entry, first, last, spare, base, prediction)
    stepRows(tree, load<i32>(entry, 12), first, middle, spare, base, prediction, table, steps)
    node = load<i32>(entry, 8)
    first = middle
  }
  const step = load<i32>(table + (<usize>~node << 2))
  for (let at = first; at < last; at += 4) {
    const place = steps + (<usize>load<u32>(at) << 2)
    store<i32>(place, load<i32>(place) + step)
  }
}
