// The page as a whole: from a file to results, from top to bottom.

import { VERSION } from '@featureboost/core'
import { audit } from './actions.ts'
import { Columns } from './Columns.tsx'
import { Drop } from './Drop.tsx'
import { Failed } from './Failed.tsx'
import { FitForm } from './FitForm.tsx'
import { LossCurve } from './LossCurve.tsx'
import { longestTask } from './longTasks.ts'
import { Progress } from './Progress.tsx'
import { Results } from './Results.tsx'
import { failed, fitted, hasScore, isStopped, opened, running, shown, steps, warnings } from './state.ts'
import { TakeHome } from './TakeHome.tsx'
import { type Theme, theme } from './theme.ts'

export function App() {
  const isOpen = opened.value !== undefined
  return (
    <>
      <Header />
      <main>
        {!isOpen && <Drop />}
        {isOpen && <Columns />}
        {isOpen && <Work />}
        {running.value !== undefined && <Progress running={running.value} />}
        {isOpen && failed.value !== undefined && <Failed failure={failed.value} />}
        {warnings.value.map(sentence => (
          <p key={sentence} class="note">
            {sentence}
          </p>
        ))}
        {steps.value.length > 0 && <LossCurve steps={steps.value} />}
        {shown.value !== undefined && <Results />}
        {shown.value !== undefined && <TakeHome />}
      </main>
      <Footer />
    </>
  )
}

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
  const longest = longestTask.value
  return (
    <footer class="hint">
      featureboost {VERSION}. Everything is computed on this machine, in {navigator.hardwareConcurrency}{' '}
      threads.{' '}
      {longest !== undefined && (
        <span id="longest-task" data-milliseconds={longest}>
          Longest pause of this page: {longest === 0 ? 'under 50 ms' : `${Math.round(longest)} ms`}.
        </span>
      )}
    </footer>
  )
}
