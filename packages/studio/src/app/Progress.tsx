// What is being done, how far it is, and how to stop it.

import { takesRounds } from '../run/choice.ts'
import type { FirstFindings } from '../worker/protocol.ts'
import { auditWith, stopWork } from './actions.ts'
import { durationWords, isWorthSaying, isWorthwhile } from './duration.ts'
import { auditSeconds, choice, isQuicker, type Running, steps } from './state.ts'

const PHASES: Readonly<Record<string, string>> = {
  reading: 'Reading rows',
  learning: 'Cutting columns into bins',
  loading: 'Loading rows into threads',
  measuring: 'Measuring',
  searching: 'Searching groups',
  'summing up': 'Summing up',
  scoring: 'Scoring rows',
  grouping: 'Counting groups',
  rounding: 'Rounding to bins',
  boosting: 'Boosting',
  certifying: 'Certifying',
}

export function Progress({ running }: { running: Running }) {
  const { first, isStopping, kind, phase, share, title } = running
  const canKeep =
    kind === 'fit' && phase === 'boosting' && takesRounds(choice.value) && steps.value.length > 0
  return (
    <section class="card progress" id="progress" aria-label="Work under way">
      <div class="row spread">
        <p role="status">
          <strong>{title}</strong>
          <span class="hint">
            {' '}
            {isStopping ? 'Stopping' : (PHASES[phase] ?? phase)}
            {!isStopping && <Remaining running={running} />}
          </span>
        </p>
        <div class="row">
          {canKeep && (
            <button type="button" onClick={() => stopWork('keep')} disabled={isStopping}>
              Stop and keep the best so far
            </button>
          )}
          {canHurry(running) && (
            <button type="button" onClick={() => void auditWith('quicker')} disabled={isStopping}>
              Start again with a smaller budget: {durationWords(auditSeconds.value.quicker)}
            </button>
          )}
          <button type="button" onClick={() => stopWork('drop')} disabled={isStopping}>
            Cancel
          </button>
        </div>
      </div>
      <progress aria-label={title} {...(share === undefined ? {} : { value: share, max: 1 })} />
      {first !== undefined && <First first={first} />}
    </section>
  )
}

/** An audit in full that takes long, and would not with less. What it has found already is not thrown away. */
const canHurry = ({ estimate, first }: Running): boolean =>
  estimate !== undefined &&
  isWorthSaying(estimate) &&
  first === undefined &&
  !isQuicker.value &&
  isWorthwhile(auditSeconds.value.full, auditSeconds.value.quicker)

/** So long it takes to know how fast a search goes. */
const ENOUGH_MS = 4000

/** How long a search will still take, by how fast it has gone so far; the figures come after it. Until that is known: the estimate of all. */
function Remaining({ running: { began, estimate, search, share = 0 } }: { running: Running }) {
  const spent = search === undefined ? 0 : performance.now() - search.since
  if (search === undefined || spent < ENOUGH_MS) return <All began={began} estimate={estimate} />
  const seconds = ((spent / 1000) * (1 - share)) / Math.max(share - search.from, 1e-6)
  if (!isWorthSaying(seconds)) return null
  const minutes = Math.ceil(seconds / 60)
  return <>, {minutes === 1 ? 'less than a minute' : `about ${minutes} minutes`} to go</>
}

/** Rates are nominal, and machines are not. */
function All({ began, estimate }: Pick<Running, 'began'> & { estimate: number | undefined }) {
  if (estimate === undefined || !isWorthSaying(estimate)) return null
  const isLate = performance.now() - began > 1000 * estimate
  return isLate ? (
    <>; {durationWords(estimate)} was an estimate, and this takes longer</>
  ) : (
    <>; all of it takes {durationWords(estimate)}, by an estimate</>
  )
}

/** With many rows the figures take longer than the audit; who waits has something to read. */
function First({ first: { verdict, worst } }: { first: FirstFindings }) {
  return (
    <div class="first" id="first-findings">
      <p>
        <strong>{verdict}</strong>
      </p>
      <ol>
        {worst.map(sentence => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ol>
    </div>
  )
}
