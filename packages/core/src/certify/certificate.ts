// The certificate: what is proven about the final predictions, on which rows, and what is only measured. A plain object,
// computed from the engine's answers alone, so that anyone with the rows and the model can compute it again.

import type { Auditors } from '../classes/auditors.ts'
import type { CompiledClass } from '../classes/compile.ts'
import type { FactorKind, Guarantee } from '../classes/factors.ts'
import { kindOf } from '../classes/kinds/kinds.ts'
import type { Copies } from '../data/copies.ts'
import { type Engine, type EngineShape, FIT, type FoldLoss } from '../engine/engine.ts'
import { rememberJoint } from '../engine/remember.ts'
import { type AuditSummary, summarize } from '../measures/class/summary.ts'
import type { Oracle } from '../oracle/oracle.ts'
import { discretize, type Rounding } from '../round/discretize.ts'
import { isRoundUpdate, type Update } from '../update/update.ts'
import {
  intervalBound,
  levelSetBound,
  multiaccuracyBound,
  signedBound,
  tableBound,
  tableLevelSetBound,
} from './bounds.ts'
import { type Certificate, type CertificateClaim, provenError, type RowSplit, type Rung } from './facts.ts'
import { type HeldOutCertificate, heldOutBounds } from './heldOutCertificate.ts'
import { areEqual } from './oneMean.ts'
import { paperAtRows, roundsBefore } from './paperAtRows.ts'
import { certifyProtected } from './protectedGroups.ts'
import { meanAbsoluteResidual, meanSquaredResidual } from './secondMoment.ts'
import { describeAuditors, stateCertificate } from './statements.ts'
import { certifiedClass, type RealizedTolerance, realizedTolerance, strongestFactors } from './tolerance.ts'

interface CertifyInput {
  readonly compiled: CompiledClass
  readonly auditors: Auditors
  readonly claim: CertificateClaim
  readonly oracle: Oracle['kind']
  readonly cellBudget: number
  readonly protect?: readonly string[] | undefined
  /** How rows were held out, if any were. */
  readonly split?: RowSplit | undefined
  /** Do rows have weights, be they equal or not? */
  readonly weighted: boolean
  /** What exact copies of a row were taken for. */
  readonly copies?: Copies | undefined
  /** The boosted updates; the engine may stand anywhere. */
  readonly updates: readonly Update[]
  /** The measures of the start, where they are known. */
  readonly before?: AuditSummary | undefined
}

/** Cells of joint histograms that are kept from one measure to the next: 64 MiB, and none where the rows need the memory. */
const rememberedCells = ({ rowCount }: EngineShape): number => (rowCount <= 2 ** 20 ? 2 ** 22 : 0)

/** Leaves the engine holding the predictions of the last update. */
export async function certify(given: Engine, input: CertifyInput): Promise<Certificate> {
  const engine = rememberJoint(given, rememberedCells(given.shape))
  const { claim, cellBudget } = input
  const scope = { fold: FIT, cellBudget }
  const { compiled, note } = certifiedClass(input.compiled, engine.shape, claim.bins, cellBudget)
  const before = input.before ?? (await summarizeStart(given, input.compiled, claim.bins, cellBudget))
  await engine.reset()
  for (const update of input.updates) await engine.apply(update)
  const rounding = await discretize(engine, claim.bins)
  const tolerances = await realizedTolerances(engine, compiled, claim.bins, cellBudget)
  const after = await summarize(engine, compiled, rounding, scope)
  const free = await freeBounds(engine, compiled, rounding, claim.budget, after.loss)
  const rungs = climbRungs(tolerances, after, claim, free)
  const facts = {
    claim,
    holds: rungs.some(rung => rung.guarantee === claim.guarantee && provenError(rung) <= claim.epsilon),
    rows: await describeRows(engine, input),
    auditors: describeAuditors(input.auditors, compiled),
    factors: compiled.factors,
    oracle: input.oracle,
    rounds: input.updates.length,
    tolerances,
    rungs,
    before,
    after,
    ...paperBound(compiled, tolerances, input, free),
    ...(await heldOut(engine, compiled, rounding, tolerances, input)),
    ...(await protectedFacts(engine, input)),
  }
  return { ...facts, ...stateCertificate(facts, note, input.weighted) }
}

/** What a certificate says of the start. Leaves the engine there. */
export async function summarizeStart(
  given: Engine,
  declared: CompiledClass,
  bins: number,
  cellBudget: number,
): Promise<AuditSummary> {
  const engine = rememberJoint(given, rememberedCells(given.shape))
  const { compiled } = certifiedClass(declared, engine.shape, bins, cellBudget)
  await engine.reset()
  return summarize(engine, compiled, await discretize(engine, bins), { fold: FIT, cellBudget })
}

