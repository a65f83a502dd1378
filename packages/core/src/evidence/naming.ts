// Which values evidence may name: those of enough rows. A value of few rows could tell who is meant.

import type { Predicate } from '../classes/auditors.ts'
import type { Encoding } from '../quantize/encoding.ts'

/** May this value of this column be named? */
export type IsNamed = (column: string, value: string) => boolean

export const nameAll: IsNamed = () => true

export function namesOnly(where: readonly Predicate[], isNamed: IsNamed): boolean {
  return where.every(predicate => {
    const values =
      'is' in predicate
        ? [predicate.is]
        : 'in' in predicate
          ? predicate.in
          : 'notIn' in predicate
            ? predicate.notIn
            : []
    return values.every(value => typeof value !== 'string' || isNamed(predicate.column, value))
  })
}

const UNNAMED = 'a rare value'

/** To describe updates with. */
export function maskEncoding(encoding: Encoding, isNamed: IsNamed): Encoding {
  return {
    ...encoding,
    features: encoding.features.map(feature =>
      feature.kind !== 'categorical'
        ? feature
        : {
            ...feature,
            categories: feature.categories.map(name => (isNamed(feature.name, name) ? name : UNNAMED)),
          },
    ),
  }
}

/** Sentences that a model brings along, made when all its categories could be named. */
export function maskSentences(
  sentences: readonly string[],
  { features }: Encoding,
  isNamed: IsNamed,
): string[] {
  const hidden = features
    .flatMap(feature =>
      feature.kind === 'categorical' ? feature.categories.filter(name => !isNamed(feature.name, name)) : [],
    )
    .filter(name => name !== '')
    // A name may be part of a longer one.
    .sort((a, b) => b.length - a.length)
  return sentences.map(sentence => hidden.reduce((text, name) => replaceWord(text, name, UNNAMED), sentence))
}

/** Where it stands by itself: "= a" is a value, the a of "at" is none. */
function replaceWord(text: string, word: string, other: string): string {
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return text.replace(new RegExp(`(?<=(?:=|is|not|or|,) )${escaped}(?=$|[ ,.;:)])`, 'gu'), () => other)
}
