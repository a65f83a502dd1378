// Where a node of a growing tree is split best, from the sums of both derivatives in every bin of every feature.
// kernels/forest/bestSplit.ts says what it means, kernels/forest/scan.ts how question and answer are laid out.

const NUMBERS: u32 = 0
const SCORE: u32 = 1
const CATEGORIES: u32 = 2

const AT_MOST: f64 = 1
export const AT_MOST_OR_MISSING: f64 = 2
export const MISSING: f64 = 3
const FIRST_BINS: f64 = 4
export const LISTED_BINS: f64 = 5

/** Categories put together on one side, at most. */
const MAX_CATEGORIES: u32 = 32

/** In an answer: the bins of the best set. */
const LIST: usize = 56

/** In the scratch: categories in order, then the keys they are ordered by. */
const KEYS: usize = 256

// The node, and the best split of it so far.
let all: f64
let total: f64
let ridge: f64
let least: f64
let most: f64
let answer: usize
let scratch: usize

/** What cuts are drawn by; 0: all are tried. */
let draw: u32

/** `features` holds 16 bytes each: column pointer, first cell, bins, kind. */
export function forestScan(
  sums: usize, features: usize, featureCount: u32, question: usize, target: usize, room: usize,
): void {
  all = load<f64>(question)
  total = load<f64>(question, 8)
  ridge = load<f64>(question, 16)
  least = load<f64>(question, 24)
  most = (all * all) / (total + ridge)
  answer = target
  scratch = room
  draw = <u32>load<f64>(question, 88)
  store<f64>(answer, 0, 40)
  for (let f: u32 = 0; f < featureCount; f++) {
    const entry = features + (<usize>f << 4)
    const cells = sums + (<usize>load<u32>(entry, 4) << 4)
    const bins = load<u32>(entry, 8)
    const kind = load<u32>(entry, 12)
    if (kind == NUMBERS) scanNumbers(f, cells, bins - 1, v128.load(cells + (<usize>(bins - 1) << 4)))
    else if (kind == SCORE) scanNumbers(f, cells, bins, f64x2.splat(0))
    else if (draw != 0) drawCategory(f, cells, bins)
    else if (kind == CATEGORIES) scanCategories(f, cells, bins, load<f64>(question, 32))
    else if (<f64>bins <= load<f64>(question, 80)) scanSingles(f, cells, bins)
    else scanSets(f, cells, bins, question)
  }
}

@inline
function keep(value: f64, by: f64, pair: v128, feature: u32, form: f64, bin: u32): void {
  most = value
  store<f64>(answer, value)
  store<f64>(answer, by, 8)
  v128.store(answer, pair, 16)
  store<f64>(answer, <f64>feature, 32)
  store<f64>(answer, form, 40)
  store<f64>(answer, <f64>bin, 48)
}

/** Numerator and denominator apart: only what is better than all before has to be divided. */
@inline
function trySide(pair: v128, by: f64, charge: f64, feature: u32, form: f64, bin: u32): bool {
  const first = f64x2.extract_lane(pair, 0)
  const second = f64x2.extract_lane(pair, 1)
  const one = second + by
  const other = total - second + by
  const left = all - first
  const above = first * first * other + left * left * one
  const below = one * other
  if (above <= (most + charge) * below) return false
  keep(above / below - charge, by, pair, feature, form, bin)
  return true
}

@inline
function isLarge(pair: v128): bool {
  const second = f64x2.extract_lane(pair, 1)
  return second >= least && total - second >= least
}

@inline
function scanNumbers(feature: u32, cells: usize, last: u32, missing: v128): void {
  const someMissing = f64x2.extract_lane(missing, 1) > 0
  let skipped = draw == 0 ? 0 : drawn(feature, countCuts(cells, last))
  let sum = f64x2.splat(0)
  for (let bin: u32 = 0; bin + 1 < last; bin++) {
    const cell = v128.load(cells + (<usize>bin << 4))
    if (f64x2.extract_lane(cell, 1) == 0) continue
    sum = f64x2.add(sum, cell)
    if (draw != 0 && (!isLarge(sum) || skipped-- > 0)) continue
    if (isLarge(sum)) trySide(sum, ridge, 0, feature, AT_MOST, bin)
    if (someMissing) {
      const both = f64x2.add(sum, missing)
      if (isLarge(both)) trySide(both, ridge, 0, feature, AT_MOST_OR_MISSING, bin)
    }
    if (draw != 0) break
  }
  if (someMissing && isLarge(missing)) trySide(missing, ridge, 0, feature, MISSING, 0)
}

/** Those that leave enough on either side. */
function countCuts(cells: usize, last: u32): u32 {
  let count: u32 = 0
  let sum = f64x2.splat(0)
  for (let bin: u32 = 0; bin + 1 < last; bin++) {
    const cell = v128.load(cells + (<usize>bin << 4))
    if (f64x2.extract_lane(cell, 1) == 0) continue
    sum = f64x2.add(sum, cell)
    if (isLarge(sum)) count++
  }
  return count
}

