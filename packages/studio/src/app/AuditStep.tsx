// The second step: what the audit found, first; what else can be asked of the score, after it.

import { audit } from './actions.ts'
import { FoundErrors } from './Planted.tsx'
import { Results } from './Results.tsx'
import { Stale } from './Stale.tsx'
import { auditCandidate, audited, compared, hasScore, isAuditStale, looked } from './state.ts'
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
      <div class="row">
        <AuditButton label={isThere ? 'Audit again' : 'Audit the score'} isPrimary={!isThere} />
        {isThere && compared.value === undefined && <CompareButton />}
      </div>
    </section>
  )
}
