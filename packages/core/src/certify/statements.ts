// The certificate in words: what is proven, what is only measured, and what neither says.

import type { Auditors } from '../classes/auditors.ts'
import type { CompiledClass } from '../classes/compile.ts'
import { declaredSplitCount } from '../classes/splits.ts'
import { formatBound, formatCount, formatNumber, joinWords } from '../common/text.ts'
import type { Certificate, RowSplit, Rung } from './facts.ts'
import type { HeldOutBound } from './heldOutBound.ts'
import type { PaperAtRows } from './paperAtRows.ts'
import type { CertifiedGroup } from './protectedGroups.ts'
import { showRows } from './sampleSize.ts'

export function describeAuditors(auditors: Auditors, { encoding, space }: CompiledClass): string {
  switch (space.kind) {
    case 'trees': {
      const columns = space.features.map(feature => encoding.features[feature])
      const splits = columns.reduce((sum, column) => sum + declaredSplitCount(column), 0)
      return `decision trees of depth ${space.depth} on ${formatCount(columns.length)} columns (${formatCount(splits)} splits of the forms x <= cut, category = c and missing), leaf values in [-1,1]`
    }
    case 'partitions': {
      const count = formatCount(space.partitions.length)
      return auditors.kind === 'functions'
        ? `functions of the values of ${joinWords(encoding.functions)}`
        : `membership in ${count} declared groups, everyone included`
    }
    case 'signals':
      return space.span
        ? `linear functions of ${formatCount(space.signals.length)} terms with mean square at most ${formatNumber(space.budget)}`
        : `the function${encoding.functions.length > 1 ? 's' : ''} ${joinWords(encoding.functions)}`
  }
}

type Facts = Omit<Certificate, 'proven' | 'measured' | 'caveats'>

export function stateCertificate(
  facts: Facts,
  note: string | undefined,
  asVersion1 = false,
): Pick<Certificate, 'proven' | 'measured' | 'caveats'> {
  return { proven: proven(facts, asVersion1), measured: measured(facts), caveats: caveats(facts, note) }
}

function proven(facts: Facts, asVersion1: boolean): string[] {
  const { claim, rows, rungs, tolerances } = facts
  const strongest = tolerances[tolerances.length - 1]
  const rowWords = `the ${formatCount(rows.fitWeight)} fitting rows (by weight)`
  return [
    `On ${rowWords}, no update with ${strongest.factors} factors over ${facts.auditors} lowers the mean squared error by more than ${formatNumber(strongest.tolerance)}. The one that gains this: ${strongest.worst}.`,
    ...rungs.map(rung => rungStatement(rung, claim.bins)),
    ...(facts.paperBound === undefined
      ? []
      : [
          `The paper's own bound for ${facts.factors} factors, which pays for every bin apart, is ${formatNumber(facts.paperBound)}.`,
        ]),
    ...heldOutStatements(facts, asVersion1),
    ...protectedStatements(facts),
  ]
}

/** The group that is farthest off, and the one of which least is proven. */
function protectedStatements({ claim, protected: groups = [] }: Facts): string[] {
  if (groups.length === 0) return []
  const gapOf = ({ gap }: CertifiedGroup) => Math.abs(gap)
  const farthest = groups.reduce((one, other) => (gapOf(other) > gapOf(one) ? other : one))
  const bounds = groups.flatMap(({ group, heldOut }) =>
    heldOut === undefined || heldOut.bound >= 1 ? [] : [{ group, bound: heldOut.bound }],
  )
  const fitting = `In each of ${formatCount(groups.length)} protected groups, outcomes and predictions are at most ${formatBound(gapOf(farthest))} apart on average on the fitting rows; the most: ${farthest.group}.`
  if (bounds.length === 0)
    return [fitting, 'Of new rows nothing is proven in any of these groups: too few rows were held out.']
  const least = bounds.reduce((one, other) => (other.bound > one.bound ? other : one))
  const rest = groups.length - bounds.length
  const others = rest === 0 ? '' : ` Of the other ${formatCount(rest)} nothing is proven.`
  return [
    fitting,
    `With probability ${formatNumber(claim.confidence)} they are at most ${formatBound(least.bound)} apart on new rows, in each of ${formatCount(bounds.length)} of these groups; the most: ${least.group}.${others}`,
  ]
}

