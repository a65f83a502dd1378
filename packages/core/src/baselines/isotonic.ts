// Isotonic regression: the nondecreasing function of the score with the least squared error, found by pooling neighbours
// that stand in the wrong order; linear between blocks and flat beyond the ends, as scikit-learn has it.

import { ONE } from '../common/units.ts'
import type { CurveUpdate } from '../update/update.ts'
import type { Baseline } from './baseline.ts'
import { meanUnits, type ScoreSums, sumByScore } from './rows/scores.ts'

export const isotonic: Baseline = {
  name: 'isotonic',
  title: 'Isotonic regression',
  help: 'The nondecreasing function of the score that fits best (Zadrozny and Elkan 2002, as in scikit-learn).',
  run: rows => (rows.rowCount === 0 ? [] : [isotonicCurve(sumByScore(rows, rows.start))]),
}

interface Block {
  /** The first and the last of its scores. */
  readonly first: number
  readonly last: number
  readonly weight: number
  readonly label: number
}

function isotonicCurve(sums: ScoreSums): CurveUpdate {
  const [from, to]: [number[], number[]] = [[], []]
  const put = (units: number, value: number) => {
    if (from.at(-1) === units) return
    from.push(units)
    to.push(value)
  }
  const blocks = poolViolators(sums).map(block => ({ ...block, value: meanUnits(block.label, block.weight) }))
  put(0, blocks[0].value)
  for (const { first, last, value } of blocks) {
    put(first, value)
    put(last, value)
  }
  put(ONE, blocks.at(-1)!.value)
  return { kind: 'curve', from, to }
}

function poolViolators({ label, score, weight }: ScoreSums): Block[] {
  const blocks: Block[] = []
  for (let index = 0; index < score.length; index++) {
    let block: Block = { first: score[index], last: score[index], weight: weight[index], label: label[index] }
    for (let before = blocks.at(-1); before !== undefined && meanOf(before) >= meanOf(block); ) {
      block = {
        first: before.first,
        last: block.last,
        weight: before.weight + block.weight,
        label: before.label + block.label,
      }
      blocks.pop()
      before = blocks.at(-1)
    }
    blocks.push(block)
  }
  return blocks
}

const meanOf = ({ label, weight }: Block): number => label / weight
