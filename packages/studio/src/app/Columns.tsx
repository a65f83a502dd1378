// The columns: what is in them, and what each is for. Problems stand where they are.

import { formatCount, formatNumber } from '@featureboost/core/internal'
import { useState } from 'preact/hooks'
import type { ColumnCard } from '../data/describe.ts'
import { ROLE_WORDS, ROLES, type Role } from '../data/roles.ts'
import { saveTable, setRole } from './actions.ts'
import { ColumnWords } from './ColumnWords.tsx'
import { download } from './download.ts'
import { Spread } from './Spread.tsx'
import { opened, problems, roles, running, source } from './state.ts'
import { Written } from './Written.tsx'

const KINDS = { numeric: 'number', boolean: 'yes or no', categorical: 'text' } as const
/** A table of thousands of columns is shown in pieces. */
const SHOWN = 60

export function Columns() {
  const [all, setAll] = useState(false)
  const table = opened.value!
  const columns = all ? table.columns : table.columns.slice(0, SHOWN)
  const general = problems.value.filter(({ column }) => column === undefined)
  return (
    <section class="card" aria-labelledby="columns-title">
      <div class="row spread">
        <h2 id="columns-title">Columns</h2>
        {source.value === 'example' && (
          <button type="button" onClick={() => void saveExample()} disabled={running.value !== undefined}>
            Save the example (CSV)
          </button>
        )}
      </div>
      <p class="hint">Roles are guessed; change what is wrong.</p>
      {general.map(({ stops, words }) => (
        <p key={words} class={stops ? 'note bad' : 'note'} role={stops ? 'alert' : undefined}>
          {words}
        </p>
      ))}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
      <section class="scroll" tabIndex={0} aria-label="Columns of the file">
        <table class="columns">
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">Kind</th>
              <th scope="col" class="number">
                Missing
              </th>
              <th scope="col">Values</th>
              <th scope="col">Role</th>
            </tr>
          </thead>
          <tbody>
            {columns.map(column => (
              <ColumnRow key={column.name} column={column} />
            ))}
          </tbody>
        </table>
      </section>
      {columns.length < table.columns.length && (
        <button type="button" onClick={() => setAll(true)}>
          Show all {formatCount(table.columns.length)} columns
        </button>
      )}
      <Copies />
      <LeftOut />
      <Written />
    </section>
  )
}

async function saveExample(): Promise<void> {
  const csv = await saveTable()
  if (csv !== undefined) download(opened.value!.name, csv)
}

function ColumnRow({ column }: { column: ColumnCard }) {
  const { kind, missing: absent, name } = column
  const rowCount = opened.value!.rowCount
  const role = roles.value.get(name)!
  const problem = problems.value.find(each => each.column === name)
  return (
    <tr class={role === 'out' ? 'out' : undefined}>
      <th scope="row">{name}</th>
      <td>{KINDS[kind]}</td>
      <td class="number">{absent === 0 ? 'none' : `${formatNumber((100 * absent) / rowCount, 2)} %`}</td>
      <td>
        <Spread column={column} />
      </td>
      <td>
        <select
          aria-label={`Role of ${name}`}
          value={role}
          disabled={running.value !== undefined}
          onChange={event => setRole(name, event.currentTarget.value as Role)}
        >
          {ROLES.map(each => (
            <option key={each} value={each}>
              {ROLE_WORDS[each]}
            </option>
          ))}
        </select>
        <ColumnWords column={column} role={role} />
        {problem !== undefined && <p class={problem.stops ? 'problem bad' : 'problem'}>{problem.words}</p>}
      </td>
    </tr>
  )
}

function Copies() {
  const { copyCount, rowCount } = opened.value!
  if (copyCount === 0) return null
  return (
    <p class="note">
      {formatCount(copyCount)} of {formatCount(rowCount)} rows are exact copies of another row, in all columns
      but those that look like ids. If they are the same cases twice, leave all but one out: in an audit,
      copies make noise look like evidence.
    </p>
  )
}

function LeftOut() {
  const { leftOut } = opened.value!
  if (leftOut.length === 0) return null
  return (
    <div class="note">
      <strong>Left out, because they cannot be read here with certainty:</strong>
      <ul>
        {leftOut.map(({ name, reason }) => (
          <li key={name}>
            <b>{name}</b>. {reason}
          </li>
        ))}
      </ul>
    </div>
  )
}
