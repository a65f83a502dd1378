// The rows of a table. A row that is a group can be chosen: by its name, which is a button, or anywhere on the row.

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { type Group, relationOf, useChosen } from '../chosen.ts'
import type { TableColumn } from './columns.ts'

interface RowProps<Row> {
  readonly columns: readonly TableColumn<Row>[]
  readonly row: Row
}

export const PlainRow = <Row,>({ columns, row }: RowProps<Row>) => (
  <tr>
    {columns.map(column => (
      <Shown key={column.title} column={column}>
        {contentOf(column, row)}
      </Shown>
    ))}
  </tr>
)

const contentOf = <Row,>({ show, value }: TableColumn<Row>, row: Row): ComponentChildren =>
  show === undefined ? value(row) : show(row)

const Shown = <Row,>({ children, column }: { column: TableColumn<Row>; children: ComponentChildren }) => (
  <td class={column.number ? 'number' : ''} data-title={column.title}>
    {children}
  </td>
)

export function GroupRow<Row>({ columns, group, row }: RowProps<Row> & { readonly group: Group }) {
  const chosen = useChosen()
  const place = useRef<HTMLTableRowElement>(null)
  const relation = relationOf(group, chosen.value)
  const isChosen = relation === 'same'
  useLayoutEffect(() => {
    if (isChosen && place.current !== null) showInTable(place.current)
  }, [isChosen])
  const toggle = () => {
    chosen.value = isChosen ? undefined : group
  }
  const onClick = (event: MouseEvent) => {
    const isElsewhere = (event.target as Element).closest('button, a') !== null
    // Who marks text to copy it chooses nothing.
    if (!isElsewhere && getSelection()?.isCollapsed !== false) toggle()
  }
  const [first, ...rest] = columns
  return (
    <tr ref={place} class={`group ${relation ?? ''}`} onClick={onClick}>
      <Shown column={first}>
        <button type="button" class="choose" aria-pressed={isChosen} onClick={toggle}>
          {contentOf(first, row)}
        </button>
      </Shown>
      {rest.map(column => (
        <Shown key={column.title} column={column}>
          {contentOf(column, row)}
        </Shown>
      ))}
    </tr>
  )
}

/** By the table's own scrolling; the page stays where it is. */
function showInTable(row: HTMLElement): void {
  const frame = row.closest<HTMLElement>('.table-scroll')
  if (frame === null || frame.scrollHeight <= frame.clientHeight) return
  const [inner, outer] = [row.getBoundingClientRect(), frame.getBoundingClientRect()]
  // Titles stay above the rows.
  const head = frame.querySelector('thead')?.getBoundingClientRect().height ?? 0
  if (inner.top < outer.top + head) frame.scrollTop -= outer.top + head - inner.top
  else if (inner.bottom > outer.bottom) frame.scrollTop += inner.bottom - outer.bottom
}
