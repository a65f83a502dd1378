// A monitor: what it has to say, as in its report, how a batch comes to it, and what goes home.

import reportTemplate from 'virtual:report-template'
import { reportHtml } from '@featureboost/core'
import { monitorEvidence } from '@featureboost/core/internal'
import { useMemo } from 'preact/hooks'
import { reportCommand, stemOf } from '../../run/command.ts'
import { count } from '../../views/format.ts'
import { MonitorView } from '../../views/monitor/MonitorView.tsx'
import { ChooseFile } from '../ChooseFile.tsx'
import { download } from '../download.ts'
import { running } from '../state.ts'
import { Command } from '../TakeHome.tsx'
import { hashOf } from '../view.ts'
import { saveNewState, saveState, take } from './actions.ts'
import { BatchQuestion } from './BatchQuestion.tsx'
import { batchFile, hasNewState, type Watched, watched, watchedModel } from './state.ts'

export function WatchStep() {
  const monitor = watched.value!
  const evidence = useMemo(() => evidenceOf(monitor), [monitor, watchedModel.value])
  return (
    <>
      {batchFile.value !== undefined && <BatchQuestion key={batchFile.value.file.name} />}
      {hasNewState.value && <NewState monitor={monitor} />}
      <section class="results" aria-label="What the monitor says">
        <MonitorView evidence={evidence} />
      </section>
      <AddBatch />
      <MonitorHome monitor={monitor} />
    </>
  )
}

const reportNameOf = (state: string): string => `${stemOf(state)}-report.html`

/** As `featureboost monitor STATE --report` has it. */
function evidenceOf({ name, report }: Watched) {
  const model = watchedModel.value?.name ?? 'MODEL'
  return monitorEvidence(report, {
    name,
    command: reportCommand({ state: name, model, report: reportNameOf(name) }),
  })
}

/** The monitor in one line, above what it says. */
export function MonitorLine() {
  const { name, report } = watched.value!
  const model = watchedModel.value
  return (
    <section class="table-line" aria-labelledby="watch-title">
      <div class="row spread">
        <h1 id="watch-title" tabIndex={-1}>
          {name}
        </h1>
        <a href={hashOf({ step: 'start' })}>Load another file</a>
      </div>
      <p class="hint">
        The state of a monitor of {model === undefined ? 'a model' : <b>{model.name}</b>}, with{' '}
        {count(report.referenceRows)} reference rows; the chance of ever raising a false alarm is at most{' '}
        {report.delta}.
      </p>
      {model === undefined && (
        <div class="note" id="ask-model">
          <p>
            This is what the state says by itself. To add a batch, open the model that it watches as well, the
            one with the hash <span class="code">{report.modelHash}</span>.
          </p>
          <p class="row">
            <ChooseFile label="Choose the model" onChosen={chosen => void take(chosen)} />
          </p>
        </div>
      )}
    </section>
  )
}

/** Nothing on disk changes by itself. */
const NewState = ({ monitor: { name } }: { monitor: Watched }) => (
  <div class="note row spread" id="new-state">
    <p>The new batch is only here so far: save the new state, and put it in the place of the old {name}.</p>
    <button type="button" class="primary" onClick={saveNewState}>
      Save {name}
    </button>
  </div>
)

function AddBatch() {
  if (watchedModel.value === undefined) return null
  return (
    <section class="card" aria-labelledby="add-batch-title">
      <h2 id="add-batch-title">Add a batch</h2>
      <p class="hint">
        Rows with scores, and with outcomes where they are known. If they come later, the same rows with
        outcomes are added then.
      </p>
      <div class="row">
        <ChooseFile label="Choose a batch" onChosen={chosen => void take(chosen)} />
      </div>
    </section>
  )
}

function MonitorHome({ monitor }: { monitor: Watched }) {
  const { commands, name } = monitor
  const saveReport = () =>
    download(reportNameOf(name), reportHtml(reportTemplate, evidenceOf(monitor)), 'text/html')
  return (
    <section class="card" aria-labelledby="watch-home-title">
      <h2 id="watch-home-title">Take home</h2>
      <div class="row">
        <button type="button" disabled={running.value !== undefined} onClick={saveState}>
          State
        </button>
        <button type="button" onClick={saveReport}>
          Report (HTML)
        </button>
      </div>
      {commands.length > 0 && (
        <Command
          title={
            commands.length === 1
              ? 'The command that adds this batch, with the same bytes'
              : 'The commands that add these batches, with the same bytes'
          }
          command={commands.join('\n')}
        />
      )}
    </section>
  )
}
