// A button that lets a file be chosen: by a handle, where the browser has them, so that it can be opened again after a refresh.

import { useRef } from 'preact/hooks'
import { type Chosen, hasPicker, pickFiles } from './files.ts'
import { running } from './state.ts'

const KINDS = '.csv,.tsv,.tab,.txt,.gz,.parquet,.pq,.json,.ndjson,.jsonl'

interface ChooseProps {
  readonly label: string
  /** At least one. */
  readonly onChosen: (chosen: readonly Chosen[]) => void
  readonly isPrimary?: boolean
  /** A state and its model may be chosen together. */
  readonly takesMany?: boolean
}

export function ChooseFile({ isPrimary = false, label, onChosen, takesMany = false }: ChooseProps) {
  const input = useRef<HTMLInputElement>(null)
  const choose = async () => {
    if (!hasPicker()) return input.current?.click()
    const chosen = await pickFiles(takesMany)
    if (chosen === 'refused') input.current?.click()
    else if (chosen.length > 0) onChosen(chosen)
  }
  return (
    <>
      <button
        type="button"
        class={isPrimary ? 'primary' : undefined}
        disabled={running.value !== undefined}
        onClick={() => void choose()}
      >
        {label}
      </button>
      <input
        ref={input}
        type="file"
        accept={KINDS}
        class="visually-hidden"
        tabIndex={-1}
        multiple={takesMany}
        aria-label="A file with outcomes and scores"
        onChange={event => {
          const files = Array.from(event.currentTarget.files ?? [], file => ({ file }))
          event.currentTarget.value = ''
          if (files.length > 0) onChosen(files)
        }}
      />
    </>
  )
}
