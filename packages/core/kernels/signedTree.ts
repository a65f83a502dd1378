// The search for the tree with signed leaves whose K1 is largest: what the trees below each root split can reach, and the vectors
// over prediction bins that its sides can add. kernels/signedTree.ts of the sources says what it means and how it is laid out.

/** A feature: bins, steps and where they are, marginal, sides, norms, cells below the root, number of its first split. */
const FEATURE_BYTES: usize = 32

/** Bins after which it is noted what the others add to a norm. */
const BLOCK: u32 = 8

/** All splits of one feature with all splits of another, each below the other. `scratch`: the cells of one bin of A, and of one bin. */
export function sideNorms(
  features: usize, featureA: u32, featureB: u32, cells: usize, total: usize, width: u32, scratch: usize,
): void {
  const a = features + <usize>featureA * FEATURE_BYTES
  const b = features + <usize>featureB * FEATURE_BYTES
  const bytes = <usize>width << 3
  const rowBytes = <usize>load<u32>(b) * bytes
  const yesYes = scratch + rowBytes
  const stepsA = <usize>load<u32>(a, 8)
  const endA = stepsA + (<usize>load<u32>(a, 4) << 2)
  const stepsB = <usize>load<u32>(b, 8)
  const endB = stepsB + (<usize>load<u32>(b, 4) << 2)
  const normsA = <usize>load<u32>(a, 20)
  const normsB = <usize>load<u32>(b, 20)
  clear(scratch, rowBytes)
  for (let atA = stepsA; atA < endA; atA += 4) {
    const wordA = load<u32>(atA)
    if ((wordA & 256) != 0) clear(scratch, rowBytes)
    add(scratch, cells + <usize>(wordA & 255) * rowBytes, rowBytes)
    if (wordA < 65536) continue
    const splitA = <usize>((wordA >>> 16) - 1)
    const sideA = <usize>load<u32>(a, 16) + splitA * bytes
    clear(yesYes, bytes)
    for (let atB = stepsB; atB < endB; atB += 4) {
      const wordB = load<u32>(atB)
      if ((wordB & 256) != 0) clear(yesYes, bytes)
      const bin = scratch + <usize>(wordB & 255) * bytes
      if (wordB < 65536) {
        add(yesYes, bin, bytes)
        continue
      }
      const splitB = <usize>((wordB >>> 16) - 1)
      const sideB = <usize>load<u32>(b, 16) + splitB * bytes
      let yesA = f64x2.splat(0)
      let noA = f64x2.splat(0)
      let yesB = f64x2.splat(0)
      let noB = f64x2.splat(0)
      for (let o: usize = 0; o < bytes; o += 16) {
        const both = f64x2.add(v128.load(yesYes + o), v128.load(bin + o))
        v128.store(yesYes + o, both)
        const onlyA = f64x2.sub(v128.load(sideA + o), both)
        const onlyB = f64x2.sub(v128.load(sideB + o), both)
        const none = f64x2.sub(f64x2.sub(f64x2.sub(v128.load(total + o), both), onlyA), onlyB)
        yesA = f64x2.add(yesA, f64x2.abs(f64x2.sub(both, onlyA)))
        noA = f64x2.add(noA, f64x2.abs(f64x2.sub(onlyB, none)))
        yesB = f64x2.add(yesB, f64x2.abs(f64x2.sub(both, onlyB)))
        noB = f64x2.add(noB, f64x2.abs(f64x2.sub(onlyA, none)))
      }
      raise(normsA + (splitA << 4), yesA, noA)
      raise(normsB + (splitB << 4), yesB, noB)
    }
  }
}

/** Adds a bin of the root's feature to the cells of all features below it; `pairs`: addresses of pairs, at [a * features + b]. */
export function addBin(features: usize, featureCount: u32, pairs: usize, root: u32, bin: u32, width: u32): void {
  const bytes = <usize>width << 3
  const own = features + <usize>root * FEATURE_BYTES
  const binBytes = <usize>load<u32>(own) * bytes
  const start = <usize>bin * bytes
  for (let other: u32 = 0; other < featureCount; other++) {
    const feature = features + <usize>other * FEATURE_BYTES
    const cells = <usize>load<u32>(feature, 24)
    const cellBytes = <usize>load<u32>(feature) * bytes
    if (other == root) {
      add(cells + start, <usize>load<u32>(own, 12) + start, bytes)
    } else if (root < other) {
      const pair = <usize>load<u32>(pairs + (<usize>(root * featureCount + other) << 2))
      add(cells, pair + <usize>bin * cellBytes, cellBytes)
    } else {
      let from = <usize>load<u32>(pairs + (<usize>(other * featureCount + root) << 2)) + start
      for (let into = cells, end = cells + cellBytes; into < end; into += bytes, from += binBytes) add(into, from, bytes)
    }
  }
}

