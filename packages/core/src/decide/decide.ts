// decide: the best action for every row from the corrected score, by losses that may be chosen after the fit. Where outcomes are known:
// what decisions cost before and after the correction, and how much a rule that also sees the groups would save (regret.ts).

import { readAuditSettings } from '../audit/settings.ts'
import { describeAuditors } from '../certify/statements.ts'
import { certifiedClass } from '../certify/tolerance.ts'
import { compileAuditors } from '../classes/compile.ts'
import { protectedGroups } from '../classes/protected.ts'
import { FeatureBoostError } from '../common/errors.ts'
import { makeRandom } from '../common/random.ts'
import { auditOptionsFor, protectedColumns } from '../compare/beforeAfter.ts'
import { freeName, type ModelScores, scoreModelRows } from '../compare/modelScores.ts'
import { knownCount, rareFor } from '../compare/rareValues.ts'
import { checkOptionsObject, checkRows } from '../data/given.ts'
import { openRows } from '../data/openRows.ts'
import type { TableSource } from '../data/source.ts'
import type { Table } from '../data/table.ts'
import { makeSorter } from '../kernels/sorter.ts'
import type { Estimate } from '../measures/score/scoredRows.ts'
import { checkModel, type Model } from '../model/model.ts'
import { isFittedTo, modelRowRoles } from '../model/modelRows.ts'
import { checkOptions } from '../options/check.ts'
import { coarseCount } from '../quantize/schema.ts'
import { encodedSource, learnEncoding } from '../store/encode.ts'
import { type CountedGroup, type CountedLoss, countDecisions } from './count.ts'
import { levelsFor } from './levels.ts'
import { type DecisionLoss, readLosses } from './losses.ts'
import { DECIDE_OPTIONS, type DecideOptions } from './options.ts'
import { hasBinaryLabels, placedRows } from './placedRows.ts'
import { findBestRule, measureRegret, type Regret, type Searched } from './regret.ts'
import { hasLabels, scoreUnlabelled } from './scores.ts'
import type { ActionFacts } from './tally.ts'

/** Decisions by one score. */
export interface ScoreDecisions extends ActionFacts {
  /** What the best rule of the class would save; only where outcomes are known. */
  readonly regret?: Regret
}

export interface LossDecisions {
  readonly loss: DecisionLoss
  /** By the score that the model started from. */
  readonly before: ScoreDecisions
  /** By the corrected score. */
  readonly after: ScoreDecisions
  /** Mean loss after less before; only where outcomes are known. */
  readonly change?: Estimate
  /** Every protected group; only where columns are protected. */
  readonly groups: readonly CountedGroup[]
}

/** What decisions cost before and after a correction. */
export interface Decisions {
  /** Which rows all of this is about: on the rows of the fit, those that were held out, where there are any. */
  readonly rows: 'held-out' | 'fitting' | 'other'
  readonly rowCount: number
  /** Absent where the rows have no outcome. */
  readonly label?: string
  /** Names of the two scores. */
  readonly scores: { readonly before: string; readonly after: string }
  /** What rules may look at besides the score, in words; only where outcomes are known. */
  readonly auditors?: string
  readonly losses: readonly LossDecisions[]
}

/**
 * The best action for every row at given costs, what the actions cost before and after a correction,
 * and what a rule that also sees the groups would save.
 */
export async function decide(
  model: Model,
  given: Table | TableSource,
  options: DecideOptions,
): Promise<Decisions> {
  checkModel(model)
  checkOptionsObject(options)
  const rows = checkRows(given)
  checkOptions({ ...options }, DECIDE_OPTIONS)
  const losses = readLosses(options.losses)
  const { onPhase = () => {}, signal } = options
  onPhase('scoring')
  const { label } = modelRowRoles(model)
  const also = protectedColumns(model, options)
  if (!(await hasLabels(rows, label))) {
    const scored = await scoreUnlabelled(model, rows, also, signal)
    onPhase('deciding')
    const groups = protectedGroups(also, model.data.encoding.features)
    const { losses: counted, rowCount } = await countDecisions(scored, {
      ...{ losses, groups, features: model.data.encoding.features },
    })
    return frame({ ...scored, rowCount }, 'other', counted.map(describeLoss))
  }
  const fitted = options.fitted ?? (await isFittedTo(model, rows, signal))
  const scored = await scoreModelRows(model, rows, { also, signal, split: fitted })
  const kind = scored.heldOut ? 'held-out' : fitted ? 'fitting' : 'other'
  return { ...(await measureDecisions(model, scored, losses, options, kind)), label }
}

