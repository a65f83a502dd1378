// One root split: which auditor of its two sides has the largest K1? Below a root each side is left whole or split once more,
// and its leaves have signs, so a side adds one vector over prediction bins: the sum of its leaves' residuals, each with its
// sign. K1 of the tree is the l1 norm of the sum of two vectors, one of either side, each with any sign.
//
// That is the largest, over signs s of the bins, of (s, a) + (s, b), and for given s the two sides are apart. So the signs are
// searched: with some of them fixed, a vector reaches at most its sum over these bins plus its absolute values in the others,
// and the best of either side bound every pair. Vectors that cannot be part of a better pair are dropped on the way; few pairs
// are tried one by one, block of bins by block of bins, until one cannot be better. All sums are whole numbers below 2^53:
// nothing is rounded.

import type { Candidates, SideVectors, VectorRoom } from './vectors.ts'

/** How much may still be done, in numbers looked at. */
export interface Work {
  left: number
}

/** The best pair, by what its vectors are. */
export interface BestPair {
  readonly error: number
  readonly yes: number
  readonly no: number
}

/** So many pairs at most are tried one by one, without a search: most of them end after their first block. */
const MANY_PAIRS = 2 ** 18

/** In a search the pairs that are left are those that are hard to part: fewer of them are tried. */
const FEW_PAIRS = 64

/** One for all roots of a search: the lists it works with are made once. */
export class SignSearch {
  readonly #vectors: VectorRoom
  readonly #yes: SideVectors
  readonly #no: SideVectors
  readonly #levels: number
  readonly #work: Work
  #best: BestPair = { error: 0, yes: -1, no: -1 }
  #open = 0
  /** Candidates at every depth of the search, made when first needed. */
  readonly #lists: { readonly yes: Candidates; readonly no: Candidates }[] = []

  /** Vectors are listed anew for every run, over as many bins as there are levels: heavy ones first, which part them best. */
  constructor(vectors: VectorRoom, levels: number, work: Work) {
    this.#vectors = vectors
    this.#yes = vectors.yes
    this.#no = vectors.no
    this.#levels = levels
    this.#work = work
  }