/** What a vector list says: values, norms, rests, splits, blocks, order, count. */
@inline
function keep(list: usize, vector: usize, split: u32, norm: f64, least: f64): void {
  if (norm <= least) return
  const count = load<u32>(list, 24)
  const blocks = load<u32>(list, 16)
  let values = <usize>load<u32>(list) + (<usize>(count * blocks * BLOCK) << 3)
  let rests = <usize>load<u32>(list, 8) + (<usize>(count * blocks) << 3)
  store<f64>(<usize>load<u32>(list, 4) + (<usize>count << 3), norm)
  store<u32>(<usize>load<u32>(list, 12) + (<usize>count << 2), split)
  let order = <usize>load<u32>(list, 20)
  let rest = norm
  for (let block: u32 = 0; block < blocks; block++) {
    let sum: f64 = 0
    for (let bin: u32 = 0; bin < BLOCK; bin++, order += 4, values += 8) {
      const value = load<f64>(vector + (<usize>load<u32>(order) << 3))
      store<f64>(values, value)
      sum += abs(value)
    }
    rest -= sum
    store<f64>(rests, rest)
    rests += 8
  }
  store<u32>(list, count + 1, 24)
}

/**
 * The vectors that either side of a root can add, as the cells of the features stand: the side as it is, then the difference of its
 * two leaves for every split; those whose norm is above the least. `scratch`: five bins and two zeros.
 */
export function sideVectors(
  features: usize, featureCount: u32, total: usize, width: u32, yes: usize, no: usize, leastYes: f64, leastNo: f64,
  scratch: usize,
): void {
  const bytes = <usize>width << 3
  const whole = scratch
  const rest = whole + bytes
  const sum = rest + bytes
  const ofYes = sum + bytes
  const ofNo = ofYes + bytes + 8
  store<u32>(yes, 0, 24)
  store<u32>(no, 0, 24)
  clear(whole, bytes)
  for (let at = <usize>load<u32>(features, 24), end = at + <usize>load<u32>(features) * bytes; at < end; at += bytes) {
    add(whole, at, bytes)
  }
  let yesNorm = f64x2.splat(0)
  let noNorm = f64x2.splat(0)
  for (let o: usize = 0; o < bytes; o += 16) {
    const inside = v128.load(whole + o)
    const outside = f64x2.sub(v128.load(total + o), inside)
    v128.store(rest + o, outside)
    v128.store(ofYes + o, inside)
    v128.store(ofNo + o, outside)
    yesNorm = f64x2.add(yesNorm, f64x2.abs(inside))
    noNorm = f64x2.add(noNorm, f64x2.abs(outside))
  }
  store<f64>(ofYes + bytes, 0)
  store<f64>(ofNo + bytes, 0)
  keep(yes, ofYes, 0, sumOf(yesNorm), leastYes)
  keep(no, ofNo, 0, sumOf(noNorm), leastNo)
  for (let f: u32 = 0; f < featureCount; f++) {
    const feature = features + <usize>f * FEATURE_BYTES
    const steps = <usize>load<u32>(feature, 8)
    const end = steps + (<usize>load<u32>(feature, 4) << 2)
    const sides = <usize>load<u32>(feature, 16)
    const cells = <usize>load<u32>(feature, 24)
    const first = load<u32>(feature, 28)
    clear(sum, bytes)
    for (let at = steps; at < end; at += 4) {
      const word = load<u32>(at)
      if ((word & 256) != 0) clear(sum, bytes)
      const bin = cells + <usize>(word & 255) * bytes
      if (word < 65536) {
        add(sum, bin, bytes)
        continue
      }
      const split = (word >>> 16) - 1
      const everyone = sides + <usize>split * bytes
      yesNorm = f64x2.splat(0)
      noNorm = f64x2.splat(0)
      for (let o: usize = 0; o < bytes; o += 16) {
        const own = f64x2.add(v128.load(sum + o), v128.load(bin + o))
        v128.store(sum + o, own)
        const inside = f64x2.sub(f64x2.add(own, own), v128.load(whole + o))
        const others = f64x2.sub(v128.load(everyone + o), own)
        const outside = f64x2.sub(f64x2.add(others, others), v128.load(rest + o))
        v128.store(ofYes + o, inside)
        v128.store(ofNo + o, outside)
        yesNorm = f64x2.add(yesNorm, f64x2.abs(inside))
        noNorm = f64x2.add(noNorm, f64x2.abs(outside))
      }
      keep(yes, ofYes, first + split, sumOf(yesNorm), leastYes)
      keep(no, ofNo, first + split, sumOf(noNorm), leastNo)
    }
  }
}

