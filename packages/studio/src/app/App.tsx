// The page as a whole: four steps and the monitor, each a view of its own, with what is under way above all of them.

import { VERSION } from '@featureboost/core'
import { useLayoutEffect } from 'preact/hooks'
import { AuditStep } from './AuditStep.tsx'
import { DataStep } from './DataStep.tsx'
import { Drop, Offered } from './Drop.tsx'
import { isOver } from './dropping.ts'
import { Failed } from './Failed.tsx'
import { FitStep } from './FitStep.tsx'
import { droppedFiles } from './files.ts'
import { keeping } from './keep.ts'
import { pauses } from './longTasks.ts'
import { Progress } from './Progress.tsx'
import { plainWords } from './plainWords.ts'
import { Steps } from './Steps.tsx'
import { announced, failed, hasResults, opened, running, warnings } from './state.ts'
import { TableLine } from './TableLine.tsx'
import { TakeHome } from './TakeHome.tsx'
import { type Theme, theme } from './theme.ts'
import { hashOf, type View, view } from './view.ts'
import { take } from './watch/actions.ts'
import { OfferedState } from './watch/BatchQuestion.tsx'
import { hasNewState, watched } from './watch/state.ts'
import { MonitorLine, WatchStep } from './watch/WatchStep.tsx'

const VIEWS: Readonly<Record<View['step'], () => preact.JSX.Element>> = {
  start: Drop,
  data: DataStep,
  audit: AuditStep,
  fit: FitStep,
  home: TakeHome,
  watch: WatchStep,
}

/** Every part reads its own signals: a step of a fit draws the curve anew, and not the results. */
export function App() {
  // From the first moment that there is something to drop on.
  useLayoutEffect(watchDrops, [])
  const step = shownStep()
  const Shown = VIEWS[step]
  return (
    <>
      <Header />
      <main class={isOver.value ? 'over' : undefined}>
        {step === 'watch' ? <MonitorLine /> : step !== 'start' && <TableLine />}
        {step !== 'start' && opened.value !== undefined && <Steps />}
        <Offered />
        <OfferedState />
        <UnderWay />
        <Notes isStart={step === 'start'} />
        <Shown key={step} />
      </main>
      <p class="visually-hidden" role="status" id="announced">
        {announced.value}
      </p>
      <Footer />
    </>
  )
}

/** What there is nothing of cannot be shown. */
function shownStep(): View['step'] {
  const { step } = view.value
  const isThere = step === 'watch' ? watched.value !== undefined : opened.value !== undefined
  return isThere ? step : 'start'
}

/** Anywhere on the page; else the browser would leave it and show the file. Returns how to end it. */
function watchDrops(): () => void {
  const over = (event: DragEvent) => {
    event.preventDefault()
    isOver.value = true
  }
  const leave = () => {
    isOver.value = false
  }
  const drop = async (event: DragEvent) => {
    event.preventDefault()
    isOver.value = false
    await take(await droppedFiles(event.dataTransfer))
  }
  const watched = { dragover: over, dragleave: leave, drop }
  for (const [name, listener] of Object.entries(watched))
    document.addEventListener(name, listener as EventListener)
  return () => {
    for (const [name, listener] of Object.entries(watched))
      document.removeEventListener(name, listener as EventListener)
  }
}

const UnderWay = () => (running.value === undefined ? null : <Progress running={running.value} />)

/** Where there is no table yet, the place to load one says what went wrong. */
const Notes = ({ isStart }: { isStart: boolean }) => (
  <>
    {!isStart && failed.value !== undefined && <Failed failure={failed.value} />}
    {warnings.value.map(sentence => (
      <p key={sentence} class="note">
        {plainWords(sentence).words}
      </p>
    ))}
    {keeping.value === 'refused' && (hasResults.value || hasNewState.value) && (
      <p class="note">
        This browser lets the page keep nothing, as in private windows: a refresh loses these results. Take
        home what you need.
      </p>
    )}
  </>
)

function Header() {
  return (
    <header class="top">
      <a class="brand" href={hashOf({ step: 'start' })}>
        featureboost <span class="hint">studio</span>
      </a>
      <label class="row">
        <span class="hint" aria-hidden="true">
          Theme
        </span>
        <select
          aria-label="Theme"
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
      Longest pause of this page: {words(ever)}; during the last work, until its results were drawn:{' '}
      {words(working)}.
    </span>
  )
}
