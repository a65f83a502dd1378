// How the kernel that looks for splits is asked, and how it answers: doubles in memory, and the bins of a set as bytes.

import type { FoundSplit, SplitQuestion, YesSide } from './bestSplit.ts'

/** What a feature is to the kernel; in its table, after its column, its first cell and its bins. */
export const FEATURE_KINDS = { numbers: 0, score: 1, categories: 2, sets: 3 } as const

const QUESTION_DOUBLES = 12
export const QUESTION_BYTES = 8 * QUESTION_DOUBLES

/** Seven doubles, and the bins of a set. */
export const ANSWER_BYTES = 56 + 256
const LIST = 56

/** Scratch to put 256 categories in order. */
export const SCAN_SCRATCH_BYTES = 256 + 8 * 256

/** Forms of the yes side; 0 is no split at all. */
const [AT_MOST, AT_MOST_OR_MISSING, MISSING, FIRST_BINS, LISTED_BINS] = [1, 2, 3, 4, 5]

export function writeQuestion(buffer: ArrayBuffer, at: number, question: SplitQuestion): void {
  const { chance, draw, first, least, ridge, second, sets } = question
  const doubles = new Float64Array(buffer, at, QUESTION_DOUBLES)
  doubles.set([first, second, ridge, least, chance])
  doubles[11] = draw
  if (sets !== undefined) {
    doubles.set([sets.ridge, sets.smooth, sets.known, sets.joined, sets.most, sets.fewBins], 5)
  }
}

export function readQuestion(buffer: ArrayBuffer, at: number): SplitQuestion {
  const doubles = new Float64Array(buffer, at, QUESTION_DOUBLES)
  const [first, second, ridge, least, chance] = doubles
  const [setRidge, smooth, known, joined, most, fewBins, draw] = doubles.subarray(5)
  const sets = { ridge: setRidge, smooth, known, joined, most, fewBins }
  return { first, second, ridge, least, chance, draw, sets }
}

export function writeAnswer(buffer: ArrayBuffer, at: number, found: FoundSplit | undefined): void {
  const doubles = new Float64Array(buffer, at, 7)
  if (found === undefined) {
    doubles[5] = 0
    return
  }
  const { feature, first, ridge, second, side, value } = found
  const bins = side.kind === 'in' ? side.bins : []
  const form =
    side.kind === 'in'
      ? LISTED_BINS
      : side.kind === 'missing'
        ? MISSING
        : side.missing
          ? AT_MOST_OR_MISSING
          : AT_MOST
  doubles.set([value, ridge, first, second, feature, form, side.kind === 'atMost' ? side.bin : bins.length])
  new Uint8Array(buffer, at + LIST, 256).set(bins)
}

export function readAnswer(buffer: ArrayBuffer, at: number): FoundSplit | undefined {
  const [value, ridge, first, second, feature, form, bin] = new Float64Array(buffer, at, 7)
  if (form === 0) return undefined
  return { value, ridge, first, second, feature, side: readSide(buffer, at, form, bin) }
}

function readSide(buffer: ArrayBuffer, at: number, form: number, bin: number): YesSide {
  if (form === LISTED_BINS) return { kind: 'in', bins: [...new Uint8Array(buffer, at + LIST, bin)] }
  if (form === FIRST_BINS) return { kind: 'in', bins: Array.from({ length: bin + 1 }, (_, each) => each) }
  if (form === MISSING) return { kind: 'missing' }
  return { kind: 'atMost', bin, missing: form === AT_MOST_OR_MISSING }
}
