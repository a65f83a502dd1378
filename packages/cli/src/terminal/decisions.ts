// What decisions cost, on the terminal: who gets which action, before and after, and what a rule that sees the groups would save.

import type { Decisions } from '@featureboost/core'
import { AUDIT_OPTIONS, formatBound, formatCount, formatNumber, outward } from '@featureboost/core/internal'
import { fitTable, layoutTable, section, wrap } from './layout.ts'
import type { View } from './view.ts'
import { visible } from './width.ts'

type LossDecisions = Decisions['losses'][number]
type Facts = LossDecisions['after']

/** Deviations shown; the rest are in the JSON document. */
const SHOWN = 3

/** With more actions than this, shares are left to the JSON document. */
const FEW_ACTIONS = 6

export function layoutDecisions(found: Decisions, confidence: number | undefined, view: View): string[] {
  const { label, losses, rowCount, rows, scores } = found
  const count = `${formatCount(rowCount)} ${rows === 'held-out' ? 'held-out rows' : 'rows'}`
  const outcome = label === undefined ? `; there is no outcome in them` : ` against "${visible(label)}"`
  const first = `Decisions by "${visible(scores.before)}" and by the corrected score${outcome}, on ${count}.${rows === 'fitting' ? ` ${FITTED}` : ''}`
  const measured = losses.some(({ after }) => after.regret !== undefined)
  return [
    wrap(first, view.width),
    ...losses.map(each => layoutLoss(each, confidence ?? AUDIT_OPTIONS.confidence.default, view)),
    ...(measured ? [wrap(explain(found), view.width)] : []),
  ]
}

const FITTED =
  'These are the rows that the model was fitted to, and none were held out: what is said here of the corrected score is too kind.'

const explain = ({ auditors }: Decisions): string =>
  `Regret is what the best rule would save per row that also sees ${auditors}: one action for every leaf of one of them at every level of the score. It was chosen on these rows, so chance is in it; by chance alone, with outcomes drawn from the corrected score, it is as in the line below it. The bound is what the calibration of the score alone says that no such rule saves more than, on these rows.`

function layoutLoss(found: LossDecisions, confidence: number, view: View): string {
  const { change, groups, loss } = found
  const parts = [
    wrap(ruleWords(loss), view.width),
    layoutTable(['', 'given score', 'corrected'], linesOf(found), view),
    ...(change === undefined ? [] : [wrap(changeWords(change, confidence), view.width)]),
    ...deviationLines(found, view),
    ...(groups.length > 0 ? [layoutGroups(found, view)] : []),
  ]
  return section(visible(loss.name), parts.join('\n\n'), view)
}

/** "yes" from a score of 0.1667 on, else "no". */
function ruleWords({ actions, neverBest, thresholds }: LossDecisions['loss']): string {
  if (actions.length > FEW_ACTIONS)
    return `${actions.length} actions, from "${visible(actions[0].name)}" at low scores to "${visible(actions[actions.length - 1].name)}" at high ones.`
  const steps = thresholds.map(
    (from, index) => `"${visible(actions[index + 1].name)}" from a score of ${formatNumber(from)} on`,
  )
  const never =
    neverBest.length === 0 ? '' : ` Never best: ${neverBest.map(name => `"${visible(name)}"`).join(', ')}.`
  return `${steps.reverse().join(', ')}, else "${visible(actions[0].name)}".${never}`
}

function linesOf({ after, before, loss }: LossDecisions): string[][] {
  const { actions } = loss
  const line = (
    name: string,
    read: (facts: Facts) => number | undefined,
    format: (value: number) => string,
  ) => {
    const cells = [before, after].map(read)
    return cells.every(cell => cell === undefined)
      ? []
      : [[name, ...cells.map(cell => (cell === undefined ? '' : format(cell)))]]
  }
  // Of two actions the share of the first is what the second leaves.
  const listed =
    actions.length === 2 ? [1] : actions.length > FEW_ACTIONS ? [] : actions.map((_, index) => index)
  return [
    ...listed.flatMap(index =>
      line(`rows with "${visible(actions[index].name)}"`, facts => facts.shares[index], percent),
    ),
    ...line('false positive rate', facts => facts.falsePositiveRate, percent),
    ...line('false negative rate', facts => facts.falseNegativeRate, percent),
    ...line(
      'mean loss',
      facts => facts.meanLoss,
      value => value.toFixed(4),
    ),
    ...line(
      'regret',
      facts => facts.regret?.value,
      value => value.toFixed(4),
    ),
    ...line(
      'the same by chance',
      facts => facts.regret?.byChance,
      value => value.toFixed(4),
    ),
    ...line(
      'no rule saves more than',
      facts => (isExact(facts) ? undefined : facts.regret?.atMost),
      value => formatBound(value),
    ),
    ...line(
      'bound by calibration',
      facts => facts.regret?.bound,
      value => formatBound(value),
    ),
  ]
}

