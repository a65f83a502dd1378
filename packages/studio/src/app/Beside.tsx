// Two results side by side: one that was kept, and the one that is shown. Of scores on the same rows, the differences with paired intervals.

import type { MeasureChange, NamedEstimate } from '@featureboost/core/internal'
import type { Side } from '../run/side.ts'
import { Gap } from '../views/figures/Gap.tsx'
import { count, decimal, plural, range, signed } from '../views/format.ts'
import { DataTable, type TableColumn } from '../views/table/DataTable.tsx'
import type { ScorePair } from '../worker/protocol.ts'
import { keepBeside, pair, pairKey } from './actions.ts'
import { type Candidate, hasRows, kept, paired, running } from './state.ts'

export function Beside({ current }: { current: Candidate }) {
  const a = kept.value
  if (a === undefined) return null
  if (a.id === current.id)
    return (
      <div class="note row spread">
        <p>
          <strong>Kept as A.</strong> The next result, of another score, model or file, is shown beside it.
        </p>
        <EndButton />
      </div>
    )
  return (
    <section class="card evidence beside" aria-labelledby="beside-title">
      <div class="row spread">
        <h2 id="beside-title" tabIndex={-1}>
          Side by side
        </h2>
        <EndButton />
      </div>
      <div class="pair">
        <SideCard letter="A" side={a.side} />
        <SideCard letter="B" side={current.side} />
      </div>
      <Measures a={a} b={current} />
    </section>
  )
}

const EndButton = () => (
  <button type="button" onClick={() => keepBeside(undefined)}>
    Do not compare
  </button>
)

const WORDS = { good: 'Good', attention: 'Look closer', bad: 'Act' }
const ROWS = { all: '', 'held-out': ' held-out', fitting: ' fitted' }

/** The verdict and the worst groups of one side. */
function SideCard({ letter, side }: { letter: string; side: Side }) {
  const { command, file, label, rowCount, rows, score, verdict, worst } = side
  return (
    <div class="side">
      <h3>
        {letter}: <bdi>{score}</bdi>
      </h3>
      <p class="hint">
        against <bdi>{label}</bdi> in <bdi>{file}</bdi>, {count(rowCount)}
        {ROWS[rows]} rows
      </p>
      <p>
        <b class={`level ${verdict.level}`}>{WORDS[verdict.level]}.</b> <bdi>{verdict.sentence}</bdi>
      </p>
      {worst.length > 0 && (
        <>
          <h4>Worst groups</h4>
          <ul class="side-groups">
            {worst.map(({ before, weight, words }) => (
              <li key={words}>
                <bdi>{words}</bdi>: <Gap gap={before} /> on {plural(Math.round(weight), 'row')}
              </li>
            ))}
          </ul>
        </>
      )}
      <details>
        <summary>Command</summary>
        <code>{command}</code>
      </details>
    </div>
  )
}

function Measures({ a, b }: { a: Candidate; b: Candidate }) {
  const isSameFile = a.file === b.file && a.side.label === b.side.label
  const found = paired.value?.of === pairKey(a, b) ? paired.value.pair : undefined
  if (found !== undefined)
    return (
      <>
        <DataTable name="A and B on the same rows" columns={DIFFERENCES} rows={found.changes} />
        <p class="reading">{readingOf(found)}</p>
      </>
    )
  return (
    <>
      <DataTable name="A and B" columns={PLAIN} rows={rowsOf(a.side, b.side)} />
      {isSameFile ? (
        <div class="row">
          <button
            type="button"
            disabled={running.value !== undefined || !hasRows.value}
            onClick={() => void pair(a, b)}
          >
            Compare on the same rows
          </button>
          <p class="hint">
            Measures both on the rows that neither was fitted to, and gives every difference an interval.
          </p>
        </div>
      ) : (
        <p class="reading">
          A and B were measured on different rows or outcomes. What differs may be the rows: there is no
          paired interval.
        </p>
      )}
    </>
  )
}

interface Row {
  readonly name: string
  readonly a: NamedEstimate['estimate'] | undefined
  readonly b: NamedEstimate['estimate'] | undefined
}

const rowsOf = (a: Side, b: Side): Row[] =>
  a.measures.map(({ estimate, key, name }) => ({
    name,
    a: estimate,
    b: b.measures.find(each => each.key === key)?.estimate,
  }))

const sideColumn = (title: 'A' | 'B', read: (row: Row) => Row['a']): TableColumn<Row> => ({
  title,
  value: row => read(row)?.value,
  show: row => {
    const estimate = read(row)
    return (
      estimate && (
        <>
          {decimal(estimate.value, 4)} <small>({range(estimate.low, estimate.high, 4)})</small>
        </>
      )
    )
  },
  number: true,
})

const PLAIN: readonly TableColumn<Row>[] = [
  { title: 'measure', value: ({ name }) => name },
  sideColumn('A', ({ a }) => a),
  sideColumn('B', ({ b }) => b),
]

const SAYS = { better: 'B is better', worse: 'A is better', unclear: '' }

const DIFFERENCES: readonly TableColumn<MeasureChange>[] = [
  { title: 'measure', value: ({ name }) => name },
  {
    title: 'A',
    value: ({ before }) => before.value,
    show: ({ before }) => decimal(before.value, 4),
    number: true,
  },
  {
    title: 'B',
    value: ({ after }) => after.value,
    show: ({ after }) => decimal(after.value, 4),
    number: true,
  },
  {
    title: 'B less A',
    value: ({ change }) => change.value,
    show: ({ change }) => signed(change.value, 4),
    number: true,
  },
  { title: 'interval', value: ({ change }) => range(change.low, change.high, 4), number: true },
  { title: 'says', value: ({ judged }) => SAYS[judged], show: ({ judged }) => <b>{SAYS[judged]}</b> },
]

const ON: Readonly<Record<ScorePair['rows'], string>> = {
  all: 'Both on the same',
  'held-out': 'Both on the same held-out',
  fitting: 'A model was fitted to these rows, which is too kind to it. Both on the same',
}

const readingOf = ({ changes, rowCount, rows }: ScorePair): string => {
  const sure = changes.filter(({ judged }) => judged !== 'unclear').length
  return `${ON[rows]} ${plural(rowCount, 'row')}. Intervals of the losses, AUC and calibration errors are paired and hold with 99 % confidence; those of worst errors are what the intervals of both leave, with 95 %. ${sure} of ${changes.length} measures can be told apart. Less is better, but for AUC.`
}
