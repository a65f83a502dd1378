// What was found, drawn; a group of the map can be looked into.

import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { EvidenceView } from '../views/EvidenceView.tsx'
import type { PageEvidence } from '../worker/evidence.ts'
import { lookInto } from './actions.ts'
import { compared, hasRows, type Look, looked, running } from './state.ts'
import { hashOf, view } from './view.ts'

interface ResultsProps {
  readonly title: string
  readonly found: { readonly evidence: PageEvidence; readonly command: string } | Look
  readonly stale: ComponentChildren
  /** Of the example: what was planted in it. */
  readonly story?: ComponentChildren
}

export function Results({ found, stale, story, title }: ResultsProps) {
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
        <a href={group === undefined ? hashOf({ step: 'home' }) : hashOf({ step: view.value.step })}>
          {group === undefined ? 'Take home' : 'Back to all rows'}
        </a>
      </div>
      {stale}
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