function rungStatement(rung: Rung, bins: number): string {
  const name = rung.guarantee === 'level-set' ? 'level-set multicalibration' : rung.guarantee
  const rounded = rung.guarantee === 'multiaccuracy' ? '' : `, rounded to ${formatCount(bins)} bins,`
  // Every auditor was looked at: the largest error among them is a proof, too.
  const { atMost } = rung.measured
  const counted = atMost < rung.bound ? `; counted for each of them, at most ${formatNumber(atMost)}` : ''
  return `Therefore the ${name} error of the predictions${rounded} is at most ${formatNumber(rung.bound)} on these rows, for every such auditor${counted}.`
}

function heldOutStatements({ heldOut, rows }: Facts, asVersion1: boolean): string[] {
  if (heldOut === undefined) return []
  const { candidates, confidence, levelSet, multicalibration, paper } = heldOut
  const which = rows.split === undefined ? '' : ` (${describeSplit(rows.split)})`
  const count = `${formatCount(heldOut.effectiveRows)} held-out rows${which}`
  const paid = formatCount(candidates)
  const words = asVersion1
    ? `, which chose between ${paid} candidates`
    : `, which chose the round at the price of ${paid} predictors`
  const chosen = candidates > 1 ? words : ''
  const sure = `With probability ${formatNumber(confidence)} over the draw of the ${count}${chosen}`
  return [
    `${sure}, the multicalibration error of every such auditor on new rows of the same kind is at most ${boundWords(multicalibration)}.`,
    ...(levelSet === undefined
      ? []
      : [`${sure}, the level-set multicalibration error is at most ${boundWords(levelSet)}.`]),
    ...(paper === undefined ? [] : [paperStatement(paper)]),
  ]
}

const boundWords = ({ bound, inequality, measured, slack }: HeldOutBound): string =>
  `${formatNumber(bound)}: ${formatNumber(measured)} measured and a slack of ${formatNumber(slack)} (${inequality})`

/** Which rows were held out. */
function describeSplit(split: RowSplit): string {
  if (split.kind === 'column') return `marked in column ${split.column}`
  const whole = split.kind === 'ids' ? `ids in column ${split.column}` : 'rows'
  return `${formatNumber(100 * split.fraction)} % of the ${whole}, seed ${split.seed}`
}

function paperStatement({ bound, rows, rowsNeeded }: PaperAtRows): string {
  const at = `n = ${formatCount(rows)} fitting rows`
  if (bound !== undefined) {
    return `The paper's own bound on the multicalibration error on new rows, at ${at}, is ${formatNumber(bound)}.`
  }
  const needs = rowsNeeded === undefined ? 'no n is enough' : `it needs n >= ${showRows(rowsNeeded)}`
  return `The paper's own bound on the multicalibration error on new rows is vacuous at ${at}; ${needs}.`
}

function measured({ after, before, rungs }: Facts): string[] {
  const change = (name: string, from: number, to: number) =>
    `${name}: ${formatNumber(from)} before, ${formatNumber(to)} after.`
  return [
    change('Mean squared error', before.loss, after.loss),
    change('Calibration error', before.calibration, after.calibration),
    change('Worst multiaccuracy error', before.multiaccuracy.error, after.multiaccuracy.error),
    change('Worst multicalibration error found', before.multicalibration.error, after.multicalibration.error),
    ...(after.levelSet === undefined || before.levelSet === undefined
      ? []
      : [change('Worst level-set error', before.levelSet.error, after.levelSet.error)]),
    ...rungs.map(rung => `Worst auditor for ${rung.guarantee}: ${rung.measured.worst}.`),
  ]
}

function caveats({ heldOut, oracle, rows, rungs }: Facts, note: string | undefined): string[] {
  const inexact = rungs.some(rung => rung.measured.error < rung.measured.atMost)
  return [
    ...(note === undefined ? [] : [note]),
    ...(oracle === 'greedy'
      ? ['Updates were found greedily; the tolerance above was found by exhaustive search all the same.']
      : []),
    ...(inexact
      ? [
          'The worst multicalibration error found may not be the worst there is; it cannot exceed the level-set error.',
        ]
      : []),
    ...(heldOut === undefined
      ? [`Nothing here is proven about other rows than these: ${whyNot(rows)}.`]
      : []),
    ...(heldOut?.weighted
      ? [
          "Held-out rows have weights: the slack is Hoeffding's for as many equal rows as they are worth, given the weights.",
        ]
      : []),
    ...(heldOut !== undefined && rows.split?.kind === 'ids'
      ? [`The slack counts rows of one id in column ${rows.split.column} as independent of each other.`]
      : []),
    'Labels and predictions are counted in units of 2^-24.',
  ]
}

const whyNot = ({ holdoutWeight }: Facts['rows']): string =>
  holdoutWeight === undefined
    ? 'no rows were held out'
    : 'linear auditors are too many to count, so held-out rows say nothing of all of them'
