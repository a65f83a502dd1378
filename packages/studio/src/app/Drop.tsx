// Where a file comes in: dropped, chosen, or the built-in example.

import { useEffect, useRef, useState } from 'preact/hooks'
import { loadExample, loadFile } from './actions.ts'
import { Failed } from './Failed.tsx'
import { failed, running } from './state.ts'
import { WrittenForm } from './Written.tsx'

const KINDS = '.csv,.tsv,.tab,.txt,.gz,.parquet,.pq,.json,.ndjson,.jsonl'

export function Drop() {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  useEffect(() => watchDrops(setOver), [])
  return (
    <section class="drop-page" aria-labelledby="drop-title">
      <h1 id="drop-title">Is your score right for every group?</h1>
      <p class="lead">
        Load a table with outcomes and scores. You will see for whom the score is wrong, by how much and
        whether that is more than noise; then correct it, and take the model and its certificate home.
      </p>
      <div class={isOver ? 'drop over' : 'drop'}>
        <p class="drop-words">Drop a file here</p>
        <p class="hint">
          CSV, TSV, JSON or NDJSON (also .gz), or Parquet, with a header and one row per case.
        </p>
        <div class="row centred">
          <button
            type="button"
            class="primary"
            onClick={() => input.current?.click()}
            disabled={running.value !== undefined}
          >
            Choose a file
          </button>
          <button type="button" onClick={() => void loadExample()} disabled={running.value !== undefined}>
            Try the example
          </button>
        </div>
        <input
          ref={input}
          type="file"
          accept={KINDS}
          class="visually-hidden"
          tabIndex={-1}
          aria-label="A file with outcomes and scores"
          onChange={event => {
            takeFirst(event.currentTarget.files)
            event.currentTarget.value = ''
          }}
        />
      </div>
      {failed.value?.kind === 'open' && (
        <>
          <Failed failure={failed.value} />
          {failed.value.asks !== undefined && <WrittenForm />}
        </>
      )}
      <p class="hint">
        Nothing leaves this machine: the page sends no request, and its policy forbids any. The example is
        made up: 100,000 loan applications whose score was given four errors.
      </p>
    </section>
  )
}

function takeFirst(files: FileList | null | undefined): void {
  const file = files?.[0]
  if (file !== undefined) void loadFile(file)
}

/** Anywhere on the page; else the browser would leave it and show the file. Returns how to end it. */
function watchDrops(setOver: (isOver: boolean) => void): () => void {
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  const leave = () => setOver(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    takeFirst(event.dataTransfer?.files)
  }
  document.addEventListener('dragover', over)
  document.addEventListener('dragleave', leave)
  document.addEventListener('drop', drop)
  return () => {
    document.removeEventListener('dragover', over)
    document.removeEventListener('dragleave', leave)
    document.removeEventListener('drop', drop)
  }
}
