// The table in one line, above every step: its name, its size, and the columns that matter. After a refresh: how its rows come back.

import { namesOf, type Role } from '../data/roles.ts'
import { plural } from '../views/format.ts'
import { reopen } from './actions.ts'
import { ChooseFile } from './ChooseFile.tsx'
import type { FileRef } from './files.ts'
import { hasRows, opened, roles, running, source } from './state.ts'
import { hashOf } from './view.ts'

const NAMED: readonly (readonly [Role, string])[] = [
  ['label', 'label'],
  ['score', 'score'],
  ['weight', 'weight'],
]

export function TableLine() {
  const { columns, name, rowCount } = opened.value!
  return (
    <section class="table-line" aria-labelledby="file-title">
      <div class="row spread">
        <h1 id="file-title" tabIndex={-1}>
          {name}
        </h1>
        <a href={hashOf({ step: 'start' })}>Load another file</a>
      </div>
      <p class="hint">
        {plural(rowCount, 'row')}, {plural(columns.length, 'column')}
        {NAMED.map(([role, word]) => {
          const [column] = namesOf(roles.value, role)
          return (
            column !== undefined && (
              <span key={role}>
                {' · '}
                {word} <b>{column}</b>
              </span>
            )
          )
        })}
      </p>
      {!hasRows.value && <Reopen />}
    </section>
  )
}

/** The results are here, the rows are not: they were never kept. */
function Reopen() {
  const { handle, name } = source.value as FileRef
  return (
    <div class="note" id="reopen">
      <p>
        Choices and results are as they were. Rows are never kept in the browser: open {name} again to run
        anything more.
      </p>
      <p class="row">
        {handle !== undefined && (
          <button type="button" onClick={() => void reopen()} disabled={running.value !== undefined}>
            Open {name} again
          </button>
        )}
        <ChooseFile
          label={handle === undefined ? `Choose ${name}` : 'Choose it'}
          onChosen={([chosen]) => void reopen(chosen)}
        />
      </p>
    </div>
  )
}
