// Texts to codes. The dictionary is sorted as bytes of UTF-8 are, which is the order of the command line.

/** Codes in the order of first sight while filling; sorted at the end. */
export class Dictionary {
  readonly #codes = new Map<string, number>()

  get size(): number {
    return this.#codes.size
  }

  /** -1 where it is empty, which means missing. */
  codeOf(text: string): number {
    if (text === '') return -1
    const known = this.#codes.get(text)
    if (known !== undefined) return known
    const code = this.#codes.size
    this.#codes.set(text, code)
    return code
  }

  /** The sorted texts; `codes` are changed to point into them. */
  finish(codes: Int32Array): string[] {
    const texts = [...this.#codes.keys()]
    const order = texts.map((_, code) => code).sort((a, b) => compareTexts(texts[a], texts[b]))
    const places = new Int32Array(texts.length)
    for (const [place, code] of order.entries()) places[code] = place
    for (let row = 0; row < codes.length; row++) if (codes[row] >= 0) codes[row] = places[codes[row]]
    return order.map(code => texts[code])
  }
}

/** By code points; JavaScript's own order goes by halves of them. */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const [x, y] = [a.charCodeAt(index), b.charCodeAt(index)]
    if (x !== y) return rank(x) - rank(y)
  }
  return a.length - b.length
}

/** Halves of code points beyond 65,535 come after all others. */
const rank = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800)
