// The best split of a node from its sums, as both kernels see it: they have to agree to the bit.

import { expect } from 'vitest'
import {
  countsRows,
  type ForestSplit,
  type SplitRules,
  splitNumbers,
  splitOf,
} from '../../src/forest/splits.ts'
import {
  type ForestFeature,
  type FoundSplit,
  findSplit,
  type SplitQuestion,
  wholeValue,
} from '../../src/kernels/forest/bestSplit.ts'
import { SECOND_UNIT } from '../../src/kernels/forest/growTree.ts'
import { questionOf } from '../../src/kernels/forest/plan.ts'
import {
  ANSWER_BYTES,
  FEATURE_KINDS,
  QUESTION_BYTES,
  readAnswer,
  SCAN_SCRATCH_BYTES,
  writeQuestion,
} from '../../src/kernels/forest/scan.ts'
import { type KernelChoice, loadKernels } from '../../src/kernels/load.ts'
import { Scratch } from '../../src/kernels/scratch.ts'

interface NodeTotal {
  readonly first: number
  readonly second: number
  readonly rows?: number
}

interface BestSplit {
  readonly split: ForestSplit
  /** In nats. */
  readonly gain: number
  /** Of its leaves. */
  readonly ridge: number
}

export function findBestSplit(
  sums: Float64Array,
  features: readonly ForestFeature[],
  { first, rows = 1, second }: NodeTotal,
  rules: SplitRules,
  draw = 0,
): BestSplit | undefined {
  const numbers = { ...splitNumbers(rules, 1), rate: 1, largestStep: 1, draw }
  const { sets, ...asked } = questionOf(numbers, {
    first,
    second,
    node: 0,
    rows: countsRows(rules) ? rows : 1,
  })
  const question = rules.categories === undefined ? asked : { ...asked, sets }
  const found = scan(sums, features, question)
  if (found === undefined) return undefined
  const gain = (found.value - wholeValue(question)) / numbers.nat
  if (gain <= rules.leastGain) return undefined
  return { split: splitOf(found, features.length - 1), gain, ridge: found.ridge / SECOND_UNIT }
}

/** Bins of a set in ascending order. */
export function scan(
  sums: Float64Array,
  features: readonly ForestFeature[],
  question: SplitQuestion,
): FoundSplit | undefined {
  const meant = sorted(findSplit(sums, features, question))
  for (const choice of ['wasm', 'twin'] as const) {
    expect(sorted(ask(choice, sums, features, question)), choice).toEqual(meant)
  }
  return meant
}

function ask(
  choice: KernelChoice,
  sums: Float64Array,
  features: readonly ForestFeature[],
  question: SplitQuestion,
): FoundSplit | undefined {
  const { kernels, memory } = loadKernels(choice)
  const scratch = new Scratch(memory, 1024)
  const categories = question.sets === undefined ? 'categories' : 'sets'
  let cell = 0
  const table = features.flatMap(({ bins, ordered }, index) => {
    const isScore = index === features.length - 1
    const kind = FEATURE_KINDS[isScore ? 'score' : ordered ? 'numbers' : categories]
    cell += bins
    return [0, cell - bins, bins, kind]
  })
  const at = {
    table: scratch.write(table),
    sums: scratch.take(sums.byteLength),
    question: scratch.take(QUESTION_BYTES),
    answer: scratch.take(ANSWER_BYTES),
    scratch: scratch.take(SCAN_SCRATCH_BYTES),
  }
  new Float64Array(memory.buffer).set(sums, at.sums >>> 3)
  writeQuestion(memory.buffer, at.question, question)
  kernels.forestScan(at.sums, at.table, features.length, at.question, at.answer, at.scratch)
  return readAnswer(memory.buffer, at.answer)
}

function sorted(found: FoundSplit | undefined): FoundSplit | undefined {
  if (found?.side.kind !== 'in') return found
  return { ...found, side: { kind: 'in', bins: [...found.side.bins].sort((a, b) => a - b) } }
}
