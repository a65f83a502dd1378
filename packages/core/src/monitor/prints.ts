// A print of a batch: what tells it from others, whatever the order of its rows and however they came in chunks. It finds a batch that is
// given twice, not a forger.

import { hashToHex } from '../common/hash.ts'
import type { Column } from '../data/column.ts'
import { CopyCounter } from '../data/copyCounter.ts'
import { hashContent, hashFurther, type RowHashes } from '../data/rowHash.ts'

export class BatchPrint {
  readonly #rows = { a: 0, b: 0 }
  readonly #labelled = { a: 0, b: 0 }
  readonly #counter = new CopyCounter()
  #rowCount = 0
  /** Rows that are like an earlier one of the batch, the outcome included where it is known. */
  copyCount = 0

  /** `label` where outcomes are known. */
  add(columns: readonly Column[], label: Column | undefined): void {
    const hashes = hashContent(columns, 0)
    addAll(this.#rows, hashes)
    const whole = label === undefined ? hashes : hashFurther(hashes, [label])
    if (label !== undefined) addAll(this.#labelled, whole)
    this.#counter.expect(whole.a.length)
    for (let row = 0; row < whole.a.length; row++)
      if (this.#counter.count(whole.a[row], whole.b[row]) > 0) this.copyCount++
    this.#rowCount += hashes.a.length
  }

  /** Without labels, and with them. */
  finish(): { readonly rows: string; readonly labelled: string } {
    this.#counter.close()
    const count = this.#rowCount.toString(16)
    return {
      rows: `${count}-${hashToHex(this.#rows)}`,
      labelled: `${count}-${hashToHex(this.#labelled)}`,
    }
  }
}

/** Sums modulo 2^32: the order of rows does not matter. */
function addAll(sum: { a: number; b: number }, { a, b }: RowHashes): void {
  for (let row = 0; row < a.length; row++) {
    sum.a = (sum.a + a[row]) | 0
    sum.b = (sum.b + b[row]) | 0
  }
}
