// The second step: what the audit found, first; what else can be asked of the score, after it.

import { audit, auditWith } from './actions.ts'
import { durationWords, isWorthSaying, isWorthwhile } from './duration.ts'
import { FoundErrors } from './Planted.tsx'
import { Results } from './Results.tsx'
import { Stale } from './Stale.tsx'
import {
  auditCandidate,
  audited,
  auditSeconds,
  compared,
  hasRows,
  hasScore,
  isAuditStale,
  isQuicker,
  isStopped,
  looked,
  running,
} from './state.ts'
import { AuditButton, CompareButton } from './WorkButtons.tsx'

export function AuditStep() {
  const found = looked.value ?? audited.value
  return (
    <>
      {found !== undefined && (
        <Results
          title="Audit"
          found={found}
          candidate={auditCandidate.value}
          story={looked.value === undefined && <Story />}
          stale={looked.value === undefined && isAuditStale.value && <Stale what="audit" again={audit} />}
        />
      )}
      {looked.value === undefined && <Asked />}
    </>
  )
}

function Story() {
  const { evidence, planted } = audited.value!
  return planted === undefined ? null : <FoundErrors errors={planted} rows={evidence.about.auditedCount} />
}

function Asked() {
  const isThere = audited.value !== undefined
  return (
    <section class="card" aria-labelledby="audit-title">
      <h2 id="audit-title">{isThere ? 'Ask more' : 'Audit'}</h2>
      <p class="hint">
        {hasScore.value
          ? 'How wrong is the score, for which groups, and is that more than noise?'
          : 'No column is the score: there is nothing to audit. Choose it under Data, or go on to the fit, which then starts from the base rate.'}
      </p>
      {hasScore.value && <Estimate />}
      <div class="row">
        <AuditButton label={isThere ? 'Audit again' : 'Audit the score'} isPrimary={!isThere} />
        {isThere && compared.value === undefined && <CompareButton />}
      </div>
    </section>
  )
}

/** Before work that takes long: how long, about, and what takes less. */
function Estimate() {
  const { full, quicker } = auditSeconds.value
  if (!isWorthSaying(full)) return null
  const [asked, other, how] = isQuicker.value
    ? ([quicker, full, 'full'] as const)
    : ([full, quicker, 'quicker'] as const)
  return (
    <div class="note" id="estimate">
      <p>
        The audit {isQuicker.value ? 'with the smaller budget ' : ''}will take {durationWords(asked)}, by an
        estimate from rows and columns; a slow or busy machine takes longer. It can be cancelled at any time.
      </p>
      {isWorthwhile(full, quicker) && (
        <div class="row">
          <button
            type="button"
            disabled={running.value !== undefined || isStopped.value || !hasRows.value}
            onClick={() => void auditWith(how)}
          >
            {how === 'full' ? 'Audit in full' : 'Audit with a smaller budget'}: {durationWords(other)}
          </button>
          <p class="hint">
            The smaller budget tries fewer pairs of columns, and takes worst errors over one condition at a
            time where pairs are many. The results say so.
          </p>
        </div>
      )}
    </div>
  )
}