/**
 * The error of the best pair of candidates, codes with what each can reach, or `least`. At `answer`: the codes of that pair, and how
 * many blocks were looked at.
 */
export function tryPairs(
  yes: usize, no: usize, yesCodes: usize, yesReach: usize, yesCount: u32, noCodes: usize, noReach: usize, noCount: u32,
  least: f64, answer: usize,
): f64 {
  const blocks = <usize>load<u32>(yes, 16)
  const bytes = blocks * (BLOCK << 3)
  const yesValues = <usize>load<u32>(yes)
  const yesRests = <usize>load<u32>(yes, 8)
  const noValues = <usize>load<u32>(no)
  const noRests = <usize>load<u32>(no, 8)
  let best = least
  let looked: u32 = 0
  for (let i: usize = 0; i < <usize>yesCount; i++) {
    const code = load<u32>(yesCodes + (i << 2))
    const reach = load<f64>(yesReach + (i << 3))
    const a = yesValues + <usize>(code >>> 1) * bytes
    const restA = yesRests + <usize>(code >>> 1) * (blocks << 3)
    for (let j: usize = 0; j < <usize>noCount; j++) {
      if (reach + load<f64>(noReach + (j << 3)) <= best) continue
      const other = load<u32>(noCodes + (j << 2))
      const b = noValues + <usize>(other >>> 1) * bytes
      const restB = noRests + <usize>(other >>> 1) * (blocks << 3)
      const sign = f64x2.splat(((code ^ other) & 1) != 0 ? -1 : 1)
      let error: f64 = 0
      let block: usize = 0
      for (; block < blocks; block++) {
        const o = block * (BLOCK << 3)
        let sum = f64x2.splat(0)
        for (let at = o; at < o + (BLOCK << 3); at += 16) {
          sum = f64x2.add(sum, f64x2.abs(f64x2.add(v128.load(a + at), f64x2.mul(sign, v128.load(b + at)))))
        }
        error += sumOf(sum)
        looked++
        const rest = load<f64>(restA + (block << 3)) + load<f64>(restB + (block << 3))
        if (error + rest <= best) break
      }
      if (block < blocks) continue
      best = error
      store<u32>(answer, code)
      store<u32>(answer, other, 4)
    }
  }
  store<u32>(answer, looked, 8)
  return best
}

@inline
function clear(at: usize, bytes: usize): void {
  for (const end = at + bytes; at < end; at += 16) v128.store(at, f64x2.splat(0))
}

@inline
function add(into: usize, from: usize, bytes: usize): void {
  for (let o: usize = 0; o < bytes; o += 16) {
    v128.store(into + o, f64x2.add(v128.load(into + o), v128.load(from + o)))
  }
}

@inline
function sumOf(pair: v128): f64 {
  return f64x2.extract_lane(pair, 0) + f64x2.extract_lane(pair, 1)
}

/** The norm of a yes side, and of the no side behind it. */
@inline
function raise(norms: usize, yes: v128, no: v128): void {
  const sums = f64x2.add(v128.shuffle<i64>(yes, no, 0, 2), v128.shuffle<i64>(yes, no, 1, 3))
  v128.store(norms, f64x2.max(v128.load(norms), sums))
}
