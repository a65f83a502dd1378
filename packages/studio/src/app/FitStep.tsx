// The third step: before and after, first; the options of a fit, after it.

import { fit, measureFit } from './actions.ts'
import { Decisions } from './Decisions.tsx'
import { FitForm } from './FitForm.tsx'
import { LossCurve } from './LossCurve.tsx'
import { FollowedErrors } from './Planted.tsx'
import { Results } from './Results.tsx'
import { Stale } from './Stale.tsx'
import { fitCandidate, fitted, hasRows, isFitStale, looked, running, steps } from './state.ts'

export function FitStep() {
  if (looked.value !== undefined) return <Results title="Fit" found={looked.value} stale={false} />
  return (
    <>
      <Curve isUnderWay />
      <Found />
      {fitted.value !== undefined && <Decisions fitted={fitted.value} />}
      <Curve isUnderWay={false} />
      <section class="card" aria-labelledby="fit-title">
        <h2 id="fit-title">{fitted.value === undefined ? 'Fit' : 'Fit again'}</h2>
        <p class="hint">Corrects the score for every group, and certifies what was reached.</p>
        <FitForm />
      </section>
    </>
  )
}

/** On top while it grows, below the results when it is done. */
function Curve({ isUnderWay }: { isUnderWay: boolean }) {
  const isRunning = running.value?.kind === 'fit'
  return steps.value.length === 0 || isRunning !== isUnderWay ? null : <LossCurve steps={steps.value} />
}

function Found() {
  if (fitted.value === undefined) return null
  const { command, evidence, planted } = fitted.value.answer
  const stale = isFitStale.value && <Stale what="fit" again={fit} />
  if (evidence !== undefined)
    return (
      <Results
        title="Before and after"
        found={{ command, evidence }}
        candidate={fitCandidate.value}
        stale={stale}
        story={planted && <FollowedErrors errors={planted} about={evidence.about} />}
      />
    )
  return (
    <section class="card" id="results" aria-labelledby="results-title">
      <h2 id="results-title" tabIndex={-1}>
        Before and after
      </h2>
      {stale}
      <p>The model is made, and can be taken home. What became of the groups has not been measured.</p>
      <div class="row">
        <button
          type="button"
          disabled={running.value !== undefined || !hasRows.value}
          onClick={() => void measureFit()}
        >
          Audit before and after
        </button>
      </div>
    </section>
  )
}
