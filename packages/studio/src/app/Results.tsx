// What was found.

import { leaveGroup } from './actions.ts'
import { before, shown } from './state.ts'

export function Results() {
  const { evidence, group } = shown.value!
  return (
    <section class="results" id="results" aria-labelledby="results-title">
      <h2 id="results-title">{group === undefined ? 'Results' : `Only ${group.words}`}</h2>
      {before.value !== undefined && (
        <button type="button" onClick={leaveGroup}>
          Back to all rows
        </button>
      )}
      <p class={`verdict ${evidence.verdict.level}`}>{evidence.verdict.sentence}</p>
      <pre class="code">{JSON.stringify(evidence, null, 1).slice(0, 3000)}</pre>
    </section>
  )
}
