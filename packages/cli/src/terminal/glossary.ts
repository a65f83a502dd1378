// Words of the paper, for those who read the details.

import { section, wrap } from './layout.ts'
import type { View } from './view.ts'

/** As docs/theory.md defines them. */
const WORDS: readonly (readonly [word: string, meaning: string])[] = [
  [
    'auditor',
    'a function of the columns with values in [-1,1] that may find fault, such as "1 for women under 30"',
  ],
  ['multiaccuracy error', 'how far, on average over all rows, residuals go along with the worst auditor'],
  ['multicalibration error', 'the same at every level of the score apart, added up over the levels'],
  ['level-set error', 'the same where another auditor may find fault at every level'],
  ['table factors', 'updates that move each group by another amount at each level of the score'],
  ['update', 'one step of the correction: who is moved, and by how much'],
  ['units', 'predictions are whole multiples of 2^-24, so that all sums are exact'],
]

export const layoutGlossary = (view: View): string =>
  section(
    'Words (docs/theory.md has the definitions)',
    WORDS.map(([word, meaning]) => wrap(`- ${word}: ${meaning}.`, view.width, 2)).join('\n'),
    view,
  )
