// What was found, drawn; a group of the map can be looked into.

import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { EvidenceView } from '../views/EvidenceView.tsx'
import type { PageEvidence } from '../worker/evidence.ts'
import { keepBeside, lookInto } from './actions.ts'
import { Beside } from './Beside.tsx'
import { type Candidate, compared, hasRows, kept, looked, running } from './state.ts'
import { hashOf, view } from './view.ts'

interface ResultsProps {
  readonly title: string
  readonly found: { readonly evidence: PageEvidence; readonly command: string }
  readonly stale: ComponentChildren
  /** Of the example: what was planted in it. */
  readonly story?: ComponentChildren
  /** The same as a side of a comparison. */
  readonly candidate?: Candidate | undefined
}

export function Results({ candidate, found, stale, story, title }: ResultsProps) {
  const group = looked.value?.group
  const comparison = group === undefined ? compared.value?.table : undefined
  const evidence = useMemo(
    () => (comparison === undefined ? found.evidence : { ...found.evidence, comparison }),
    [found.evidence, comparison],
  )
  return (
    <section class="results" id="results" aria-labelledby="results-title">
      <div class="row spread">
        <h2 id="results-title" tabIndex={-1}>
          {group === undefined ? title : `Only the rows where ${group.words}`}
        </h2>
        <div class="row">
          {group === undefined && candidate !== undefined && kept.value?.id !== candidate.id && (
            <button type="button" onClick={() => keepBeside(candidate)}>
              {kept.value === undefined ? 'Keep to compare' : 'Keep this one instead'}
            </button>
          )}
          <a href={group === undefined ? hashOf({ step: 'home' }) : hashOf({ step: view.value.step })}>
            {group === undefined ? 'Take home' : 'Back to all rows'}
          </a>
        </div>
      </div>
      {stale}
      {group === undefined && candidate !== undefined && <Beside current={candidate} />}
      <EvidenceView
        key={group?.words ?? title}
        evidence={evidence}
        onDrill={({ sql, where, words }) => {
          if (running.value === undefined && hasRows.value)
            void lookInto({ where, words, ...(sql !== undefined && { sql }) })
        }}
      >
        {story}
      </EvidenceView>
    </section>
  )
}
