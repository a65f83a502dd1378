// What a model says of itself: its updates in words, and its certificate.

import { describeUpdate } from '../classes/describe.ts'
import { provenBounds, provenSentence } from '../compare/verdict.ts'
import type { Model } from '../model/model.ts'
import { clipText } from './caps.ts'
import type { CertificateSummary, Updates } from './evidence.ts'
import { type IsNamed, maskEncoding, maskSentences } from './naming.ts'

const SHOWN_UPDATES = 50
const SENTENCE = 600

export function updatesOf({ data: { encoding, updates } }: Model, isNamed: IsNamed): Updates {
  const masked = maskEncoding(encoding, isNamed)
  return {
    total: updates.length,
    words: updates.slice(0, SHOWN_UPDATES).map(update => clipText(describeUpdate(update, masked), 300)),
  }
}

export function certificateOf(model: Model, isNamed: IsNamed): CertificateSummary {
  const { caveats, claim, holds, measured, proven, rows } = model.certificate
  const clip = (sentences: readonly string[]) =>
    maskSentences(sentences, model.data.encoding, isNamed).map(sentence => clipText(sentence, SENTENCE))
  return {
    holds,
    ...provenBounds(model.certificate),
    sentence: provenSentence(model.certificate),
    guarantee: claim.guarantee,
    epsilon: claim.epsilon,
    bins: claim.bins,
    proven: clip(proven),
    measured: clip(measured),
    caveats: clip(caveats),
    rowCount: rows.rowCount,
    fingerprint: rows.fingerprint,
    modelHash: model.hash,
  }
}
