// The few best of very many, in order; of equal ones the first come first.

export class TopList<T> {
  readonly #capacity: number
  readonly #entries: { score: number; value: T }[] = []

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** A score must exceed this to get in. */
  get threshold(): number {
    if (this.#entries.length < this.#capacity) return Number.NEGATIVE_INFINITY
    return this.#entries[this.#entries.length - 1].score
  }

  add(score: number, value: T): void {
    if (score <= this.threshold) return
    let at = this.#entries.length
    while (at > 0 && this.#entries[at - 1].score < score) at--
    this.#entries.splice(at, 0, { score, value })
    if (this.#entries.length > this.#capacity) this.#entries.pop()
  }

  values(): T[] {
    return this.#entries.map(entry => entry.value)
  }
}
