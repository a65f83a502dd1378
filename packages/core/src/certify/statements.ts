// The certificate in words: what is proven, what is only measured, and what neither says.

import type { Auditors } from '../classes/auditors.ts'
import type { CompiledClass } from '../classes/compile.ts'
import { declaredSplitCount } from '../classes/splits.ts'
import { formatBound, formatCount, formatCounted, formatNumber, joinWords } from '../common/text.ts'
import type { Certificate, RowSplit, Rung } from './facts.ts'
import type { HeldOutBound } from './heldOutCertificate.ts'
import { areEqual } from './oneMean.ts'
import type { PaperAtRows } from './paperAtRows.ts'
import type { CertifiedGroup } from './protectedGroups.ts'
import { showRows } from './sampleSize.ts'

export function describeAuditors(auditors: Auditors, { encoding, space }: CompiledClass): string {
  switch (space.kind) {
    case 'trees': {
      const columns = space.features.map(feature => encoding.features[feature])
      const splits = columns.reduce((sum, column) => sum + declaredSplitCount(column), 0)
      return `decision trees of depth ${space.depth} on ${formatCounted(columns.length, 'column')} (${formatCounted(splits, 'split')} of the forms x <= cut, category = c and missing), leaf values in [-1,1]`
    }
    case 'partitions': {
      const count = formatCount(space.partitions.length)
      return auditors.kind === 'functions'
        ? `functions of the values of ${joinWords(encoding.functions)}`
        : `membership in ${count} declared groups, everyone included`
    }
    case 'signals':
      return space.span
        ? `linear functions of ${formatCounted(space.signals.length, 'term')} with mean square at most ${formatNumber(space.budget)}`
        : `the function${encoding.functions.length > 1 ? 's' : ''} ${joinWords(encoding.functions)}`
  }
}

/** A class in the words of now, where a file says "1 columns", "1 splits" or "1 terms" of it, as files once did. */
export const inWordsOfNow = (sentence: string): string =>
  sentence
    .replace(/(?<=decision trees of depth [\d,]+ on )(1 column)s/, '$1')
    .replace(/(?<=decision trees of depth [\d,]+ on [\d,]+ columns? \()(1 split)s/, '$1')
    .replace(/(?<=linear functions of )(1 term)s/, '$1')

type Facts = Omit<Certificate, 'proven' | 'measured' | 'caveats'>

export function stateCertificate(
  facts: Facts,
  note: string | undefined,
  weighted: boolean,
): Pick<Certificate, 'proven' | 'measured' | 'caveats'> {
  return { proven: proven(facts, weighted), measured: measured(facts), caveats: caveats(facts, note) }
}

/** The first sentence says what all others rest on. */
function proven(facts: Facts, weighted: boolean): string[] {
  const { claim, paperBound, rungs, tolerances } = facts
  const strongest = tolerances[tolerances.length - 1]
  return [
    assumption(facts, weighted),
    `On the fitting rows, no update with ${strongest.factors} factors over ${facts.auditors} lowers the mean squared error by more than ${formatBound(strongest.tolerance, 4)}, before predictions are clipped to [0,1]. The one that gains most: ${strongest.worst}.`,
    ...rungs.map(rung => rungStatement(rung, claim.bins)),
    ...(paperBound === undefined
      ? []
      : [
          `The paper's own bound for ${facts.factors} factors, which pays for every bin apart, is ${formatBound(paperBound, 4)}.`,
        ]),
    ...heldOutStatements(facts),
    ...protectedStatements(facts),
  ]
}

/** What is said of the fitting rows was counted on them and assumes nothing; what is said of new rows does. */
function assumption({ heldOut, rows }: Facts, weighted: boolean): string {
  const fitting = `What is said of the fitting rows (${formatCount(rows.fitWeight)} by weight) was counted on them and assumes nothing.`
  if (heldOut?.units === undefined) return `${fitting} Of new rows nothing is said.`
  const { count, rows: rowCount } = heldOut.units
  const named = [
    ...(rows.split === undefined ? [] : [describeSplit(rows.split)]),
    ...(rows.copies === 'one' ? ['a row and its exact copies being one'] : []),
  ].join('; ')
  const held = `${formatCount(rowCount)} held-out rows${named === '' ? '' : ` (${named})`}`
  const draws =
    count === rowCount
      ? 'were drawn independently of each other'
      : `are ${formatCount(count)} independent draws, one for each id,`
  const weights =
    weighted || !areEqual(heldOut.units)
      ? ', none of which could have weighed more than the heaviest here'
      : ''
  return `${fitting} What is said of new rows assumes that the ${held} ${draws} from the population that new rows come from${weights}; each such statement then holds with probability ${formatNumber(heldOut.confidence)}.`
}

/** The group that is farthest off, and the one of which least is proven. */
function protectedStatements({ protected: groups = [] }: Facts): string[] {
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
    `On new rows they are at most ${formatBound(least.bound)} apart in each of ${formatCount(bounds.length)} of these groups; the most: ${least.group}.${others}`,
  ]
}

