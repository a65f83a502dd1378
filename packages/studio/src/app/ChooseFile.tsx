// A button that lets a file be chosen: by a handle, where the browser has them, so that it can be opened again after a refresh.

import { useRef } from 'preact/hooks'
import { type Chosen, hasPicker, pickFile } from './files.ts'
import { running } from './state.ts'

const KINDS = '.csv,.tsv,.tab,.txt,.gz,.parquet,.pq,.json,.ndjson,.jsonl'

interface ChooseProps {
  readonly label: string
  readonly onChosen: (chosen: Chosen) => void
  readonly isPrimary?: boolean
}

export function ChooseFile({ isPrimary = false, label, onChosen }: ChooseProps) {
  const input = useRef<HTMLInputElement>(null)
  const choose = async () => {
    if (!hasPicker()) return input.current?.click()
    const chosen = await pickFile()
    if (chosen === 'refused') input.current?.click()
    else if (chosen !== undefined) onChosen(chosen)
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
        aria-label="A file with outcomes and scores"
        onChange={event => {
          const file = event.currentTarget.files?.[0]
          event.currentTarget.value = ''
          if (file !== undefined) onChosen({ file })
        }}
      />
    </>
  )
}
