// The first step: what is in the table, what each column is for, and on to the next.

import { Columns } from './Columns.tsx'
import { hasScore } from './state.ts'
import { goTo } from './view.ts'
import { AuditButton } from './WorkButtons.tsx'

export function DataStep() {
  return (
    <>
      <Columns />
      <section class="card" aria-labelledby="next-title">
        <h2 id="next-title">Next</h2>
        <p class="hint">
          An audit says how wrong the score is, for which groups, and whether that is more than noise. A fit
          corrects the score for every group, and certifies what was reached.
        </p>
        <div class="row">
          <AuditButton label="Audit the score" />
          <button
            type="button"
            class={hasScore.value ? undefined : 'primary'}
            onClick={() => goTo({ step: 'fit' })}
          >
            Go on to the fit
          </button>
        </div>
      </section>
    </>
  )
}
