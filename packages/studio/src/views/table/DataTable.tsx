// A table that can be sorted, filtered and saved as CSV.

import { useId, useState } from 'preact/hooks'
import { fileName, saveBlob } from '../chart/save.ts'
import { type Group, keyOf, useChosen } from '../chosen.ts'
import { plural } from '../format.ts'
import { usePaper } from '../paper.ts'
import type { TableColumn } from './columns.ts'
import { csvText } from './csv.ts'
import { GroupRow, PlainRow } from './Rows.tsx'

export type { TableColumn }

interface TableProps<Row> {
  /** Also the name of the file. */
  readonly name: string
  readonly columns: readonly TableColumn<Row>[]
  readonly rows: readonly Row[]
  readonly filter?: boolean
  readonly empty?: string
  /** Rows shown at first. */
  readonly shown?: number
  /** Where rows are groups, which can be chosen. */
  readonly groupOf?: (row: Row) => Group | undefined
  /** Rows that are printed at most. */
  readonly printed?: number
}

/** More columns than these are not printed: there is no room for them. */
const PRINTED_COLUMNS = 12

interface Order {
  readonly column: number
  readonly down: boolean
}

export function DataTable<Row>({
  columns,
  empty = 'Nothing to show.',
  filter = false,
  groupOf,
  name,
  printed = 30,
  rows,
  shown = 25,
}: TableProps<Row>) {
  const [order, setOrder] = useState<Order>()
  const [words, setWords] = useState('')
  const [all, setAll] = useState(false)
  const isPaper = usePaper()
  const id = useId()
  const seen = columns.filter(({ hidden }) => !hidden)
  const found = rows.filter(row => matches(row, seen, words))
  const sorted = order === undefined ? found : found.toSorted(byColumn(seen[order.column], order.down))
  const chosen = useChosen().value
  const isChosen = (group: Group | undefined) =>
    group !== undefined && chosen !== undefined && keyOf(group) === keyOf(chosen)
  // The chosen group is listed wherever it was chosen.
  const place =
    groupOf === undefined || chosen === undefined ? -1 : sorted.findIndex(row => isChosen(groupOf(row)))
  const printable = seen.filter(({ onScreen }) => !onScreen)
  const visible = isPaper ? printable.slice(0, PRINTED_COLUMNS) : seen
  const listed = isPaper
    ? sorted.filter((_, index) => index < printed || index === place)
    : all || place >= shown
      ? sorted
      : sorted.slice(0, shown)
  if (rows.length === 0) return <p class="empty">{empty}</p>
  const sortBy = (column: number) =>
    setOrder(
      order?.column === column
        ? { column, down: !order.down }
        : { column, down: visible[column].number === true },
    )
  const save = () => {
    const text = csvText(
      columns.map(({ title }) => title),
      sorted.map(row => columns.map(({ value }) => value(row))),
    )
    saveBlob(new Blob([text], { type: 'text/csv' }), `${fileName(name)}.csv`)
  }
  return (
    <div class="table">
      <div class="table-tools">
        {filter && (
          <label for={`${id}-f`}>
            Filter{' '}
            <input
              id={`${id}-f`}
              type="search"
              value={words}
              onInput={event => setWords(event.currentTarget.value)}
            />
          </label>
        )}
        <button type="button" class="small" onClick={save} aria-label={`Save "${name}" as CSV`}>
          CSV
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="table-scroll" tabIndex={0} aria-label={`${name}, as a table`}>
        <table>
          <thead>
            <tr>
              {visible.map(({ number, title }, column) => (
                <th key={title} scope="col" class={number ? 'number' : ''} aria-sort={sortOf(order, column)}>
                  <button type="button" class="sort" onClick={() => sortBy(column)}>
                    {title}
                    <span aria-hidden="true">{arrowOf(order, column)}</span>
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {listed.map((row, index) => {
              const group = groupOf?.(row)
              return group === undefined ? (
                <PlainRow key={index} columns={visible} row={row} />
              ) : (
                <GroupRow key={index} columns={visible} row={row} group={group} />
              )
            })}
          </tbody>
        </table>
      </section>
      {sorted.length === 0 && <p class="empty">No row has “{words}” in it.</p>}
      {isPaper && (
        <LeftOut
          filter={words}
          hidden={rows.length - found.length}
          rows={sorted.length - listed.length}
          columns={printable.length - visible.length}
        />
      )}
      {!isPaper && sorted.length > listed.length && (
        <button type="button" onClick={() => setAll(true)}>
          Show all {sorted.length.toLocaleString('en-US')} rows
        </button>
      )}
    </div>
  )
}

interface LeftOutProps {
  readonly filter: string
  /** Rows that the filter leaves out. */
  readonly hidden: number
  /** Rows and columns that there is no room for. */
  readonly rows: number
  readonly columns: number
}

/** A printed table is complete, or says what is missing. */
function LeftOut({ columns, filter, hidden, rows }: LeftOutProps) {
  const missing = [
    ...(rows > 0 ? [plural(rows, 'more row')] : []),
    ...(columns > 0 ? [plural(columns, 'more column')] : []),
  ]
  const sentences = [
    ...(hidden > 0 ? [`Only rows with “${filter}” in them; ${plural(hidden, 'other row')} left out.`] : []),
    ...(missing.length > 0 ? [`Not printed: ${missing.join(' and ')}, which the file itself has.`] : []),
  ]
  return sentences.length === 0 ? null : <p class="small-print">{sentences.join(' ')}</p>
}

const sortOf = (order: Order | undefined, column: number) =>
  order?.column !== column ? 'none' : order.down ? 'descending' : 'ascending'

const arrowOf = (order: Order | undefined, column: number) =>
  order?.column !== column ? '' : order.down ? ' ↓' : ' ↑'

function matches<Row>(row: Row, columns: readonly TableColumn<Row>[], words: string): boolean {
  const wanted = words.trim().toLowerCase()
  return wanted === '' || columns.some(({ value }) => String(value(row)).toLowerCase().includes(wanted))
}

function byColumn<Row>({ value }: TableColumn<Row>, down: boolean): (a: Row, b: Row) => number {
  return (a, b) => {
    const [x, y] = [value(a), value(b)]
    const order =
      typeof x === 'number' && typeof y === 'number'
        ? x - y
        : String(x) < String(y)
          ? -1
          : Number(String(x) > String(y))
    return down ? -order : order
  }
}
