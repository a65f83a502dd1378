// One root split: which auditor of its two sides has the largest K1? Below a root each side is left whole or split once more,
// and its leaves have signs, so a side adds one vector over prediction bins: the sum of its leaves' residuals, each with its
// sign. K1 of the tree is the l1 norm of the sum of two vectors, one of either side, each with any sign.
//
// That is the largest, over signs s of the bins, of (s, a) + (s, b), and for given s the two sides are apart. So the signs are
// searched: with some of them fixed, a vector reaches at most its sum over these bins plus its absolute values in the others,
// and the best of either side bound every pair. Vectors that cannot be part of a better pair are dropped on the way; what is
// left is tried pair by pair. All sums are whole numbers below 2^53: nothing is rounded.

/** What one side of a root can add: vectors at [place * levels + level], those that may be part of a better pair. */
export interface SideVectors {
  readonly values: Float64Array
  /** Of each vector which it is: 0 the whole side, else 1 more than the number of the split. */
  readonly splits: Int32Array
  readonly norms: Float64Array
  count: number
}

export const emptyVectors = (most: number, levels: number): SideVectors => ({
  values: new Float64Array(most * levels),
  splits: new Int32Array(most),
  norms: new Float64Array(most),
  count: 0,
})

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

/** Vectors with a sign (place * 2, and 1 more for the opposite), and how much each can reach with the signs fixed so far. */
interface Candidates {
  readonly codes: Int32Array
  readonly reach: Float64Array
  count: number
  most: number
}

/** As few pairs as these are tried at once. */
const FEW_PAIRS = 16

/** One for all roots of a search: the lists it works with are made once. */
export class SignSearch {
  readonly #yes: SideVectors
  readonly #no: SideVectors
  readonly #levels: number
  readonly #order: readonly number[]
  readonly #work: Work
  #best: BestPair = { error: 0, yes: -1, no: -1 }
  #open = 0
  /** Candidates at every depth of the search, made when first needed. */
  readonly #lists: { readonly yes: Candidates; readonly no: Candidates }[] = []

  /** `yes` and `no` are filled anew for every run. Signs are fixed in the given order: heavy bins part the vectors best. */
  constructor(yes: SideVectors, no: SideVectors, order: readonly number[], work: Work) {
    this.#yes = yes
    this.#no = no
    this.#levels = order.length
    this.#order = order
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
    fill(yes, this.#yes)
    fill(no, this.#no)
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
  #climb(side: SideVectors): void {
    const levels = this.#levels
    let start = 0
    for (let place = 1; place < side.count; place++) if (side.norms[place] > side.norms[start]) start = place
    const signs = Float64Array.from({ length: levels }, (_, level) =>
      side.values[start * levels + level] < 0 ? -1 : 1,
    )
    for (let error = -1; ; ) {
      const yes = bestFor(this.#yes, signs)
      const no = bestFor(this.#no, signs)
      this.#work.left -= (this.#yes.count + this.#no.count) * levels
      const reached = this.#try(yes, no, signs)
      if (reached <= error) return
      error = reached
    }
  }

  /** Tries a pair; `signs` become those of its sum. */
  #try(yes: number, no: number, signs?: Float64Array): number {
    const levels = this.#levels
    const [a, b] = [this.#yes.values, this.#no.values]
    const [atA, atB] = [(yes >> 1) * levels, (no >> 1) * levels]
    const [signA, signB] = [1 - 2 * (yes & 1), 1 - 2 * (no & 1)]
    let error = 0
    for (let level = 0; level < levels; level++) {
      const sum = signA * a[atA + level] + signB * b[atB + level]
      error += Math.abs(sum)
      if (signs !== undefined) signs[level] = sum < 0 ? -1 : 1
    }
    if (error > this.#best.error)
      this.#best = { error, yes: this.#yes.splits[yes >> 1], no: this.#no.splits[no >> 1] }
    return error
  }

  #branch(depth: number): void {
    const { no, yes } = this.#listsAt(depth)
    if (yes.most + no.most <= this.#best.error) return
    if (this.#work.left <= 0) {
      this.#open = Math.max(this.#open, yes.most + no.most)
      return
    }
    if (depth === this.#levels || yes.count * no.count <= FEW_PAIRS) {
      this.#tryPairs(yes, no)
      return
    }
    const next = this.#listsAt(depth + 1)
    // Both vectors with the opposite signs have the same error: the first bin needs one sign only.
    for (const sign of depth === 0 ? [1] : [1, -1]) {
      this.#work.left -= yes.count + no.count
      fix(next.yes, yes, this.#yes.values, this.#levels, this.#order[depth], sign)
      fix(next.no, no, this.#no.values, this.#levels, this.#order[depth], sign)
      drop(next.yes, this.#best.error - next.no.most)
      drop(next.no, this.#best.error - next.yes.most)
      this.#branch(depth + 1)
    }
  }

  #tryPairs(yes: Candidates, no: Candidates): void {
    for (let i = 0; i < yes.count; i++) {
      for (let j = 0; j < no.count; j++) {
        if (yes.reach[i] + no.reach[j] <= this.#best.error) continue
        this.#work.left -= this.#levels
        this.#try(yes.codes[i], no.codes[j])
      }
    }
  }

  #listsAt(depth: number): { readonly yes: Candidates; readonly no: Candidates } {
    const most = this.#yes.norms.length
    while (this.#lists.length <= depth)
      this.#lists.push({ yes: emptyCandidates(most), no: emptyCandidates(most) })
    return this.#lists[depth]
  }
}

const emptyCandidates = (vectors: number): Candidates => ({
  codes: new Int32Array(2 * vectors),
  reach: new Float64Array(2 * vectors),
  count: 0,
  most: 0,
})

/** Every vector and its opposite: each reaches its norm. */
function fill(into: Candidates, { count, norms }: SideVectors): void {
  into.count = 2 * count
  into.most = 0
  for (let code = 0; code < 2 * count; code++) {
    const norm = norms[code >> 1]
    into.codes[code] = code
    into.reach[code] = norm
    if (norm > into.most) into.most = norm
  }
}

/** What is left of each vector's reach when one more bin has its sign. */
function fix(
  into: Candidates,
  from: Candidates,
  values: Float64Array,
  levels: number,
  level: number,
  sign: number,
): void {
  let most = -1
  for (let place = 0; place < from.count; place++) {
    const code = from.codes[place]
    const value = (code & 1 ? -sign : sign) * values[(code >> 1) * levels + level]
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

/** The vector, with its sign, whose sum with these signs of the bins is largest; the first best wins. */
function bestFor({ count, values }: SideVectors, signs: Float64Array): number {
  const levels = signs.length
  let [best, code] = [-1, 0]
  for (let place = 0; place < count; place++) {
    let sum = 0
    for (let level = 0; level < levels; level++) sum += signs[level] * values[place * levels + level]
    if (Math.abs(sum) <= best) continue
    best = Math.abs(sum)
    code = 2 * place + (sum < 0 ? 1 : 0)
  }
  return code
}