/** The rule found is the best one, but for the rounding of numbers. */
const isExact = ({ regret }: Facts): boolean =>
  regret !== undefined && regret.atMost - regret.value < 1e-6 * Math.max(1, regret.atMost)

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

function changeWords({ high, low, value }: NonNullable<LossDecisions['change']>, confidence: number): string {
  if (low === 0 && high === 0) return 'Both scores lead to the same losses, row by row.'
  const size = formatNumber(Math.abs(value), 3)
  const amount = value === 0 ? 'as much as' : `${size} ${value > 0 ? 'more' : 'less'} than`
  const ends = outward({ high, low }, 4)
  const range = `difference ${signed(ends.low)} to ${signed(ends.high)} at ${formatNumber(100 * confidence)} % confidence`
  const unclear = low <= 0 && high >= 0 ? ' These rows do not tell which score is better.' : ''
  return `Per row the corrected score costs ${amount} the given one (${range}).${unclear}`
}

const signed = (value: number): string => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(4)}`

function deviationLines({ after }: LossDecisions, { paint, width }: View): string[] {
  const deviations = after.regret?.deviations ?? []
  if (deviations.length === 0) return []
  const lines = deviations
    .slice(0, SHOWN)
    .map(({ better, group, meanLabel, saves, scores, share, taken }) => {
      const where = `${visible(group)}, scores ${formatNumber(scores.from)} to ${formatNumber(scores.to)}`
      return wrap(
        `  ${where}: "${visible(better)}" instead of "${visible(taken)}" saves ${formatNumber(saves, 2)} (${percent(share)} of the rows, mean outcome ${meanLabel.toFixed(3)})`,
        width,
        4,
      )
    })
  const more = deviations.length > SHOWN ? [`  and ${deviations.length - SHOWN} more places`] : []
  return [
    [paint.bold('Where the best rule decides otherwise than the corrected score'), ...lines, ...more].join(
      '\n',
    ),
  ]
}

function layoutGroups({ groups, loss }: LossDecisions, view: View): string {
  const { actions } = loss
  const cells = (read: (group: LossDecisions['groups'][number]) => string) => groups.map(read)
  const known = groups.some(({ after }) => after.meanLoss !== undefined)
  const rate = (value: number | undefined) => (value === undefined ? '' : percent(value))
  const shares =
    actions.length === 2
      ? [
          {
            title: `"${visible(actions[1].name)}" before`,
            cells: cells(({ before }) => percent(before.shares[1])),
          },
          {
            title: `"${visible(actions[1].name)}" after`,
            cells: cells(({ after }) => percent(after.shares[1])),
          },
        ]
      : []
  const errors =
    actions.length === 2 && known
      ? [
          { title: 'false positives', cells: cells(({ after }) => rate(after.falsePositiveRate)), spare: 2 },
          { title: 'false negatives', cells: cells(({ after }) => rate(after.falseNegativeRate)), spare: 1 },
        ]
      : []
  const losses = known
    ? [
        { title: 'loss before', cells: cells(({ before }) => before.meanLoss!.toFixed(4)), spare: 3 },
        { title: 'loss after', cells: cells(({ after }) => after.meanLoss!.toFixed(4)) },
      ]
    : []
  const columns = [
    { title: 'protected group', cells: cells(({ group }) => visible(group)) },
    { title: 'rows', cells: cells(({ weight }) => formatCount(weight)) },
    ...shares,
    ...errors,
    ...losses,
  ]
  return fitTable(columns, view)
}
