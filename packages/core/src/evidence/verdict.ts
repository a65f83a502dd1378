// The verdict: one sentence, and whether to be glad, to look closer, or to act.

import type { Finding } from '../audit/worst/findings.ts'
import type { Significance } from '../audit/worst/worstGroups.ts'
import { type FitVerdict, sureGap } from '../compare/verdict.ts'
import { clipText } from './caps.ts'
import type { Verdict } from './evidence.ts'

/** A gap that is surely larger than this calls for action. */
const GRAVE_GAP = 0.05

interface Audited {
  readonly significance: Significance
  readonly worst: readonly Finding[]
  /** The sentence of the audit. */
  readonly verdict: string
}

export function verdictOfScore({ significance, verdict, worst }: Audited): Verdict {
  return { sentence: clipText(verdict, 400), level: levelOf(significance, worst) }
}

function levelOf({ beyondNoise, groupsTested }: Significance, worst: readonly Finding[]): Verdict['level'] {
  if (!beyondNoise) return groupsTested === 0 ? 'attention' : 'good'
  return Math.max(...worst.map(sureGap)) > GRAVE_GAP ? 'bad' : 'attention'
}

/** The same words as everywhere else. */
export const verdictOfChange = ({ level, sentences }: FitVerdict): Verdict => ({
  sentence: clipText(sentences.join(' '), 600),
  level,
})
