// From a group that a search over coarse bins found to the one that was meant: every condition in turn gives way to the best
// one on fine bins of its column, a condition that says nothing is dropped, and a third is added where it says much.

import { groupTree } from '../../classes/groups.ts'
import { declaredSteps, fineSteps } from '../../classes/splits.ts'
import type { CellSums, Engine } from '../../engine/engine.ts'
import { emptyCells, sliceCells } from '../../kernels/pairs/cells.ts'
import type { FeatureSchema } from '../../quantize/schema.ts'
import type { Condition } from '../../update/update.ts'
import { type FlatSteps, flattenSteps } from '../scan.ts'
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

const MAX_CONDITIONS = 3
const MAX_PASSES = 6

/** What speaks for a group as predictions are now. */
export async function weighGroup(
  { engine, fold, levelCuts }: Workplace,
  evidence: Evidence,
  path: readonly Condition[],
): Promise<Candidate> {
  const [{ counts, residuals }] = await engine.levelSums({
    fold,
    levels: 1,
    trees: [groupTree(path, levelCuts)],
  })
  return { path, evidence: evidence.weigh(counts, residuals) }
}

export async function polishGroup(
  place: Workplace,
  evidence: Evidence,
  found: Candidate,
): Promise<Candidate> {
  let current = found
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const refined = await refineConditions(place, evidence, current)
    const next = await addCondition(place, evidence, refined)
    if (next.path.length === current.path.length && next.evidence <= current.evidence) return current
    current = next
    if (next === refined) return current
  }
  return current
}

/** Every condition in turn: dropped, or with another cut or value of the same column. */
async function refineConditions(place: Workplace, evidence: Evidence, found: Candidate): Promise<Candidate> {
  let current = found
  for (let index = 0; index < current.path.length; index++) {
    const rest = current.path.filter((_, other) => other !== index)
    const { split } = current.path[index]
    const columns = split.kind === 'below' ? [] : [split.feature]
    const { best, whole } = await bestCondition(place, evidence, rest, columns, 'fine', current.evidence)
    if (whole > current.evidence - WORTH) {
      current = { path: rest, evidence: whole }
      index--
    } else if (best !== undefined) {
      current = { path: current.path.with(index, best.condition), evidence: best.evidence }
    }
  }
  return current
}

/** Two conditions are what was searched for all along; a third has to say much. */
async function addCondition(place: Workplace, evidence: Evidence, found: Candidate): Promise<Candidate> {
  if (found.path.length >= MAX_CONDITIONS) return found
  const asked = found.evidence + (found.path.length < 2 ? WORTH : THIRD)
  const { best } = await bestCondition(place, evidence, found.path, place.features, 'coarse', asked)
  return best === undefined ? found : { path: [...found.path, best.condition], evidence: best.evidence }
}

interface Best {
  readonly condition: Condition
  readonly evidence: number
}

/** The best condition on one of the columns to add to others, if it has more than `least`; and what they have without it. */
async function bestCondition(
  { engine, fold, levelCuts, schemas }: Workplace,
  evidence: Evidence,
  path: readonly Condition[],
  features: readonly number[],
  resolution: 'fine' | 'coarse',
  least: number,
): Promise<{ best: Best | undefined; whole: number }> {
  const levels = levelCuts.length + 1
  const question = { fold, levels, levelCuts, tree: groupTree(path), leaves: [0] }
  const histogram = await engine.histogram({ ...question, features, resolution })
  const scratch = { total: emptyCells(levels), yes: emptyCells(levels), no: emptyCells(levels) }
  let best: Best | undefined
  let whole = 0
  for (const [index, feature] of features.entries()) {
    const bins = (resolution === 'fine' ? engine.shape.binCounts : engine.shape.coarseCounts)[feature]
    const cells = sliceCells(histogram, histogram.offsets[index], bins * levels)
    if (index === 0) {
      sumBins(scratch.total, cells, levels)
      whole = evidence.weigh(scratch.total.counts, scratch.total.residuals)
    }
    best =
      scanColumn(
        splitsOf(schemas[feature], feature, resolution),
        evidence,
        cells,
        scratch,
        best?.evidence ?? least,
      ) ?? best
  }
  return { best, whole }
}

interface Scratch {
  readonly total: CellSums
  readonly yes: CellSums
  readonly no: CellSums
}

/** The best of all splits of a column and their sides, if it has more than `least`. */
function scanColumn(
  splitsOf: (anyMissing: boolean) => FlatSteps,
  evidence: Evidence,
  cells: CellSums,
  { no, total, yes }: Scratch,
  least: number,
): Best | undefined {
  const { levels } = evidence
  const missing = cells.counts.length - levels
  let anyMissing = false
  for (let level = 0; level < levels; level++) anyMissing ||= cells.counts[missing + level] > 0
  const { bins, resets, splitIndexes, splits } = splitsOf(anyMissing)
  let best: Best | undefined
  for (let step = 0; step < bins.length; step++) {
    const from = bins[step] * levels
    const isFirst = step === 0 || resets[step] === 1
    for (let level = 0; level < levels; level++) {
      yes.counts[level] = (isFirst ? 0 : yes.counts[level]) + cells.counts[from + level]
      yes.residuals[level] = (isFirst ? 0 : yes.residuals[level]) + cells.residuals[from + level]
      no.counts[level] = total.counts[level] - yes.counts[level]
      no.residuals[level] = total.residuals[level] - yes.residuals[level]
    }
    if (splitIndexes[step] < 0) continue
    for (const side of [yes, no]) {
      const found = evidence.weigh(side.counts, side.residuals, best?.evidence ?? least)
      if (found === 0) continue
      best = { condition: { split: splits[splitIndexes[step]], yes: side === yes }, evidence: found }
    }
  }
  return best
}

const KNOWN_SPLITS = new WeakMap<FeatureSchema, Map<string, FlatSteps>>()

/** The splits of a column, made once: with and without missing values. */
function splitsOf(
  schema: FeatureSchema,
  feature: number,
  resolution: 'fine' | 'coarse',
): (anyMissing: boolean) => FlatSteps {
  return anyMissing => {
    const known = KNOWN_SPLITS.get(schema) ?? new Map<string, FlatSteps>()
    KNOWN_SPLITS.set(schema, known)
    const key = `${feature} ${resolution} ${anyMissing}`
    const make = resolution === 'fine' ? fineSteps : declaredSteps
    const steps = known.get(key) ?? flattenSteps(make(schema, feature, anyMissing))
    known.set(key, steps)
    return steps
  }
}

function sumBins(into: CellSums, { counts, residuals }: CellSums, levels: number): void {
  for (let cell = 0; cell < counts.length; cell++) {
    into.counts[cell % levels] += counts[cell]
    into.residuals[cell % levels] += residuals[cell]
  }
}
