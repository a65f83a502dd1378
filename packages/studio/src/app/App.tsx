// The page as a whole: from a file to results, from top to bottom.

import { VERSION } from '@featureboost/core'
import { audit } from './actions.ts'
import { Columns } from './Columns.tsx'
import { Drop } from './Drop.tsx'
import { Failed } from './Failed.tsx'
import { FitForm } from './FitForm.tsx'
import { LossCurve } from './LossCurve.tsx'
import { pauses } from './longTasks.ts'
import { Progress } from './Progress.tsx'
import { Results } from './Results.tsx'
import { failed, fitted, hasScore, isStopped, opened, running, shown, steps, warnings } from './state.ts'
import { TakeHome } from './TakeHome.tsx'
import { type Theme, theme } from './theme.ts'

/** Every part reads its own signals: a step of a fit draws the curve anew, and not the results. */
export function App() {
  return (
    <>
      <Header />
      <main>
        {opened.value === undefined ? <Drop /> : <Columns />}
        {opened.value !== undefined && <Work />}
        <UnderWay />
        <Notes />
        <Curve />
        <Found />
      </main>
      <Footer />
    </>
  )
}

const UnderWay = () => (running.value === undefined ? null : <Progress running={running.value} />)

/** Where there is no table yet, the place to load one says what went wrong. */
const Notes = () => (
  <>
    {opened.value !== undefined && failed.value !== undefined && <Failed failure={failed.value} />}
    {warnings.value.map(sentence => (
      <p key={sentence} class="note">
        {sentence}
      </p>
    ))}
  </>
)

const Curve = () => (steps.value.length === 0 ? null : <LossCurve steps={steps.value} />)

/** A model without figures, as where its rows could not be audited, goes home all the same. */
const Found = () => (
  <>
    {shown.value !== undefined && <Results />}
    {(shown.value !== undefined || fitted.value !== undefined) && <TakeHome />}
  </>
)

function Header() {
  return (
    <header class="top">
      <p class="brand">
        featureboost <span class="hint">studio</span>
      </p>
      <label class="row">
        <span class="hint">Theme</span>
        <select
          value={theme.value}
          onChange={event => {
            theme.value = event.currentTarget.value as Theme
          }}
        >
          <option value="system">as the system</option>
          <option value="light">light</option>
          <option value="dark">dark</option>
        </select>
      </label>
    </header>
  )
}

function Work() {
  const isBusy = running.value !== undefined
  return (
    <>
      <section class="card" aria-labelledby="audit-title">
        <h2 id="audit-title">Audit</h2>
        <p class="hint">How wrong is the score, for which groups, and is that more than noise?</p>
        <button
          type="button"
          class={fitted.value === undefined && shown.value === undefined ? 'primary' : undefined}
          onClick={() => void audit()}
          disabled={isBusy || isStopped.value || !hasScore.value}
        >
          Audit the score
        </button>
      </section>
      <section class="card" aria-labelledby="fit-title">
        <h2 id="fit-title">Fit</h2>
        <p class="hint">Corrects the score for every group, and certifies what was reached.</p>
        <FitForm />
      </section>
    </>
  )
}

function Footer() {
  return (
    <footer class="hint">
      featureboost {VERSION}. Everything is computed on this machine, in {navigator.hardwareConcurrency}{' '}
      threads. <LongestPause />
    </footer>
  )
}

function LongestPause() {
  if (pauses.value === undefined) return null
  const { ever, working } = pauses.value
  const words = (milliseconds: number) =>
    milliseconds === 0 ? 'under 50 ms' : `${Math.round(milliseconds)} ms`
  return (
    <span id="pauses" data-ever={ever} data-working={working}>
      Longest pause of this page: {words(ever)}; during the last work: {words(working)}.
    </span>
  )
}