/** The constant, the declared factors and the richest factors; each once. The richest come first: their cells serve the others. */
async function realizedTolerances(
  engine: Engine,
  compiled: CompiledClass,
  bins: number,
  cellBudget: number,
): Promise<RealizedTolerance[]> {
  const kinds = new Set<FactorKind>(['constant', compiled.factors, strongestFactors(compiled)])
  const tolerances: RealizedTolerance[] = []
  for (const factors of [...kinds].reverse()) {
    tolerances.unshift(await realizedTolerance(engine, compiled, factors, bins, cellBudget))
  }
  return tolerances
}

function climbRungs(
  tolerances: readonly RealizedTolerance[],
  after: AuditSummary,
  { bins, budget }: CertificateClaim,
  free: FreeBounds,
): Rung[] {
  const constant = tolerances[0]
  const strongest = tolerances[tolerances.length - 1]
  const rung = (
    guarantee: Guarantee,
    from: RealizedTolerance,
    bound: number,
    measured: Rung['measured'],
  ): Rung => ({
    guarantee,
    bound: Math.min(bound, free[guarantee]),
    through: from.factors,
    tolerance: from.tolerance,
    measured,
  })
  const rungs = [
    rung('multiaccuracy', constant, multiaccuracyBound(constant.tolerance, budget), after.multiaccuracy),
    rung(
      'multicalibration',
      strongest,
      strongest.factors === 'table'
        ? tableBound(strongest.tolerance, budget, bins)
        : signedBound(strongest.tolerance, budget, bins),
      after.multicalibration,
    ),
  ]
  if (after.levelSet !== undefined) {
    rungs.push(rung('level-set', strongest, tableLevelSetBound(strongest.tolerance, bins), after.levelSet))
  }
  return rungs
}

/** Lemma 5.2 for intervals, Lemma 5.8 for level sets: the price of factors that move one bin at a time. Absent where it says nothing. */
function paperBound(
  compiled: CompiledClass,
  tolerances: readonly RealizedTolerance[],
  { auditors, claim: { bins, budget } }: CertifyInput,
  free: FreeBounds,
): { paperBound?: number } {
  const { tolerance } = tolerances.find(({ factors }) => factors === compiled.factors)!
  if (compiled.factors === 'intervals') {
    const bound = intervalBound(tolerance, budget, bins)
    return bound < free.multicalibration ? { paperBound: bound } : {}
  }
  if (compiled.factors !== 'level-sets') return {}
  const bound = levelSetBound(tolerance, bins, kindOf(auditors).valueBins(auditors))
  return bound < free['level-set'] ? { paperBound: bound } : {}
}

type FreeBounds = Readonly<Record<Guarantee, number>>

/** What no predictor with such residuals exceeds, multicalibrated or not: a bound that is no smaller says nothing. */
async function freeBounds(
  engine: Engine,
  { space }: CompiledClass,
  rounding: Rounding,
  budget: number,
  loss: number,
): Promise<FreeBounds> {
  const absolute = await meanAbsoluteResidual(engine, rounding, FIT)
  const ofSquares = Math.sqrt(budget * (await meanSquaredResidual(engine, rounding, FIT)))
  const isBounded = !(space.kind === 'signals' && space.span)
  return {
    multiaccuracy: Math.sqrt(budget * loss),
    multicalibration: isBounded ? Math.min(ofSquares, absolute) : ofSquares,
    'level-set': absolute,
  }
}

async function describeRows(engine: Engine, { copies, split }: CertifyInput): Promise<Certificate['rows']> {
  const losses: FoldLoss[] = await engine.losses()
  return {
    rowCount: engine.shape.rowCount,
    fitWeight: losses[FIT].weight,
    ...(losses.length > 1 && { holdoutWeight: losses[1].weight, ...(split !== undefined && { split }) }),
    ...(copies !== undefined && { copies }),
    fingerprint: await engine.fingerprint(),
  }
}

async function protectedFacts(
  engine: Engine,
  { claim, compiled, protect = [] }: CertifyInput,
): Promise<Pick<Certificate, 'protected'>> {
  if (protect.length === 0) return {}
  return { protected: await certifyProtected(engine, protect, compiled.encoding.features, claim) }
}

async function heldOut(
  engine: Engine,
  certified: CompiledClass,
  rounding: Rounding,
  tolerances: readonly RealizedTolerance[],
  { cellBudget, claim, compiled, updates }: CertifyInput,
): Promise<{ heldOut?: HeldOutCertificate }> {
  const bounds = await heldOutBounds(engine, certified, rounding, { ...claim, cellBudget })
  if (bounds === undefined) return {}
  const units = engine.shape.units[FIT]
  // The paper counts updates of the class and rows that are alike; a forest is no such update, and of what it could be nothing is counted.
  const rounds = roundsBefore(claim.tolerance, updates.length)
  if (rounds === undefined || !updates.every(isRoundUpdate) || !areEqual(units)) return { heldOut: bounds }
  const paper = paperAtRows(compiled, {
    rows: units.count,
    bins: claim.bins,
    rounds,
    tolerance: tolerances[tolerances.length - 1].tolerance,
    confidence: claim.confidence,
  })
  return { heldOut: { ...bounds, paper } }
}
