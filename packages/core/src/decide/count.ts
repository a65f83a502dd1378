// One reading of the rows: which actions both scores lead to, for everyone and for groups, what they cost, and the mean score of every
// level.

import type { Group } from '../classes/groups.ts'
import { matchRows } from '../classes/matches.ts'
import { predicatesOfPath } from '../classes/predicates.ts'
import { type ModelScores, numbersOf } from '../compare/modelScores.ts'
import { isSource } from '../data/source.ts'
import type { Table } from '../data/table.ts'
import type { Estimate } from '../measures/score/scoredRows.ts'
import type { FeatureSchema } from '../quantize/schema.ts'
import type { Rounding } from '../round/discretize.ts'
import { LevelMeans, type Levels } from './levels.ts'
import { chooseActions, type DecisionLoss, slopeOf } from './losses.ts'
import { type ActionFacts, type ActionSums, emptySums, factsOf, LossChange, weightOf } from './tally.ts'

interface CountOptions {
  readonly losses: readonly DecisionLoss[]
  readonly groups: readonly Group[]
  readonly features: readonly FeatureSchema[]
  /** Columns; without a label nothing is said of losses. */
  readonly label?: string
  readonly weight?: string
  /** Of each loss. */
  readonly levels?: readonly Levels[]
  readonly confidence?: number
}

interface CountedScore {
  readonly facts: ActionFacts
  readonly rounding?: Rounding
}

export interface CountedGroup {
  readonly group: string
  /** Rows; with weights, as if each counted its weight over the mean weight. */
  readonly weight: number
  readonly before: ActionFacts
  readonly after: ActionFacts
}

export interface CountedLoss {
  readonly loss: DecisionLoss
  readonly before: CountedScore
  readonly after: CountedScore
  readonly change?: Estimate
  readonly groups: readonly CountedGroup[]
}

export interface Counted {
  readonly rowCount: number
  readonly losses: readonly CountedLoss[]
}

const SIDES = ['before', 'after'] as const
type Sides<T> = Readonly<Record<(typeof SIDES)[number], T>>

export async function countDecisions(
  { after, before, rows }: ModelScores,
  options: CountOptions,
): Promise<Counted> {
  const counters = options.losses.map(
    (loss, index) => new LossCounter(loss, options, options.levels?.[index]),
  )
  const wheres = options.groups.map(({ path }) => predicatesOfPath(path, options.features))
  let rowCount = 0
  for await (const chunk of isSource(rows) ? rows.chunks() : [rows]) {
    const members = wheres.map(where => matchRows(chunk, where))
    const scores = { before: columnOf(chunk, before), after: columnOf(chunk, after) }
    for (const counter of counters) counter.add(chunk, scores, members)
    rowCount += chunk.rowCount
  }
  return { rowCount, losses: counters.map(counter => counter.finish(rowCount)) }
}

function columnOf(chunk: Table, name: string): Float64Array {
  const numberAt = numbersOf(chunk, name)
  return Float64Array.from({ length: chunk.rowCount }, (_, row) => numberAt(row))
}

class LossCounter {
  readonly #loss: DecisionLoss
  readonly #options: CountOptions
  /** Of everyone first, then of the groups. */
  readonly #sums: readonly Sides<ActionSums>[]
  readonly #means: Sides<LevelMeans> | undefined
  readonly #change = new LossChange()

  constructor(loss: DecisionLoss, options: CountOptions, levels: Levels | undefined) {
    this.#loss = loss
    this.#options = options
    this.#sums = [undefined, ...options.groups].map(() => ({
      before: emptySums(loss),
      after: emptySums(loss),
    }))
    this.#means = levels && { before: new LevelMeans(levels), after: new LevelMeans(levels) }
  }

  add(chunk: Table, scores: Sides<Float64Array>, members: readonly Uint8Array[]): void {
    const { label, weight } = this.#options
    const labelOf = label === undefined ? () => 0 : numbersOf(chunk, label)
    const weightAt = weight === undefined ? () => 1 : numbersOf(chunk, weight)
    const actions = {
      before: chooseActions(this.#loss, scores.before),
      after: chooseActions(this.#loss, scores.after),
    }
    const costOf = (action: number, outcome: number) =>
      this.#loss.actions[action].losses[0] + outcome * slopeOf(this.#loss.actions[action])
    for (let row = 0; row < chunk.rowCount; row++) {
      const [w, y] = [weightAt(row), labelOf(row)]
      this.#change.add(costOf(actions.after[row], y) - costOf(actions.before[row], y), w)
      for (const side of SIDES) {
        this.#means?.[side].add(scores[side][row], w)
        const action = actions[side][row]
        this.#sums.forEach((sums, group) => {
          if (group > 0 && members[group - 1][row] === 0) return
          sums[side].weights[action].add(w)
          sums[side].outcomes[action].add(w * y)
        })
      }
    }
  }

  finish(rowCount: number): CountedLoss {
    const { confidence, groups, label } = this.#options
    const labelled = label !== undefined
    const [whole, ...parts] = this.#sums
    const factsFor = (sums: ActionSums) => factsOf(this.#loss, sums, labelled)
    const weight = weightOf(whole.after)
    return {
      loss: this.#loss,
      before: {
        facts: factsFor(whole.before),
        ...(this.#means && { rounding: this.#means.before.rounding() }),
      },
      after: { facts: factsFor(whole.after), ...(this.#means && { rounding: this.#means.after.rounding() }) },
      ...(labelled && { change: this.#change.estimate(confidence!) }),
      // Groups without a row are left out.
      groups: parts.flatMap((sums, index) =>
        weightOf(sums.after) === 0
          ? []
          : [
              {
                group: groups[index].words,
                weight: (weightOf(sums.after) / weight) * rowCount,
                before: factsFor(sums.before),
                after: factsFor(sums.after),
              },
            ],
      ),
    }
  }
}