function rungStatement({ bound, guarantee, measured }: Rung, bins: number): string {
  const name = guarantee === 'level-set' ? 'level-set multicalibration' : guarantee
  const rounded = guarantee === 'multiaccuracy' ? '' : `, rounded to ${formatCount(bins)} bins,`
  const subject = `the ${name} error of the predictions${rounded}`
  // Every auditor was looked at: the largest error among them is a proof, too.
  if (measured.atMost < bound) {
    return `Counted for every such auditor, ${subject} is at most ${formatBound(measured.atMost, 4)} on these rows.`
  }
  return `Therefore ${subject} is at most ${formatBound(bound, 4)} on these rows, for every such auditor.`
}

function heldOutStatements({ heldOut }: Facts): string[] {
  if (heldOut === undefined) return []
  const { candidates, levelSet, multiaccuracy, multicalibration, paper } = heldOut
  const chosen =
    candidates > 1
      ? ` Held-out rows had a say in what was chosen: that is paid for as a choice between ${formatCount(candidates)} predictors.`
      : ''
  const errors: [string, HeldOutBound | undefined][] = [
    ['multiaccuracy', multiaccuracy],
    ['multicalibration', multicalibration],
    ['level-set multicalibration', levelSet],
  ]
  const said = errors.flatMap(([name, found]) =>
    found === undefined || found.bound >= 1 ? [] : [boundSentence(name, found)],
  )
  return [
    ...(said.length > 0
      ? [`${said[0]}${chosen}`, ...said.slice(1)]
      : ['Of new rows nothing is proven: too few rows were held out.']),
    ...(paper === undefined ? [] : [paperStatement(paper)]),
  ]
}

const boundSentence = (name: string, { bound, measured, slack }: HeldOutBound): string =>
  `On new rows the ${name} error of every such auditor is at most ${formatBound(bound, 4)}: the largest on the held-out rows is at most ${formatBound(measured, 4)}, and the worst auditor's may be ${formatBound(slack, 4)} more.`

/** Which rows were held out. */
function describeSplit(split: RowSplit): string {
  if (split.kind === 'column') return `marked in column ${split.column}`
  const whole = split.kind === 'ids' ? `ids in column ${split.column}` : 'rows'
  return `${formatNumber(100 * split.fraction)} % of the ${whole}, seed ${split.seed}`
}

function paperStatement({ bound, rows, rowsNeeded }: PaperAtRows): string {
  const at = `n = ${formatCount(rows)} fitting rows`
  if (bound !== undefined) {
    return `The paper's own bound on the multicalibration error on new rows, at ${at}, is ${formatBound(bound, 4)}.`
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
    'Labels and predictions are counted in units of 2^-24.',
  ]
}

const whyNot = ({ holdoutWeight }: Facts['rows']): string =>
  holdoutWeight === undefined
    ? 'no rows were held out'
    : 'what linear auditors are allowed depends on the rows they are measured on, so held-out rows say nothing of all of them'
