// The verdict of evidence: the same words as everywhere else, and what a statistician asks for.

import { type JudgedAudit, judgeAudit } from '../audit/verdict.ts'
import type { Significance } from '../audit/worst/worstGroups.ts'
import type { FitVerdict } from '../compare/verdict.ts'
import { clipText } from './caps.ts'
import type { Verdict } from './evidence.ts'

const LONGEST = 2000

interface Searched {
  readonly significance: Pick<Significance, 'sentence'>
}

export function verdictOfScore(found: JudgedAudit & Searched, rowCount: number): Verdict {
  const { level, sentence } = judgeAudit(found, rowCount)
  return { sentence: clipText(sentence, LONGEST), level, details: [searchWords(found)] }
}

export const verdictOfChange = (
  { level, sentences }: FitVerdict,
  before: Searched,
  after: Searched,
): Verdict => ({
  sentence: clipText(sentences.join(' '), LONGEST),
  level,
  details: [`Before: ${searchWords(before)}`, `After: ${searchWords(after)}`],
})

const searchWords = ({ significance }: Searched): string => clipText(significance.sentence, LONGEST)