const frame = (
  { after, before, rowCount }: Pick<ModelScores, 'after' | 'before' | 'rowCount'>,
  rows: Decisions['rows'],
  losses: readonly LossDecisions[],
): Decisions => ({ rows, rowCount, scores: { before, after }, losses })

async function measureDecisions(
  model: Model,
  scored: ModelScores,
  losses: readonly DecisionLoss[],
  { fitted: _, losses: __, onPhase = () => {}, ...options }: DecideOptions,
  kind: Decisions['rows'],
): Promise<Decisions> {
  onPhase('deciding')
  const { other: ___, ...asked } = auditOptionsFor(model, scored, options)
  const settings = readAuditSettings({
    ...asked,
    rare: rareFor(knownCount(scored.rows), asked.auditors!, options),
  })
  const { auditors, bins, cellBudget, confidence, protect, quantize, roles } = settings
  const { label, weight } = roles
  // Cuts and categories do not depend on the score: learned once, from these rows.
  const rowsOptions = { signal: settings.signal }
  const opened = await openRows(scored.rows, { ...roles, prediction: scored.before }, rowsOptions)
  const encoding = learnEncoding(opened.learnable, auditors, { ...quantize, sort: makeSorter().sort })
  const groups = protectedGroups(protect, encoding.features)
  const levels = losses.map(loss => levelsFor(loss, bins))
  const { losses: counted } = await countDecisions(scored, {
    ...{ losses, groups, features: encoding.features, levels, confidence, label },
    ...(weight !== undefined && { weight }),
  })
  onPhase('searching')
  const compiled = compileAuditors(auditors, 'table', encoding)
  const place = freeName('level', scored.names)
  const binary = await hasBinaryLabels(scored.rows, label)
  const draws = binary ? (options.draws ?? DECIDE_OPTIONS.draws.default) : 0
  const described: LossDecisions[] = []
  for (const [index, each] of counted.entries()) {
    const onRows = async <T>(
      score: string,
      drawn: number | undefined,
      work: (on: Searched) => Promise<T>,
    ) => {
      const asked = { score, roles, place, levels: levels[index], ...(drawn !== undefined && { drawn }) }
      const source = await openRows(
        placedRows(scored.rows, asked),
        { ...roles, prediction: place },
        rowsOptions,
      )
      const engine = await settings.engine(encodedSource(source, encoding, {}))
      try {
        // Beyond the budget, rules look at one condition at a time.
        const { length: count } = levels[index].actions
        const searched = certifiedClass(compiled, engine.shape, count, cellBudget).compiled
        const { loss } = each
        return await work({ engine, compiled: searched, cellBudget, loss, levels: levels[index] })
      } finally {
        await engine.close()
      }
    }
    const regretOf = (score: 'before' | 'after') =>
      onRows(scored[score], undefined, on => measureRegret({ ...on, rounding: each[score].rounding! }))
    const facts = describeLoss(each)
    const before = { ...facts.before, regret: await regretOf('before') }
    const measured = await regretOf('after')
    const byChance = await meanOfDraws(draws, settings.seed, seed =>
      onRows(scored.after, seed, async on => (await findBestRule(on)).value),
    )
    const regret = { ...measured, ...(byChance !== undefined && { byChance }) }
    described.push({ ...facts, before, after: { ...facts.after, regret } })
  }
  const most = Math.max(...levels.map(({ actions }) => actions.length))
  const shape = { coarseCounts: encoding.features.map(coarseCount) }
  const searched = certifiedClass(compiled, shape, most, cellBudget).compiled
  return { ...frame(scored, kind, described), auditors: describeAuditors(auditors, searched) }
}

const describeLoss = ({ after, before, change, groups, loss }: CountedLoss): LossDecisions => ({
  loss,
  before: before.facts,
  after: after.facts,
  ...(change !== undefined && { change }),
  groups,
})

/** Draws in which all outcomes are alike, as of few rows, are left out. */
async function meanOfDraws(
  draws: number,
  seed: number,
  draw: (seed: number) => Promise<number>,
): Promise<number | undefined> {
  const random = makeRandom(seed)
  const found: number[] = []
  for (let count = 0; count < draws; count++) {
    try {
      found.push(await draw(random.integer(2 ** 32)))
    } catch (error) {
      if (!(error instanceof FeatureBoostError && error.code === 'FB_LABEL_CONSTANT')) throw error
    }
  }
  return found.length === 0 ? undefined : found.reduce((sum, each) => sum + each, 0) / found.length
}
