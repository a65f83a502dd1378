// What verdicts said and what the truth says, counted by setting.

import { SETTINGS } from './cases.ts'

export type Answer = 'right' | 'wrong' | 'too close' | 'no claim'

export interface Found {
  readonly index: number
  readonly setting: string
  readonly kind: string
  readonly rows: number
  readonly words: string
  /** Of the score: better, worse, unclear or unchanged. */
  readonly score: string
  readonly scoreAnswer: Answer
  /** Groups that are said to be surely off; of these, on the other side, and beyond the interval. */
  readonly groupsOff: number
  readonly groupsWrong: number
  readonly groupsOutside: number
  readonly newRows: Answer
  readonly fittingRows: Answer
}

/** Whatever the truth does not confirm, with the words. */
export function mistakes(found: Found): string[] {
  const { fittingRows, groupsOutside, groupsWrong, index, newRows, scoreAnswer, setting, words } = found
  const wrong = [
    ...(scoreAnswer === 'wrong' ? ['the score'] : []),
    ...(groupsWrong > 0 ? [`${groupsWrong} groups`] : []),
    ...(groupsOutside > 0 ? [`the intervals of ${groupsOutside} groups`] : []),
    ...(newRows === 'wrong' ? ['the bound for new rows'] : []),
    ...(fittingRows === 'wrong' ? ['the bound for the fitting rows'] : []),
  ]
  return wrong.length === 0 ? [] : [`fit ${index} (${setting}), wrong on ${wrong.join(' and ')}: ${words}`]
}

/** A claim, how many fits make it, and of how many it is wrong or too close to call. */
interface Tally {
  readonly claim: string
  readonly made: number
  readonly wrong: number
  readonly close: number
  /** A share of the fits that make the claim may be wrong. */
  readonly doubt: number
}

const DOUBT = 0.05
/** Of better and worse, which are said with 99 % confidence. */
const CHANGE_DOUBT = 0.01

function talliesOf(all: readonly Found[]): Tally[] {
  const tally = (claim: string, answers: readonly Answer[], doubt: number): Tally => ({
    claim,
    made: answers.filter(answer => answer !== 'no claim').length,
    wrong: answers.filter(answer => answer === 'wrong').length,
    close: answers.filter(answer => answer === 'too close').length,
    doubt,
  })
  const scores = (score: string) => all.filter(each => each.score === score).map(each => each.scoreAnswer)
  const groups = (read: (found: Found) => number): Answer[] =>
    all.map(each => (each.groupsOff === 0 ? 'no claim' : read(each) > 0 ? 'wrong' : 'right'))
  return [
    tally('better', scores('better'), CHANGE_DOUBT),
    tally('worse', scores('worse'), CHANGE_DOUBT),
    tally('nothing corrected', scores('unchanged'), 0),
    tally(
      'groups off: the side',
      groups(each => each.groupsWrong),
      DOUBT,
    ),
    tally(
      'groups off: the interval',
      groups(each => each.groupsOutside),
      DOUBT,
    ),
    tally(
      'bound for new rows',
      all.map(each => each.newRows),
      DOUBT,
    ),
    tally(
      'bound on fitting rows',
      all.map(each => each.fittingRows),
      0,
    ),
  ]
}

export function summaryLines(all: readonly Found[]): string[] {
  const line = (cells: readonly (string | number)[]) =>
    cells.map((cell, at) => (at === 0 ? String(cell).padEnd(26) : String(cell).padStart(11))).join('')
  const settings = SETTINGS.map(setting => {
    const found = all.filter(each => each.setting === setting)
    const count = (score: string) => found.filter(each => each.score === score).length
    const off = found.filter(each => each.groupsOff > 0).length
    return line([
      setting,
      found.length,
      count('better'),
      count('worse'),
      count('unclear'),
      count('unchanged'),
      off,
    ])
  })
  const claims = talliesOf(all).map(({ claim, close, doubt, made, wrong }) =>
    line([claim, made, wrong, close, (doubt * made).toFixed(1)]),
  )
  return [
    line(['what is said', 'fits', 'better', 'worse', 'unclear', 'unchanged', 'groups off']),
    ...settings,
    '',
    line(['what the truth says', 'said in', 'wrong', 'too close', 'allowed']),
    ...claims,
  ]
}
