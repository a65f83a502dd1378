// The story of the example: which errors were planted in it, which of them the audit found, and what the correction made of each.

import { formatCount } from '@featureboost/core/internal'
import { type Group, useChosen } from '../views/chosen.ts'
import { Figure } from '../views/Figure.tsx'
import { percent, plural, range, signed } from '../views/format.ts'
import { DataTable, type TableColumn } from '../views/table/DataTable.tsx'
import type { PageEvidence } from '../worker/evidence.ts'
import type { FoundError, PlantedError, PlantedGap } from '../worker/planted.ts'

export function FoundErrors({ errors, rows }: { errors: readonly FoundError[]; rows: number }) {
  const found = errors.filter(({ isFound }) => isFound).length
  return (
    <Figure
      id="planted"
      title={`${formatCount(errors.length)} errors were planted; found ${found} of ${errors.length}`}
      reading={`The example is made up, and its score is wrong on purpose for these groups among its ${formatCount(rows)} rows. An error counts as found where groups that are surely off to its side, at least half of each made of its rows, hold at least half of its rows together. A gap is outcomes less scores; ${OWN}`}
      wide
    >
      <DataTable
        name="Planted errors"
        columns={[...columnsFor('rows', ['gap']), FOUND, SHARE]}
        rows={errors}
        groupOf={groupOf}
      />
    </Figure>
  )
}

const OWN =
  'its 95 % interval is that of the group alone, for these groups were known before, and not searched for.'

interface FollowedProps {
  readonly errors: readonly PlantedError[]
  readonly about: PageEvidence['about']
}

export function FollowedErrors({ about, errors }: FollowedProps) {
  const off = (read: (error: PlantedError) => PlantedGap | undefined) =>
    errors.filter(error => {
      const gap = read(error)
      return gap !== undefined && (gap.low > 0 || gap.high < 0)
    }).length
  const rows =
    about.rows === 'held-out'
      ? `the ${formatCount(about.auditedCount)} of ${formatCount(about.rowCount)} rows that the fit has not seen`
      : `the ${formatCount(about.auditedCount)} rows of the fit`
  return (
    <Figure
      id="planted"
      title={`What became of the ${formatCount(errors.length)} planted errors`}
      reading={`Measured on ${rows}. The interval leaves out 0 for ${off(({ before }) => before)} of ${errors.length} before the correction and for ${off(({ after }) => after)} after it. A gap is outcomes less scores; ${OWN}`}
      wide
    >
      <DataTable
        name="Planted errors before and after"
        columns={columnsFor(about.rows === 'held-out' ? 'held-out rows' : 'rows', ['before', 'after'])}
        rows={errors}
        groupOf={groupOf}
      />
    </Figure>
  )
}

/** Without their intervals, which are others than those of groups that were searched for. */
function groupOf({ after, before, rowCount, scores, where, words }: PlantedError): Group {
  return {
    ...{ words, where, weight: rowCount, before: { gap: before.gap } },
    ...(scores !== undefined && { scores }),
    ...(after !== undefined && { after: { gap: after.gap } }),
  }
}

type Gaps = readonly ('gap' | 'before' | 'after')[]

function columnsFor<Row extends PlantedError>(rows: string, gaps: Gaps): TableColumn<Row>[] {
  return [
    { title: 'error', value: ({ words }) => words },
    {
      title: rows,
      value: ({ rowCount }) => rowCount,
      show: ({ rowCount }) => formatCount(rowCount),
      number: true,
    },
    ...gaps.map((title): TableColumn<Row> => {
      const read = (error: Row) => (title === 'after' ? error.after : error.before)
      return {
        title: title === 'gap' ? title : `gap ${title}`,
        value: error => read(error)?.gap,
        show: error => <OwnGap gap={read(error)} />,
        number: true,
      }
    }),
  ]
}

const OwnGap = ({ gap }: { gap: PlantedGap | undefined }) =>
  gap === undefined || Number.isNaN(gap.gap) ? null : (
    <>
      {signed(gap.gap)} <small>({range(gap.low, gap.high)})</small>
    </>
  )

const FOUND: TableColumn<FoundError> = {
  title: 'found as',
  value: ({ by, isFound }) => (isFound ? by.map(({ words }) => words).join('; ') : 'not found'),
  show: error => <FoundAs error={error} />,
}

const SHARE: TableColumn<FoundError> = {
  title: 'of its rows',
  value: ({ share }) => share,
  show: ({ share }) => percent(share),
  number: true,
}

/** Those that hold most rows of the error. */
const SHOWN = 2

function FoundAs({ error: { by, isFound } }: { error: FoundError }) {
  const chosen = useChosen()
  const more = by.length - SHOWN
  return (
    <div class="whole-line">
      {!isFound && 'not found'}
      {by.slice(0, SHOWN).map(group => (
        <div key={group.words}>
          <button
            type="button"
            class="link"
            onClick={() => {
              chosen.value = group
            }}
          >
            <bdi>{group.words}</bdi>
          </button>
        </div>
      ))}
      {more > 0 && <small>and {plural(more, 'more group')}</small>}
    </div>
  )
}
