// One root split: which auditor of its two sides has the largest K1? Below a root each side is left whole or split once more,
// and its leaves have signs, so a side adds one vector over prediction bins: the sum of its leaves' residuals, each with its
// sign. K1 of the tree is the l1 norm of the sum of two vectors, one of either side, each with any sign.
//
// That is the largest, over signs s of the bins, of (s, a) + (s, b), and for given s the two sides are apart. So the signs are
// searched: with some of them fixed, a vector reaches at most its sum over these bins plus its absolute values in the others,
// and the best of either side bound every pair. Vectors that cannot be part of a better pair are dropped on the way; few pairs
// are tried one by one, block of bins by block of bins, until one cannot be better. All sums are whole numbers below 2^53:
// nothing is rounded.

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

/** So many pairs at most are tried one by one, without a search: most of them end after their first block. */
const MANY_PAIRS = 2 ** 18

/** In a search the pairs that are left are those that are hard to part: fewer of them are tried. */
const FEW_PAIRS = 64

/** Bins after which a pair is asked whether it can still be better. */
const BLOCK = 8

/** One for all roots of a search: the lists it works with are made once. */
export class SignSearch {
  readonly #yes: OrderedSide
  readonly #no: OrderedSide
  readonly #levels: number
  readonly #work: Work
  #best: BestPair = { error: 0, yes: -1, no: -1 }
  #open = 0
  /** Candidates at every depth of the search, made when first needed. */
  readonly #lists: { readonly yes: Candidates; readonly no: Candidates }[] = []

  /** `yes` and `no` are filled anew for every run. Signs are fixed in the given order: heavy bins part the vectors best. */
  constructor(yes: SideVectors, no: SideVectors, order: readonly number[], work: Work) {
    this.#yes = new OrderedSide(yes, order)
    this.#no = new OrderedSide(no, order)
    this.#levels = order.length
    this.#work = work
  }

  /**
   * The best pair with an error above `least`, if there is one, and what pairs may reach that the work did not suffice for;
   * else 0. A climb before the search makes it shorter where `least` is far from the best.
   */
  run(least: number, climbs: boolean): { readonly best: BestPair | undefined; readonly open: number } {
    this.#best = { error: least, yes: -1, no: -1 }
    this.#open = 0
    this.#yes.read()
    this.#no.read()
    const { no, yes } = this.#listsAt(0)
    // Both vectors with the opposite signs have the same error: those of one side need one sign only.
    fill(yes, this.#yes.vectors, 1)
    fill(no, this.#no.vectors, 2)
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
  #climb({ values, vectors: { count, norms }, width }: OrderedSide): void {
    let start = 0
    for (let place = 1; place < count; place++) if (norms[place] > norms[start]) start = place
    const signs = Float64Array.from({ length: this.#levels }, (_, bin) =>
      values[start * width + bin] < 0 ? -1 : 1,
    )
    for (let error = -1; ; ) {
      const yes = this.#yes.bestFor(signs)
      const no = this.#no.bestFor(signs)
      this.#work.left -= (this.#yes.vectors.count + this.#no.vectors.count) * this.#levels
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
    const [{ splits: ofYes }, { splits: ofNo }] = [this.#yes.vectors, this.#no.vectors]
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
    for (let i = 0; i < yes.count; i++) {
      for (let j = 0; j < no.count; j++) {
        if (yes.reach[i] + no.reach[j] <= this.#best.error) continue
        const error = this.#tryPair(yes.codes[i], no.codes[j])
        if (error > this.#best.error) this.#take(yes.codes[i], no.codes[j], error)
      }
    }
  }

  /** The error of a pair, or one that is not above the best where it cannot be. */
  #tryPair(yes: number, no: number): number {
    const { blocks, rests: restsA, values: a } = this.#yes
    const { rests: restsB, values: b } = this.#no
    const least = this.#best.error
    const sign = (yes ^ no) & 1 ? -1 : 1
    const [blockA, blockB] = [(yes >> 1) * blocks, (no >> 1) * blocks]
    let error = 0
    for (let block = 0; block < blocks; block++) {
      const atA = (blockA + block) * BLOCK
      const atB = (blockB + block) * BLOCK
      // Two sums: neither waits for the other.
      let [even, odd] = [0, 0]
      for (let bin = 0; bin < BLOCK; bin += 2) {
        even += Math.abs(a[atA + bin] + sign * b[atB + bin])
        odd += Math.abs(a[atA + bin + 1] + sign * b[atB + bin + 1])
      }
      error += even + odd
      this.#work.left -= BLOCK
      if (error + restsA[blockA + block] + restsB[blockB + block] <= least) return least
    }
    return error
  }

  #listsAt(depth: number): { readonly yes: Candidates; readonly no: Candidates } {
    const most = this.#yes.vectors.norms.length
    while (this.#lists.length <= depth)
      this.#lists.push({ yes: emptyCandidates(most), no: emptyCandidates(most) })
    return this.#lists[depth]
  }
}

/** The vectors of a side with their bins in the order in which signs are fixed, and zeros behind them: blocks are whole. */
class OrderedSide {
  readonly vectors: SideVectors
  /** At [place * width + bin]. */
  readonly values: Float64Array
  readonly width: number
  /** What the bins behind each block add to a norm: at [place * blocks + block]. */
  readonly rests: Float64Array
  readonly blocks: number
  readonly #order: readonly number[]

  constructor(vectors: SideVectors, order: readonly number[]) {
    const most = vectors.norms.length
    this.vectors = vectors
    this.blocks = Math.ceil(order.length / BLOCK)
    this.width = this.blocks * BLOCK
    this.values = new Float64Array(most * this.width)
    this.rests = new Float64Array(most * this.blocks)
    this.#order = order
  }

  /** Reads the vectors as they are now. */
  read(): void {
    const { count, norms, values } = this.vectors
    const order = this.#order
    const levels = order.length
    for (let place = 0; place < count; place++) {
      const into = place * this.width
      let rest = norms[place]
      for (let bin = 0; bin < levels; bin++) {
        const value = values[place * levels + order[bin]]
        this.values[into + bin] = value
        rest -= Math.abs(value)
        // The last bin of a block is the last to write its place.
        this.rests[place * this.blocks + Math.floor(bin / BLOCK)] = rest
      }
    }
  }

  /** The vector, with its sign, whose sum with these signs of the bins is largest; the first best wins. */
  bestFor(signs: Float64Array): number {
    let [best, code] = [-1, 0]
    for (let place = 0; place < this.vectors.count; place++) {
      const at = place * this.width
      let sum = 0
      for (let bin = 0; bin < signs.length; bin++) sum += signs[bin] * this.values[at + bin]
      if (Math.abs(sum) <= best) continue
      best = Math.abs(sum)
      code = 2 * place + (sum < 0 ? 1 : 0)
    }
    return code
  }
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
  { values, width }: OrderedSide,
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
