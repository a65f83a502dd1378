// The steps of the page, side by side: links, so that each has its place in the history of the browser.

import { audited, fitted, isAuditStale, isFitStale } from './state.ts'
import { hashOf, STEPS, type Step, view } from './view.ts'
import { watched } from './watch/state.ts'

const WORDS: Readonly<Record<Step, string>> = { data: 'Data', audit: 'Audit', fit: 'Fit', home: 'Take home' }

export function Steps() {
  return (
    <nav class="steps" aria-label="Steps">
      <ol>
        {STEPS.map(step => (
          <li key={step}>
            <a href={hashOf({ step })} aria-current={view.value.step === step ? 'page' : undefined}>
              {WORDS[step]}
              <Mark step={step} />
            </a>
          </li>
        ))}
        {watched.value !== undefined && (
          <li>
            <a
              href={hashOf({ step: 'watch' })}
              aria-current={view.value.step === 'watch' ? 'page' : undefined}
            >
              Watch
            </a>
          </li>
        )}
      </ol>
    </nav>
  )
}

/** What has been done, and what would have to be done again. */
function Mark({ step }: { step: Step }) {
  const isDone =
    step === 'data' ||
    (step === 'audit' && audited.value !== undefined) ||
    (step === 'fit' && fitted.value !== undefined)
  if (!isDone) return null
  const isStale = (step === 'audit' && isAuditStale.value) || (step === 'fit' && isFitStale.value)
  return (
    <span class={isStale ? 'mark stale' : 'mark'}>
      <span aria-hidden="true">{isStale ? '↻' : '✓'}</span>
      <span class="visually-hidden">{isStale ? ', to be run again' : ', done'}</span>
    </span>
  )
}
