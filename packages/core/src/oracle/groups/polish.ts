// From a group that a search over coarse bins found to the one that was meant: every condition in turn gives way to the best
// one on fine bins, a condition that says nothing is dropped, and a third is added where it says much.

import { groupTree } from '../../classes/groups.ts'
import { fineSteps } from '../../classes/splits.ts'
import type { CellSums, Engine } from '../../engine/engine.ts'
import { emptyCells, sliceCells } from '../../engine/pairs/cells.ts'
import type { Condition } from '../../engine/update.ts'
import type { FeatureSchema } from '../../quantize/schema.ts'
import { flattenSteps } from '../scan.ts'
import type { Evidence } from './evidence.ts'
import type { Candidate } from './search.ts'

export interface Workplace {
  readonly engine: Engine
  readonly fold: number
  readonly levelCuts: Int32Array
  readonly schemas: readonly FeatureSchema[]
  readonly features: readonly number[]
}

/** What a third condition has to add, and what a condition has to be worth to stay. */
const THIRD = 12
const WORTH = 3

const MOST_CONDITIONS = 3
const MOST_PASSES = 6

export async function polishGroup(
  place: Workplace,
  evidence: Evidence,
  found: Candidate,
): Promise<Candidate> {
  let current = found
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const next = await polishOnce(place, evidence, current)
    // Dropping a condition may lower the evidence, and making the group simpler is worth that.
    const isBetter = next.evidence > current.evidence || next.path.length < current.path.length
    if (!isBetter) return current
    current = next
  }
  return current
}

async function polishOnce(place: Workplace, evidence: Evidence, found: Candidate): Promise<Candidate> {
  let current = found
  for (let index = 0; index < current.path.length; index++) {
    const rest = current.path.filter((_, other) => other !== index)
    const { best, whole } = await bestCondition(place, evidence, rest)
    if (whole > current.evidence - WORTH) {
      current = { path: rest, evidence: whole }
      index--
    } else if (best.evidence > current.evidence) {
      current = { path: current.path.with(index, best.condition!), evidence: best.evidence }
    }
  }
  if (current.path.length >= MOST_CONDITIONS) return current
  const { best } = await bestCondition(place, evidence, current.path)
  // Two conditions are what was searched for all along; a third has to say much.
  const asked = current.path.length < 2 ? WORTH : THIRD
  if (best.evidence <= current.evidence + asked) return current
  return { path: [...current.path, best.condition!], evidence: best.evidence }
}

interface Best {
  condition?: Condition
  evidence: number
}

/** The best condition to add to others, and what they have without it. */
async function bestCondition(
  { engine, features, fold, levelCuts, schemas }: Workplace,
  evidence: Evidence,
  path: readonly Condition[],
): Promise<{ best: Best; whole: number }> {
  const levels = levelCuts.length + 1
  const question = { fold, levels, levelCuts, tree: groupTree(path), leaves: [0] }
  const histogram = await engine.histogram({ ...question, features, resolution: 'fine' })
  const scratch = { total: emptyCells(levels), yes: emptyCells(levels), no: emptyCells(levels) }
  const best: Best = { evidence: 0 }
  let whole = 0
  for (const [index, feature] of features.entries()) {
    const bins = engine.shape.binCounts[feature]
    const cells = sliceCells(histogram, histogram.offsets[index], bins * levels)
    if (index === 0) {
      sumBins(scratch.total, cells, levels)
      whole = evidence.weigh(scratch.total.counts, scratch.total.residuals)
    }
    scanColumn(best, schemas[feature], feature, evidence, cells, scratch)
  }
  return { best, whole }
}

interface Scratch {
  readonly total: CellSums
  readonly yes: CellSums
  readonly no: CellSums
}

function scanColumn(
  best: Best,
  schema: FeatureSchema,
  feature: number,
  evidence: Evidence,
  cells: CellSums,
  { no, total, yes }: Scratch,
): void {
  const { levels } = evidence
  const missing = cells.counts.length / levels - 1
  let anyMissing = false
  for (let level = 0; level < levels; level++) anyMissing ||= cells.counts[missing * levels + level] > 0
  const { bins, resets, splitIndexes, splits } = flattenSteps(fineSteps(schema, feature, anyMissing))
  for (let step = 0; step < bins.length; step++) {
    const from = bins[step] * levels
    for (let level = 0; level < levels; level++) {
      const fresh = step === 0 || resets[step] === 1
      yes.counts[level] = (fresh ? 0 : yes.counts[level]) + cells.counts[from + level]
      yes.residuals[level] = (fresh ? 0 : yes.residuals[level]) + cells.residuals[from + level]
      no.counts[level] = total.counts[level] - yes.counts[level]
      no.residuals[level] = total.residuals[level] - yes.residuals[level]
    }
    if (splitIndexes[step] < 0) continue
    for (const side of [yes, no]) {
      const found = evidence.weigh(side.counts, side.residuals)
      if (found <= best.evidence) continue
      best.evidence = found
      best.condition = { split: splits[splitIndexes[step]], yes: side === yes }
    }
  }
}

function sumBins(into: CellSums, { counts, residuals }: CellSums, levels: number): void {
  for (let cell = 0; cell < counts.length; cell++) {
    into.counts[cell % levels] += counts[cell]
    into.residuals[cell % levels] += residuals[cell]
  }
}
