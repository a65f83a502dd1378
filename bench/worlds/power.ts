// Power: which gap, in a group of which size, does an audit find among how many rows? A group of the class (two cuts of
// different columns) gets labels with a gap; the score is right for everyone else.

import { audit } from '../../packages/core/src/audit/audit.ts'
import { makeRandom } from '../../packages/core/src/common/random.ts'
import { type Column, columnLength } from '../../packages/core/src/data/column.ts'
import { membersOf } from './predicates.ts'
import { seedOf } from './world.ts'

/** Shares as two cuts make them, out of twenty equal steps of two columns. */
const CUTS = [
  { share: 0.005, steps: [2, 1] },
  { share: 0.01, steps: [2, 2] },
  { share: 0.02, steps: [4, 2] },
  { share: 0.05, steps: [5, 4] },
  { share: 0.1, steps: [10, 4] },
  { share: 0.2, steps: [10, 8] },
] as const

export const GAPS = [0.01, 0.02, 0.05, 0.1, 0.2] as const

const STEPS = 20
const COLUMNS = 6

/** Rows in both over rows in either, from which on a named group is the planted one. */
const OVERLAP = 0.5

/** The standard errors beyond the critical value at which four of five are found. */
const POWER = 0.8416

export interface PowerFigure {
  readonly rows: number
  readonly share: number
  readonly gap: number
  readonly audits: number
  /** Shares of audits: p at most 0.01; and the first finding overlaps the group by half; the same at p 0.05. */
  readonly beyondNoise: number
  readonly found: number
  readonly foundAtFive: number
  /** What findings call the detectable gap, for this group: (critical z + 0.84) standard errors. */
  readonly detectable: number
}

export interface NullFigure {
  readonly rows: number
  readonly audits: number
  readonly falseAlarms: number
  readonly criticalZ: number
}

export interface PowerFigures {
  readonly planted: readonly PowerFigure[]
  readonly nothing: readonly NullFigure[]
}

/** As many audits of every gap, size and number of rows; a tenth of the rows gets all of them, more rows get half. */
export async function measurePower(
  sizes: readonly { rows: number; audits: number }[],
  seed: number,
  onProgress: (sentence: string) => void,
): Promise<PowerFigures> {
  const planted: PowerFigure[] = []
  const nothing: NullFigure[] = []
  for (const { rows, audits } of sizes) {
    const trials: Trial[] = []
    const calm: Calm[] = []
    for (let repetition = 1; repetition <= audits; repetition++) {
      const sample = drawSample(rows, seedOf(seed, rows, repetition))
      calm.push(await auditCalm(sample))
      for (const cut of CUTS) for (const gap of GAPS) trials.push(await auditPlanted(sample, cut, gap))
      onProgress(`power: ${rows} rows, repetition ${repetition} of ${audits}`)
    }
    const criticalZ = meanOf(calm, each => each.criticalZ)
    nothing.push({ rows, audits, falseAlarms: meanOf(calm, each => Number(each.alarm)), criticalZ })
    planted.push(...summarize(rows, trials, criticalZ))
  }
  return { planted, nothing }
}

interface Sample {
  readonly features: readonly Column[]
  readonly score: Float64Array
  /** What decides the label: 1 where it is below the probability. */
  readonly luck: Float64Array
}

/** Scores from 0.1 to 0.7, so that every gap leaves probabilities. */
function drawSample(rowCount: number, seed: number): Sample {
  const random = makeRandom(seed)
  const draw = (next: () => number) => Float64Array.from({ length: rowCount }, next)
  const features = Array.from(
    { length: COLUMNS },
    (_, index): Column => ({
      name: `x${index}`,
      kind: 'numeric',
      values: draw(() => random.integer(STEPS)),
    }),
  )
  return { features, score: draw(() => 0.1 + 0.6 * random.next()), luck: draw(() => random.next()) }
}

const auditSample = ({ features, luck, score }: Sample, gapOf: (row: number) => number) =>
  audit(
    {
      rowCount: score.length,
      columns: [
        ...features,
        { name: 'score', kind: 'numeric', values: score },
        {
          name: 'label',
          kind: 'numeric',
          values: luck.map((u, row) => Number(u < score[row] + gapOf(row))),
        },
      ],
    },
    { label: 'label', prediction: 'score', threads: 1 },
  )

interface Calm {
  readonly alarm: boolean
  readonly criticalZ: number
}

async function auditCalm(sample: Sample): Promise<Calm> {
  const { significance } = await auditSample(sample, () => 0)
  return { alarm: significance.beyondNoise, criticalZ: significance.criticalZ }
}

interface Trial {
  readonly share: number
  readonly gap: number
  readonly p: number
  readonly beyondNoise: boolean
  readonly named: boolean
  /** Of the gap in the planted group, if the score is right. */
  readonly error: number
}

async function auditPlanted(sample: Sample, cut: (typeof CUTS)[number], gap: number): Promise<Trial> {
  const [first, second] = cut.steps
  const members = membersOf(sample.features, [
    { column: 'x0', below: first },
    { column: 'x1', atLeast: STEPS - second },
  ])
  const { significance, worst } = await auditSample(sample, row => gap * members[row])
  const [{ scores, where }] = worst
  const found = membersOf(sample.features, where).map((member, row) => {
    const inside = scores === undefined || (sample.score[row] >= scores.from && sample.score[row] < scores.to)
    return inside ? member : 0
  })
  const { beyondNoise, p } = significance
  const named = overlapOf(members, found) >= OVERLAP
  return { share: cut.share, gap, p, beyondNoise, named, error: errorIn(sample, members) }
}

function overlapOf(one: Uint8Array, other: Uint8Array): number {
  let [both, either] = [0, 0]
  for (let row = 0; row < one.length; row++) {
    both += one[row] & other[row]
    either += one[row] | other[row]
  }
  return both / either
}

function errorIn({ features, score }: Sample, members: Uint8Array): number {
  let [variance, count] = [0, 0]
  for (let row = 0; row < columnLength(features[0]); row++) {
    variance += members[row] * score[row] * (1 - score[row])
    count += members[row]
  }
  return Math.sqrt(variance) / count
}

const meanOf = <T>(values: readonly T[], of: (value: T) => number): number =>
  values.reduce((sum, value) => sum + of(value), 0) / values.length

function summarize(rows: number, trials: readonly Trial[], criticalZ: number): PowerFigure[] {
  return CUTS.flatMap(({ share }) =>
    GAPS.map(gap => {
      const own = trials.filter(trial => trial.share === share && trial.gap === gap)
      return {
        rows,
        share,
        gap,
        audits: own.length,
        beyondNoise: meanOf(own, trial => Number(trial.beyondNoise)),
        found: meanOf(own, trial => Number(trial.beyondNoise && trial.named)),
        foundAtFive: meanOf(own, trial => Number(trial.p <= 0.05 && trial.named)),
        detectable: (criticalZ + POWER) * meanOf(own, trial => trial.error),
      }
    }),
  )
}
