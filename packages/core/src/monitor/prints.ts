// A print of a batch: what tells it from others, whatever the order of its rows and however they came in chunks. It finds a batch that is
// given twice, not a forger.

import { hashToHex } from '../common/hash.ts'
import type { Column } from '../data/column.ts'
import { hashContent, hashFurther, type RowHashes } from '../data/rowHash.ts'

export class BatchPrint {
  readonly #rows = { a: 0, b: 0 }
  readonly #labelled = { a: 0, b: 0 }
  #rowCount = 0

  /** `label` where outcomes are known. */
  add(columns: readonly Column[], label: Column | undefined): void {
    const hashes = hashContent(columns, 0)
    addAll(this.#rows, hashes)
    if (label !== undefined) addAll(this.#labelled, hashFurther(hashes, [label]))
    this.#rowCount += hashes.a.length
  }

  /** Without labels, and with them. */
  finish(): { readonly rows: string; readonly labelled: string } {
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