/** One category alone, of those with enough in them and beside them. */
function drawCategory(feature: u32, cells: usize, bins: u32): void {
  let count: u32 = 0
  for (let bin: u32 = 0; bin < bins; bin++) if (isLarge(v128.load(cells + (<usize>bin << 4)))) count++
  let skipped = drawn(feature, count)
  for (let bin: u32 = 0; bin < bins; bin++) {
    const cell = v128.load(cells + (<usize>bin << 4))
    if (!isLarge(cell) || skipped-- > 0) continue
    if (trySide(cell, ridge, 0, feature, LISTED_BINS, 1)) store<u8>(answer + LIST, <u8>bin)
    return
  }
}

/** A whole number below `count`, another one for every feature. */
function drawn(feature: u32, count: u32): u32 {
  return count == 0 ? 0 : mix(draw + (feature << 16)) % count
}

/** common/hash.ts has the same. */
export function mix(key: u32): u32 {
  let hash = (key ^ (key >>> 16)) * 0x7feb352d
  hash = (hash ^ (hash >>> 15)) * 0x846ca68b
  return hash ^ (hash >>> 16)
}

function scanCategories(feature: u32, cells: usize, bins: u32, chance: f64): void {
  let sum = f64x2.splat(0)
  for (let bin: u32 = 0; bin + 1 < bins; bin++) {
    const cell = v128.load(cells + (<usize>bin << 4))
    if (f64x2.extract_lane(cell, 1) == 0) continue
    sum = f64x2.add(sum, cell)
    if (isLarge(sum)) trySide(sum, ridge, 0, feature, FIRST_BINS, bin)
  }
  const known = sortCategories(cells, bins, ridge, least, 1)
  const charge = chance * (<f64>known - 1)
  const tried = min(known, MAX_CATEGORIES)
  for (let turned = 0; turned < 2; turned++) {
    sum = f64x2.splat(0)
    for (let index: u32 = 0; index < tried; index++) {
      sum = f64x2.add(sum, v128.load(cellAt(cells, turned ? known - 1 - index : index)))
      if (isLarge(sum) && trySide(sum, ridge, charge, feature, LISTED_BINS, index + 1)) {
        copyList(turned ? known - 1 - index : 0, index + 1)
      }
    }
  }
}

/** Every category alone against all others; the missing bin is none. */
function scanSingles(feature: u32, cells: usize, bins: u32): void {
  for (let bin: u32 = 0; bin + 1 < bins; bin++) {
    const cell = v128.load(cells + (<usize>bin << 4))
    if (isLarge(cell) && trySide(cell, ridge, 0, feature, LISTED_BINS, 1)) store<u8>(answer + LIST, <u8>bin)
  }
}

function scanSets(feature: u32, cells: usize, bins: u32, question: usize): void {
  const by = load<f64>(question, 40)
  const leastJoined = load<f64>(question, 64)
  const known = sortCategories(cells, bins - 1, load<f64>(question, 48), load<f64>(question, 56), -1)
  const tried = min(<u32>load<f64>(question, 72), (known + 1) >> 1)
  for (let turned = 0; turned < 2; turned++) {
    let sum = f64x2.splat(0)
    let joined: f64 = 0
    for (let index: u32 = 0; index < tried; index++) {
      const cell = v128.load(cellAt(cells, turned ? known - 1 - index : index))
      sum = f64x2.add(sum, cell)
      joined += f64x2.extract_lane(cell, 1)
      const second = f64x2.extract_lane(sum, 1)
      if (second < least) continue
      if (total - second < max(least, leastJoined)) break
      if (joined < leastJoined) continue
      joined = 0
      if (trySide(sum, by, 0, feature, LISTED_BINS, index + 1)) {
        copyList(turned ? known - 1 - index : 0, index + 1)
      }
    }
  }
}

@inline
function cellAt(cells: usize, place: u32): usize {
  return cells + (<usize>load<u8>(scratch + <usize>place) << 4)
}

@inline
function copyList(from: u32, count: u32): void {
  memory.copy(answer + LIST, scratch + <usize>from, <usize>count)
}

/** Bins with at least so much of the second derivative, by their mean gradient; says how many they are. */
function sortCategories(cells: usize, bins: u32, smooth: f64, enough: f64, sign: f64): u32 {
  const order = scratch
  const keys = scratch + KEYS
  let known: usize = 0
  for (let bin: u32 = 0; bin < bins; bin++) {
    const at = cells + (<usize>bin << 4)
    const second = load<f64>(at, 8)
    if (second < enough || second == 0) continue
    const key = (sign * load<f64>(at)) / (second + smooth)
    let place = known++
    for (; place > 0 && load<f64>(keys + ((place - 1) << 3)) > key; place--) {
      store<f64>(keys + (place << 3), load<f64>(keys + ((place - 1) << 3)))
      store<u8>(order + place, load<u8>(order + place - 1))
    }
    store<f64>(keys + (place << 3), key)
    store<u8>(order + place, <u8>bin)
  }
  return <u32>known
}
