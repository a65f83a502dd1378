// Cells of two joined columns, counted once for all pairs of their members (src/audit/worst/joinedDraws.ts): a member's bin is a
// digit of the joined one, so cells of members are sums of joined cells. All are whole numbers, so that is exact.

/** Numbers, so that what follows begins where 16 bytes can be loaded. */
@inline
export function even(count: u32): u32 {
  return (count + 1) & ~1
}

@inline
export function clear(at: usize, count: u32): void {
  const end = at + (<usize>even(count) << 3)
  for (; at < end; at += 16) v128.store(at, i64x2.splat(0))
}

@inline
export function add(into: usize, from: usize, count: u32): void {
  const end = into + (<usize>even(count) << 3)
  for (; into < end; into += 16, from += 16) v128.store(into, i64x2.add(v128.load(into), v128.load(from)))
}

@inline
export function countCells(cells: usize, columnA: usize, columnB: usize, stride: u32, values: usize, from: u32, to: u32): void {
  for (let row = <usize>from; row < <usize>to; row++) {
    const cell = <u32>load<u8>(columnA + row) * stride + <u32>load<u8>(columnB + row)
    const at = cells + (<usize>cell << 3)
    store<i64>(at, load<i64>(at) + load<i64>(values + (row << 3)))
  }
}

@inline
function countColumn(cells: usize, column: usize, values: usize, from: u32, to: u32): void {
  for (let row = <usize>from; row < <usize>to; row++) {
    const at = cells + (<usize>load<u8>(column + row) << 3)
    store<i64>(at, load<i64>(at) + load<i64>(values + (row << 3)))
  }
}

/** Cells of a table; without a second column it is a line. */
@inline
export function tableCells(sizeA: u32, columnB: usize, sizeB: u32): u32 {
  return columnB == 0 ? even(sizeA) : sizeA * even(sizeB)
}

/** One table for each level, at [binA * even(sizeB) + binB], and behind them, where there are several, one for all together. */
export function countTables(
  columnA: usize, sizeA: u32, columnB: usize, sizeB: u32, levels: u32, starts: usize, values: usize, tables: usize,
): void {
  const cells = tableCells(sizeA, columnB, sizeB)
  const bytes = <usize>cells << 3
  const whole = tables + <usize>levels * bytes
  clear(tables, levels > 1 ? (levels + 1) * cells : cells)
  let table = tables
  for (let level: u32 = 0; level < levels; level++, table += bytes) {
    const from = load<u32>(starts + (<usize>level << 2))
    const to = load<u32>(starts + (<usize>level << 2), 4)
    if (columnB == 0) countColumn(table, columnA, values, from, to)
    else countCells(table, columnA, columnB, even(sizeB), values, from, to)
    if (levels > 1) add(whole, table, cells)
  }
}

/** Lines of a table's first column, added up by the digit of one member: as many tables, each of `used` lines. */
export function foldLines(
  tables: usize, tableCount: u32, size: u32, line: u32, step: u32, used: u32, halves: usize,
): void {
  clear(halves, tableCount * used * line)
  let from = tables
  for (let table: u32 = 0; table < tableCount; table++) {
    const half = halves + (<usize>(table * used * line) << 3)
    let digit: u32 = 0
    let low: u32 = 0
    for (let bin: u32 = 0; bin < size; bin++, from += <usize>line << 3) {
      add(half + (<usize>(digit * line) << 3), from, line)
      if (++low < step) continue
      low = 0
      if (++digit == used) digit = 0
    }
  }
}

/** Cells of two members, from lines that were folded by the digit of the first: each line by the digit of the second. */
export function foldCells(
  half: usize, lines: u32, size: u32, line: u32, step: u32, used: u32, cells: usize, stride: u32,
): void {
  const turn = step * used
  for (let first: u32 = 0; first < lines; first++) {
    for (let digit: u32 = 0; digit < used; digit++) {
      let sum: i64 = 0
      for (let high = digit * step; high < size; high += turn)
        for (let bin = high, end = high + step; bin < end; bin++) sum += load<i64>(half + (<usize>(first * line + bin) << 3))
      store<i64>(cells + (<usize>(first * stride + digit) << 3), sum)
    }
  }
}

/** Cells of two members of one joined column, from its line. */
export function foldLine(
  table: usize, size: u32, stepA: u32, usedA: u32, stepB: u32, usedB: u32, cells: usize, stride: u32,
): void {
  for (let bin: u32 = 0; bin < size; bin++) {
    const cell = ((bin / stepA) % usedA) * stride + ((bin / stepB) % usedB)
    const at = cells + (<usize>cell << 3)
    store<i64>(at, load<i64>(at) + load<i64>(table + (<usize>bin << 3)))
  }
}
