// A table that was dropped on a monitor, or chosen for it: is it the next batch, and how is it called?

import { useState } from 'preact/hooks'
import { batchNameOf } from '../../../../cli/src/monitor/reading.ts'
import { offer } from '../actions.ts'
import { ChooseFile } from '../ChooseFile.tsx'
import { Question } from '../Question.tsx'
import { running } from '../state.ts'
import { plainWritten, WrittenFields, wordsOf } from '../Written.tsx'
import { addBatch, closeMonitor, dropBatch, keepMonitor, openMonitor, take } from './actions.ts'
import { batchFile, offeredState, watched, watchedModel } from './state.ts'

export function BatchQuestion() {
  const { file } = batchFile.value!
  const usual = batchNameOf(file.name)
  const [choice, setChoice] = useState({ name: usual, unlabelled: false, again: false })
  const [written, setWritten] = useState(plainWritten)
  const canAdd = watchedModel.value !== undefined
  const isBusy = running.value !== undefined
  const submit = (event: Event) => {
    event.preventDefault()
    if (canAdd) void addBatch({ ...choice, name: choice.name.trim() || usual }, wordsOf(written))
  }
  const loadAsTable = () => {
    const chosen = batchFile.value!
    batchFile.value = undefined
    void offer(chosen)
  }
  return (
    <form class="note batch" onSubmit={submit} aria-labelledby="batch-title">
      <p id="batch-title" tabIndex={-1}>
        <strong>
          Add {file.name} to {watched.value!.name} as a batch?
        </strong>
      </p>
      {canAdd ? (
        <>
          <label class="row">
            Name of the batch
            <input
              type="text"
              value={choice.name}
              onInput={event => setChoice({ ...choice, name: event.currentTarget.value })}
            />
          </label>
          <details>
            <summary>More</summary>
            <div class="batch">
              <label class="check">
                <input
                  type="checkbox"
                  checked={choice.unlabelled}
                  onChange={event => setChoice({ ...choice, unlabelled: event.currentTarget.checked })}
                />
                Read no outcomes: not all of them are known yet (--unlabelled)
              </label>
              <label class="check">
                <input
                  type="checkbox"
                  checked={choice.again}
                  onChange={event => setChoice({ ...choice, again: event.currentTarget.checked })}
                />
                Count the rows even if they were recorded before (--again)
              </label>
              <WrittenFields name={file.name} written={written} onChange={setWritten} />
            </div>
          </details>
        </>
      ) : (
        <p>That takes the model that is watched: choose it first.</p>
      )}
      <div class="row">
        {canAdd ? (
          <button type="submit" class="primary" disabled={isBusy}>
            Add the batch
          </button>
        ) : (
          <ChooseFile label="Choose its model" onChosen={chosen => void take(chosen)} />
        )}
        <button type="button" disabled={isBusy} onClick={loadAsTable}>
          Load it as a table
        </button>
        <button type="button" disabled={isBusy} onClick={dropBatch}>
          Do neither
        </button>
      </div>
    </form>
  )
}

/** Another state would take the place of one with batches that are nowhere else. */
export function OfferedState() {
  const files = offeredState.value
  if (files?.state === undefined) return null
  const { name } = files.state.file
  const before = watched.value?.name ?? ''
  return (
    <Question
      id="offered-state-title"
      yes={`Open ${name}`}
      onYes={() => void openMonitor(files)}
      no={`Keep ${before}`}
      onNo={keepMonitor}
    >
      Open {name} instead? The batches that were added to {before} here have not been saved, and would be
      lost.
    </Question>
  )
}

/** At the start: a model that has come without a state. */
export function WaitingModel() {
  const model = watchedModel.value
  if (model === undefined || watched.value !== undefined) return null
  return (
    <div class="note row spread">
      <p id="waiting-model" tabIndex={-1}>
        {model.name} is a model. To see how it has done, open the state of its monitor as well.
      </p>
      <button type="button" disabled={running.value !== undefined} onClick={closeMonitor}>
        Forget {model.name}
      </button>
    </div>
  )
}
