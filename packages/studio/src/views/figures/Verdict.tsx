// The verdict, first: who reads no further knows the answer.

import type { Evidence } from '@featureboost/core'
import { count, plural } from '../format.ts'

/** A sign beside the colour. */
const SIGNS = { good: '✓', attention: '!', bad: '✕' }
const WORDS = { good: 'Good', attention: 'Look closer', bad: 'Act' }

export function Verdict({ evidence }: { evidence: Evidence }) {
  const { about, verdict } = evidence
  const { level, sentence } = verdict
  return (
    <section class={`ev-verdict ${level}`} aria-label="Verdict">
      <span class="verdict-sign" aria-hidden="true">
        {SIGNS[level]}
      </span>
      <div>
        <p class="verdict-line">
          <b>{WORDS[level]}.</b> <bdi>{sentence}</bdi>
        </p>
        <p class="verdict-about">
          <bdi>{about.score}</bdi> against <bdi>{about.label}</bdi> in <bdi>{about.name}</bdi>,{' '}
          {count(about.auditedCount)} {rowWords(evidence)} (
          {plural(about.columns.length + about.moreColumns, 'column')})
        </p>
        <details class="verdict-details">
          <summary>How this was tested</summary>
          {verdict.details.map(sentence => (
            <p key={sentence}>
              <bdi>{sentence}</bdi>
            </p>
          ))}
        </details>
      </div>
    </section>
  )
}

function rowWords({ about, certificate }: Evidence): string {
  const { auditedCount, rowCount, rows } = about
  if (rows === 'held-out') return `held-out rows of ${count(rowCount)}`
  if (rows === 'fitting') return 'rows, those of the fit: none were held out, so what follows is too kind'
  const corrected =
    certificate !== undefined ? ' (whether the model was fitted to some of them is not known)' : ''
  return `${auditedCount === 1 ? 'row' : 'rows'}${corrected}`
}
