// What was found, drawn; a group of the map can be looked into.

import { EvidenceView } from '../views/EvidenceView.tsx'
import { audit, leaveGroup } from './actions.ts'
import { before, running, shown } from './state.ts'

export function Results() {
  const { evidence, group, title } = shown.value!
  return (
    <section class="results" id="results" aria-labelledby="results-title">
      <div class="row spread">
        <h2 id="results-title" tabIndex={-1}>
          {group === undefined ? 'Results' : `Only the rows where ${group.words}`}
        </h2>
        {before.value !== undefined && (
          <button type="button" onClick={leaveGroup}>
            Back to all rows
          </button>
        )}
      </div>
      <EvidenceView
        key={title}
        evidence={evidence}
        onDrill={({ sql, where, words }) => {
          if (running.value === undefined) void audit({ where, words, ...(sql !== undefined && { sql }) })
        }}
      />
    </section>
  )
}
