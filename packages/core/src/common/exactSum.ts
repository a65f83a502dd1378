// Sums of any numbers that do not depend on their order: what every addition loses is kept, and the whole is rounded once (Shewchuk, 1997).

export class ExactSum {
  /** Their sum is the sum; in ascending size, and no two of them share a digit. */
  readonly #parts: number[] = []

  add(value: number): void {
    const parts = this.#parts
    let [sum, kept] = [value, 0]
    for (let index = 0; index < parts.length; index++) {
      const [high, low] = addTwo(sum, parts[index])
      if (low !== 0) parts[kept++] = low
      sum = high
    }
    parts.length = kept
    parts.push(sum)
  }

  /** The nearest number there is; of two that are as near, the even one. */
  value(): number {
    const parts = this.#parts
    let index = parts.length - 1
    let [sum, rest] = [index < 0 ? 0 : parts[index--], 0]
    while (index >= 0 && rest === 0) [sum, rest] = addTwo(sum, parts[index--])
    // Half a last digit was rounded to even, but what is below it says on which side the sum is.
    if (index >= 0 && rest < 0 === parts[index] < 0) {
      const further = sum + 2 * rest
      if (further - sum === 2 * rest) return further
    }
    return sum
  }
}

/** The rounded sum of two numbers, and what it lacks. */
function addTwo(a: number, b: number): readonly [number, number] {
  const [large, small] = Math.abs(a) < Math.abs(b) ? [b, a] : [a, b]
  const sum = large + small
  return [sum, small - (sum - large)]
}
