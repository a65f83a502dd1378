// From a long ranking with many near copies to a short list of different groups: a candidate is passed over if it has the
// shape of one that was chosen, or shares most of its rows with one.

import { groupTree } from '../../classes/groups.ts'
import { levelOf } from '../../common/units.ts'
import type { Condition } from '../../update/update.ts'
import { findLeaf, flattenTree } from '../../update/walk.ts'
import type { Candidate } from './ranking.ts'

/** Rows in both over rows in either, above which two groups are one finding. */
const MAX_OVERLAP = 0.5

/** Rows on which overlaps are found: all of them, or a sample. */
export interface BinnedRows {
  readonly rowCount: number
  readonly bins: readonly Uint8Array[]
  readonly binCounts: readonly number[]
  /** Predictions, in units. */
  readonly predictions: Int32Array
}

/** `first`: those that are chosen already. */
export type Choose = (
  candidates: readonly Candidate[],
  wanted: number,
  first?: readonly Candidate[],
) => Candidate[]

export function makeChooser(rows: BinnedRows, levels: number): Choose {
  const membersOf = makeMembership(rows, levels)
  return (candidates, wanted, first = []) => {
    const chosen = [...first]
    for (const candidate of candidates) {
      if (chosen.length >= wanted) break
      if (chosen.includes(candidate)) continue
      if (chosen.some(other => sameShape(candidate, other))) continue
      const members = membersOf(candidate)
      const rivals = chosen.filter(other => other.level === candidate.level)
      if (rivals.every(other => overlapOf(members, membersOf(other)) <= MAX_OVERLAP)) chosen.push(candidate)
    }
    return chosen
  }
}

/** The same columns tested to the same side, at levels of which one holds the other: a cut moved a little. */
function sameShape(one: Candidate, other: Candidate): boolean {
  const levels = one.level === other.level || one.level === undefined || other.level === undefined
  return levels && shapeOf(one.path) === shapeOf(other.path)
}

const shapeOf = (path: readonly Condition[]): string =>
  path
    .map(({ split, yes }) => {
      if (split.kind === 'below') return `score ${yes}`
      return `${split.feature} ${split.kind} ${split.kind === 'in' ? split.bins.join() : ''} ${yes}`
    })
    .sort()
    .join()

/** A bit for every row of the group at its level; found once for each candidate. */
function makeMembership(
  { binCounts, bins, predictions, rowCount }: BinnedRows,
  levels: number,
): (candidate: Candidate) => Int32Array {
  const known = new Map<Candidate, Int32Array>()
  return candidate => {
    const found = known.get(candidate)
    if (found !== undefined) return found
    const members = new Int32Array(Math.ceil(rowCount / 32))
    const tree = flattenTree(groupTree(candidate.path), binCounts)
    for (let row = 0; row < rowCount; row++) {
      const { level } = candidate
      if (level !== undefined && levelOf(predictions[row], levels) !== level) continue
      if (findLeaf(tree, bins, row, 0) === 0) members[row >> 5] |= 1 << (row & 31)
    }
    known.set(candidate, members)
    return members
  }
}

function overlapOf(one: Int32Array, other: Int32Array): number {
  let [both, either] = [0, 0]
  for (let word = 0; word < one.length; word++) {
    both += countBits(one[word] & other[word])
    either += countBits(one[word] | other[word])
  }
  return either === 0 ? 0 : both / either
}

function countBits(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
