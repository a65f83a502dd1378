// How the file is written, where that has to be said: its encoding, the decimal mark, texts that mean "missing". The words are those of the
// command line.

import { ENCODINGS } from '@featureboost/core/internal'
import { useState } from 'preact/hooks'
import type { FileWords } from '../data/open.ts'
import { setWritten } from './actions.ts'
import { hasRows, rejected, running, source, written } from './state.ts'

const isCsv = (name: string): boolean => /\.(csv|tsv|tab|txt)(\.gz)?$/i.test(name)
const isText = (name: string): boolean => isCsv(name) || /\.(json|ndjson|jsonl)(\.gz)?$/i.test(name)

/** Of the file that is asked about, whether it could be read or not; the example has none. */
function fileName(): string {
  if (rejected.value !== undefined) return rejected.value.file.name
  return source.value === undefined || source.value === 'example' ? '' : source.value.name
}

/** What the file can be said to be; nothing of the example and of Parquet. */
export function Written() {
  if (!isText(fileName())) return null
  return (
    <details>
      <summary>How the file is written</summary>
      <WrittenForm />
    </details>
  )
}

/** Unfolded where it is asked for. */
export function WrittenForm() {
  const { decimal, encoding, missing = [] } = rejected.value === undefined ? written.value : {}
  const [chosen, setChosen] = useState<WrittenWords>({
    encoding: encoding ?? plainWritten.encoding,
    decimal: decimal ?? plainWritten.decimal,
    missing: missing.join(', '),
  })
  const submit = (event: Event) => {
    event.preventDefault()
    void setWritten(wordsOf(chosen))
  }
  return (
    <form class="row" onSubmit={submit}>
      <WrittenFields name={fileName()} written={chosen} onChange={setChosen} />
      <button
        type="submit"
        disabled={running.value !== undefined || (rejected.value === undefined && !hasRows.value)}
      >
        Read again
      </button>
    </form>
  )
}

/** As the fields have them. */
type WrittenWords = Record<'decimal' | 'encoding' | 'missing', string>

export const plainWritten: WrittenWords = { encoding: 'utf-8', decimal: '.', missing: '' }

interface FieldsProps {
  /** Of the file. */
  readonly name: string
  readonly written: WrittenWords
  readonly onChange: (written: WrittenWords) => void
}

export function WrittenFields({ name, onChange, written }: FieldsProps) {
  const asksCsv = isCsv(name) || !isText(name)
  const change = (part: Partial<WrittenWords>) => onChange({ ...written, ...part })
  return (
    <>
      <label class="row">
        Encoding
        <select value={written.encoding} onChange={event => change({ encoding: event.currentTarget.value })}>
          {ENCODINGS.map(each => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      {asksCsv && (
        <>
          <label class="row">
            Decimal mark
            <select
              value={written.decimal}
              onChange={event => change({ decimal: event.currentTarget.value })}
            >
              <option value=".">point, as in 0.35</option>
              <option value=",">comma, as in 0,35</option>
            </select>
          </label>
          <label class="row">
            Texts that mean "missing", besides the empty cell, such as NA, ?
            <input
              type="text"
              value={written.missing}
              onInput={event => change({ missing: event.currentTarget.value })}
            />
          </label>
        </>
      )}
    </>
  )
}

/** Only what was said: the usual needs no word. */
export function wordsOf({ decimal, encoding, missing }: WrittenWords): FileWords {
  const texts = missing
    .split(',')
    .map(word => word.trim())
    .filter(word => word !== '')
  return {
    ...(encoding !== 'utf-8' && { encoding: encoding as NonNullable<FileWords['encoding']> }),
    ...(decimal === ',' && { decimal }),
    ...(texts.length > 0 && { missing: texts }),
  }
}