  /**
   * The best pair with an error above `least`, if there is one, and what pairs may reach that the work did not suffice for;
   * else 0. A climb before the search makes it shorter where `least` is far from the best.
   */
  run(least: number, climbs: boolean): { readonly best: BestPair | undefined; readonly open: number } {
    this.#best = { error: least, yes: -1, no: -1 }
    this.#open = 0
    const { no, yes } = this.#listsAt(0)
    // Both vectors with the opposite signs have the same error: those of one side need one sign only.
    fill(yes, this.#yes, 1)
    fill(no, this.#no, 2)
    if (yes.count > 0 && no.count > 0) {
      if (climbs) this.#climb(this.#yes)
      if (climbs) this.#climb(this.#no)
      drop(yes, this.#best.error - no.most)
      drop(no, this.#best.error - yes.most)
      this.#branch(0)
    }
    return { best: this.#best.yes < 0 ? undefined : this.#best, open: this.#open }
  }

  /** From the signs of a side's largest vector: the best of either side for these signs, then its signs, until none is better. */
  #climb({ count, norms, values, width }: SideVectors): void {
    let start = 0
    for (let place = 1; place < count; place++) if (norms[place] > norms[start]) start = place
    const signs = Float64Array.from({ length: this.#levels }, (_, bin) =>
      values[start * width + bin] < 0 ? -1 : 1,
    )
    for (let error = -1; ; ) {
      const yes = bestFor(this.#yes, signs)
      const no = bestFor(this.#no, signs)
      this.#work.left -= (this.#yes.count + this.#no.count) * this.#levels
      const reached = this.#add(yes, no, signs)
      if (reached > this.#best.error) this.#take(yes, no, reached)
      if (reached <= error) return
      error = reached
    }
  }

  /** The error of a pair; `signs` become those of its sum. */
  #add(yes: number, no: number, signs: Float64Array): number {
    const [a, b] = [this.#yes.values, this.#no.values]
    const [atA, atB] = [(yes >> 1) * this.#yes.width, (no >> 1) * this.#no.width]
    const [signA, signB] = [1 - 2 * (yes & 1), 1 - 2 * (no & 1)]
    let error = 0
    for (let bin = 0; bin < signs.length; bin++) {
      const sum = signA * a[atA + bin] + signB * b[atB + bin]
      error += Math.abs(sum)
      signs[bin] = sum < 0 ? -1 : 1
    }
    return error
  }

  #take(yes: number, no: number, error: number): void {
    const [{ splits: ofYes }, { splits: ofNo }] = [this.#yes, this.#no]
    this.#best = { error, yes: ofYes[yes >> 1], no: ofNo[no >> 1] }
  }

  #branch(depth: number): void {
    const { no, yes } = this.#listsAt(depth)
    if (yes.most + no.most <= this.#best.error) return
    if (this.#work.left <= 0) {
      this.#open = Math.max(this.#open, yes.most + no.most)
      return
    }
    if (depth === this.#levels || yes.count * no.count <= (depth === 0 ? MANY_PAIRS : FEW_PAIRS)) {
      this.#tryPairs(yes, no)
      return
    }
    const next = this.#listsAt(depth + 1)
    for (const sign of [1, -1]) {
      this.#work.left -= yes.count + no.count
      fix(next.yes, yes, this.#yes, depth, sign)
      fix(next.no, no, this.#no, depth, sign)
      drop(next.yes, this.#best.error - next.no.most)
      drop(next.no, this.#best.error - next.yes.most)
      this.#branch(depth + 1)
    }
  }

  #tryPairs(yes: Candidates, no: Candidates): void {
    const found = this.#vectors.tryPairs(yes, no, this.#best.error)
    this.#work.left -= found.work
    if (found.error > this.#best.error) this.#take(found.yes, found.no, found.error)
  }

  #listsAt(depth: number): { readonly yes: Candidates; readonly no: Candidates } {
    const most = this.#yes.norms.length
    while (this.#lists.length <= depth)
      this.#lists.push({ yes: emptyCandidates(most), no: emptyCandidates(most) })
    return this.#lists[depth]
  }
}

/** The vector, with its sign, whose sum with these signs of the bins is largest; the first best wins. */
function bestFor({ count, values, width }: SideVectors, signs: Float64Array): number {
  let [best, code] = [-1, 0]
  for (let place = 0; place < count; place++) {
    const at = place * width
    let sum = 0
    for (let bin = 0; bin < signs.length; bin++) sum += signs[bin] * values[at + bin]
    if (Math.abs(sum) <= best) continue
    best = Math.abs(sum)
    code = 2 * place + (sum < 0 ? 1 : 0)
  }
  return code
}

const emptyCandidates = (vectors: number): Candidates => ({
  codes: new Int32Array(2 * vectors),
  reach: new Float64Array(2 * vectors),
  count: 0,
  most: 0,
})

/** Every vector, with its opposite where these count as two: each reaches its norm. */
function fill(into: Candidates, { count, norms }: SideVectors, signs: 1 | 2): void {
  into.count = signs * count
  into.most = 0
  for (let place = 0; place < into.count; place++) {
    const code = signs === 1 ? 2 * place : place
    const norm = norms[code >> 1]
    into.codes[place] = code
    into.reach[place] = norm
    if (norm > into.most) into.most = norm
  }
}

/** What is left of each vector's reach when one more bin has its sign. */
function fix(
  into: Candidates,
  from: Candidates,
  { values, width }: SideVectors,
  bin: number,
  sign: number,
): void {
  let most = -1
  for (let place = 0; place < from.count; place++) {
    const code = from.codes[place]
    const value = (code & 1 ? -sign : sign) * values[(code >> 1) * width + bin]
    const reach = value < 0 ? from.reach[place] + 2 * value : from.reach[place]
    into.codes[place] = code
    into.reach[place] = reach
    if (reach > most) most = reach
  }
  into.count = from.count
  into.most = most
}

/** Keeps, in their order, those that reach more than this. */
function drop(candidates: Candidates, least: number): void {
  const { codes, reach } = candidates
  let kept = 0
  for (let place = 0; place < candidates.count; place++) {
    if (reach[place] <= least) continue
    codes[kept] = codes[place]
    reach[kept] = reach[place]
    kept++
  }
  candidates.count = kept
}
