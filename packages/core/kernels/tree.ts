// Trees in memory, and what every kernel that reads predictions needs.

export const UNIT_BITS: u64 = 24
export const ONE: i32 = 1 << 24

// A node of a flat tree: column pointer (0: the prediction), bound, no, yes, then 256 bytes "takes yes" by bin.
export const NODE_BYTES: usize = 272

@inline
export function levelOf(prediction: u32, levels: u32): u32 {
  const level = <u32>((<u64>prediction * <u64>levels) >> UNIT_BITS)
  return level < levels ? level : levels - 1
}

/** How many cuts, of which there is one less than levels, are at most the prediction. */
@inline
export function levelAmong(prediction: i32, cuts: usize, levels: u32): u32 {
  let level: u32 = 0
  for (let cut: u32 = 0; cut + 1 < levels; cut++) level += <u32>(load<i32>(cuts + (<usize>cut << 2)) <= prediction)
  return level
}

/** Columns are relative to the segment: `base` is added to every column pointer. */
@inline
export function leafOf(tree: usize, base: usize, row: u32, prediction: i32): i32 {
  let node = load<i32>(tree)
  while (node >= 0) {
    const entry = tree + 8 + <usize>node * NODE_BYTES
    const column = load<u32>(entry)
    const yes: usize =
      column == 0
        ? <usize>(prediction < load<i32>(entry, 4))
        : <usize>load<u8>(entry + <usize>load<u8>(base + <usize>column + <usize>row), 16)
    // The side is an address, not a branch: which one a row takes cannot be predicted.
    node = load<i32>(entry + (yes << 2), 8)
  }
  return ~node
}

@inline
export function clip(units: i32): i32 {
  return units < 0 ? 0 : units > ONE ? ONE : units
}
