// The largest sum of mass times h(position) over all functions h with values in [-1,1] that change by no more than positions do
// (1-Lipschitz): a linear program, solved exactly in O(n log n).
//
// Its dual is easier. Masses may be carried from a position to the next, which costs the distance, and what is left over anywhere
// costs its size. With S the running sum of masses and G the running sum of what is left over, carried are S - G, so the cost is
//
//     sum of |G_k - G_{k-1}| + sum of d_k |S_k - G_k|,   G_0 = 0, G_n = S_n,
//
// where d_k is the distance from position k to the next. Let U(g) be the least cost so far with G at g: convex, made of straight
// pieces whose slopes rise from -1 to 1, at breakpoints whose weights (by how much the slope rises there) sum to 2. The next position
// adds a breakpoint at S_k of weight 2 d_k; that G may change at a cost of 1 cuts the slopes back to -1 and 1, which takes d_k from the
// lowest breakpoints and d_k from the highest. Each goes once.

export class LipschitzMaximum {
  /** Of breakpoints, by number. */
  readonly #places: Float64Array
  readonly #weights: Float64Array
  readonly #lowest: Heap
  readonly #highest: Heap

  /** For so many positions at most. */
  constructor(count: number) {
    this.#places = new Float64Array(count + 1)
    this.#weights = new Float64Array(count + 1)
    this.#lowest = new Heap(this.#places, 1)
    this.#highest = new Heap(this.#places, -1)
  }

  /** Positions ascend. */
  of(positions: ArrayLike<number>, masses: ArrayLike<number>): number {
    this.#lowest.clear()
    this.#highest.clear()
    this.#add(0, 0, 2)
    let sum = 0
    // U(g) is -g and this, below all breakpoints.
    let offset = 0
    for (let index = 0; index + 1 < masses.length; index++) {
      sum += masses[index]
      const distance = positions[index + 1] - positions[index]
      if (distance === 0) continue
      this.#add(index + 1, sum, 2 * distance)
      offset += distance * sum - this.#take(this.#lowest, distance)
      this.#take(this.#highest, distance)
    }
    sum += masses.length > 0 ? masses[masses.length - 1] : 0
    return Math.max(0, this.#valueAt(sum, offset))
  }

  #add(number: number, place: number, weight: number): void {
    this.#places[number] = place
    this.#weights[number] = weight
    this.#lowest.push(number)
    this.#highest.push(number)
  }

  /** Takes so much weight from one end; the sum of weight times place of what was taken. */
  #take(heap: Heap, weight: number): number {
    let [left, taken] = [weight, 0]
    while (left > 0 && heap.size > 0) {
      const first = heap.first()
      const part = Math.min(left, this.#weights[first])
      taken += part * this.#places[first]
      left -= part
      this.#weights[first] -= part
      if (this.#weights[first] <= 0) heap.pop()
    }
    return taken
  }

  #valueAt(place: number, offset: number): number {
    let value = offset - place
    for (const number of this.#lowest.members())
      value += this.#weights[number] * Math.max(0, place - this.#places[number])
    return value
  }
}

/** Numbers, the one with the lowest key (times `sign`) first. What the other end has used up has no weight left and is passed over. */
class Heap {
  readonly #keys: Float64Array
  readonly #sign: 1 | -1
  readonly #members: Int32Array
  size = 0

  constructor(keys: Float64Array, sign: 1 | -1) {
    this.#keys = keys
    this.#sign = sign
    this.#members = new Int32Array(keys.length)
  }

  clear(): void {
    this.size = 0
  }

  first(): number {
    return this.#members[0]
  }

  members(): Int32Array {
    return this.#members.subarray(0, this.size)
  }

  push(number: number): void {
    const key = this.#key(number)
    let at = this.size++
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (this.#key(this.#members[parent]) <= key) break
      this.#members[at] = this.#members[parent]
      at = parent
    }
    this.#members[at] = number
  }

  pop(): void {
    const last = this.#members[--this.size]
    const key = this.#key(last)
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= this.size) break
      if (child + 1 < this.size && this.#key(this.#members[child + 1]) < this.#key(this.#members[child]))
        child++
      if (this.#key(this.#members[child]) >= key) break
      this.#members[at] = this.#members[child]
      at = child
    }
    this.#members[at] = last
  }

  #key(number: number): number {
    return this.#sign * this.#keys[number]
  }
}
