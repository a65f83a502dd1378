// Groups side by side in few columns: groups that share no row can share a column, whose bin says which of them holds the
// row. Every category of a feature then takes one column, not a hundred.

import type { BaselineGroup } from '../baseline.ts'

export interface Bundle {
  /** Per row: 0, or one more than the place of its group in `groups`. */
  readonly codes: Uint8Array
  /** Indexes of the groups. */
  readonly groups: readonly number[]
}

/** Codes fit in a byte. */
const MAX_GROUPS = 255

export function bundleGroups(groups: readonly BaselineGroup[], rowCount: number): Bundle[] {
  const bundles: { codes: Uint8Array; groups: number[] }[] = []
  for (const [index, { member }] of groups.entries()) {
    let bundle = bundles.find(one => one.groups.length < MAX_GROUPS && sharesNoRow(one.codes, member))
    if (bundle === undefined) {
      bundle = { codes: new Uint8Array(rowCount), groups: [] }
      bundles.push(bundle)
    }
    const code = bundle.groups.push(index)
    for (let row = 0; row < rowCount; row++) if (member[row] === 1) bundle.codes[row] = code
  }
  return bundles
}

function sharesNoRow(codes: Uint8Array, member: Uint8Array): boolean {
  for (let row = 0; row < codes.length; row++) if (member[row] === 1 && codes[row] !== 0) return false
  return true
}
