// What to do, in one sentence, and nothing that is not known.

import { formatCount, formatNumber, joinWords, outward } from '../common/text.ts'
import type { MonitorReport } from './facts.ts'

type Facts = Omit<MonitorReport, 'advice' | 'timeline'>

export function advise(facts: Facts): MonitorReport['advice'] {
  if (facts.alarm) return { refit: true, sentence: refitSentence(facts) }
  const drifted = facts.columns.filter(({ alarm }) => alarm !== undefined).map(({ column }) => `"${column}"`)
  const shifted =
    drifted.length === 0
      ? ''
      : ` But ${joinWords(drifted.slice(0, 5))}${drifted.length > 5 ? ' and more' : ''} ${drifted.length === 1 ? 'is' : 'are'} surely not as in the reference: see to it that outcomes of such rows come in.`
  if (facts.labelledBatches === 0)
    return {
      refit: false,
      sentence: `No outcome has come in yet, so nothing is known about whether scores are right.${shifted}`,
    }
  const everyone = facts.groups.find(({ kind }) => kind === 'everyone')!
  const { high, low } = outward(everyone.overall, 3)
  return {
    refit: false,
    sentence: `No reason to refit: after ${formatCount(facts.labelledRows)} rows with outcomes no group is surely off. That does not show that all are right: over everyone, outcomes less scores are ${formatNumber(low)} to ${formatNumber(high)} on average.${shifted}`,
  }
}

function refitSentence({ delta, groups, raised }: Facts): string {
  const off = groups.filter(({ alarm }) => alarm !== undefined)
  const chance = `a false alarm ever has a chance of at most ${formatNumber(delta)}`
  if (off.length === 0)
    return `Refit, or look closer: it is sure since batch ${raised} that scores are off for some group, but not for which one alone (${chance}).`
  const [first] = off
  const words = { low: 'too low', high: 'too high', both: 'off, both ways,' }[first.side!]
  const more = off.length === 1 ? '' : ` and ${off.length - 1} more group${off.length === 2 ? '' : 's'}`
  return `Refit on recent rows: scores are surely ${words} for ${first.group}${more} (${chance}).`
}
