// Where a file comes in: dropped, chosen, or the built-in example.

import { closeFile, load, offer } from './actions.ts'
import { ChooseFile } from './ChooseFile.tsx'
import { isOver } from './dropping.ts'
import { Failed } from './Failed.tsx'
import { Question } from './Question.tsx'
import { failed, kept, offered, opened, running } from './state.ts'
import { hashOf, type View } from './view.ts'
import { closeMonitor, take } from './watch/actions.ts'
import { WaitingModel } from './watch/BatchQuestion.tsx'
import { watched } from './watch/state.ts'

export function Drop() {
  return (
    <section class="drop-page" aria-labelledby="drop-title">
      <h1 id="drop-title">Is your score right for every group?</h1>
      <p class="lead">
        Load a table with outcomes and scores. You will see for whom the score is wrong, by how much and
        whether that is more than noise; then correct it, and take the model and its certificate home.
      </p>
      {opened.value !== undefined && (
        <GoOn name={opened.value.name} step="data" what="and its results" onForget={closeFile} />
      )}
      {watched.value !== undefined && (
        <GoOn name={watched.value.name} step="watch" what="and its model" onForget={closeMonitor} />
      )}
      <WaitingModel />
      <div class={isOver.value ? 'drop over' : 'drop'}>
        <p class="drop-words">Drop a file here</p>
        <p class="hint">
          CSV, TSV, JSON or NDJSON (also .gz), or Parquet, with a header and one row per case. Or the state of
          a monitor and its model, together or one after the other.
        </p>
        <div class="row centred">
          <ChooseFile label="Choose a file" onChosen={chosen => void take(chosen)} isPrimary takesMany />
          <button type="button" onClick={() => void offer('example')} disabled={running.value !== undefined}>
            Try the example
          </button>
        </div>
      </div>
      {(failed.value?.kind === 'open' || failed.value?.kind === 'watch') && <Failed failure={failed.value} />}
      <p class="hint">
        Nothing leaves this machine: the page sends no request, and its policy forbids any. The example is
        made up: 100,000 loan applications whose score was given four errors.
      </p>
    </section>
  )
}

interface GoOnProps {
  readonly name: string
  readonly step: View['step']
  /** What goes with it when it is forgotten. */
  readonly what: string
  readonly onForget: () => void
}

/** The table or the monitor that is there, for who came back to the start. */
const GoOn = ({ name, onForget, step, what }: GoOnProps) => (
  <div class="note row spread">
    <a href={hashOf({ step })}>Go on with {name}</a>
    <button type="button" onClick={onForget} disabled={running.value !== undefined}>
      Forget {name} {what}
    </button>
  </div>
)

/** Another file would take the place of results. */
export function Offered() {
  const chosen = offered.value
  if (chosen === undefined) return null
  const name = chosen === 'example' ? 'the example' : chosen.file.name
  const before = opened.value!.name
  return (
    <Question
      id="offered-title"
      yes={`Load ${name}`}
      onYes={() => void load(chosen)}
      no={`Keep ${before}`}
      onNo={() => {
        offered.value = undefined
      }}
    >
      Load {name} instead? That removes the results of {before}: take home what you need first.
      {kept.value !== undefined && ' What is kept to compare with stays.'}
    </Question>
  )
}
