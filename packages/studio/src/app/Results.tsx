// What was found, drawn; a group of the map can be looked into.

import { EvidenceView } from '../views/EvidenceView.tsx'
import { audit, compare, leaveGroup } from './actions.ts'
import { before, running, shown } from './state.ts'

export function Results() {
  const { evidence, group, title } = shown.value!
  return (
    <section class="results" id="results" aria-labelledby="results-title">
      <div class="row spread">
        <h2 id="results-title" tabIndex={-1}>
          {group === undefined ? 'Results' : `Only the rows where ${group.words}`}
        </h2>
        {before.value !== undefined ? (
          <button type="button" onClick={leaveGroup}>
            Back to all rows
          </button>
        ) : (
          evidence.comparison === undefined && <CompareButton />
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

function CompareButton() {
  return (
    <button
      type="button"
      disabled={running.value !== undefined}
      title="Every method is fitted to four fifths of the rows and measured on the rest, five times. With many rows that takes minutes; it can be cancelled."
      onClick={() => void compare()}
    >
      Compare methods
    </button>
  )
}
