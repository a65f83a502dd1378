// The best split of a node from its sums, as both kernels see it: they have to agree to the bit.

import { expect } from 'vitest'
import {
  askFor,
  type BestSplit,
  describeSplit,
  type NodeTotal,
  type SplitRules,
} from '../../../src/boost/forest/splits.ts'
import {
  type ForestFeature,
  type FoundSplit,
  findSplit,
  type SplitQuestion,
} from '../../../src/engine/memory/forest/bestSplit.ts'
import {
  ANSWER_BYTES,
  FEATURE_KINDS,
  QUESTION_BYTES,
  readAnswer,
  writeQuestion,
} from '../../../src/engine/memory/forest/scan.ts'
import { type KernelChoice, loadKernels } from '../../../src/engine/memory/load.ts'
import { Room } from '../../../src/engine/memory/room.ts'

export function findBestSplit(
  sums: Float64Array,
  features: readonly ForestFeature[],
  total: NodeTotal,
  rules: SplitRules,
): BestSplit | undefined {
  const question = askFor(total, rules)
  return describeSplit(scan(sums, features, question), question, features, rules, total.weightScale)
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
  const room = new Room(memory, 1024)
  const categories = question.sets === undefined ? 'categories' : 'sets'
  let cell = 0
  const table = features.flatMap(({ bins, ordered }, index) => {
    const isScore = index === features.length - 1
    const kind = FEATURE_KINDS[isScore ? 'score' : ordered ? 'numbers' : categories]
    cell += bins
    return [0, cell - bins, bins, kind]
  })
  const at = {
    table: room.write(table),
    sums: room.take(sums.byteLength),
    question: room.take(QUESTION_BYTES),
    answer: room.take(ANSWER_BYTES),
  }
  new Float64Array(memory.buffer).set(sums, at.sums >>> 3)
  writeQuestion(memory.buffer, at.question, question)
  kernels.forestScan(at.sums, at.table, features.length, at.question, at.answer)
  return readAnswer(memory.buffer, at.answer)
}

function sorted(found: FoundSplit | undefined): FoundSplit | undefined {
  if (found?.side.kind !== 'in') return found
  return { ...found, side: { kind: 'in', bins: [...found.side.bins].sort((a, b) => a - b) } }
}
