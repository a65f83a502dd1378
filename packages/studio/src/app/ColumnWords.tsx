// How a column is written, asked for where its role needs it: which label counts as 1, the scale of a score, numbers that are names.

import { likelyPositive, type ScoreScale } from '@featureboost/core/internal'
import type { ColumnCard } from '../data/describe.ts'
import { type Role, scaleOf, twoValues } from '../data/roles.ts'
import { setCategorical, setWords } from './actions.ts'
import { hasRows, running, words } from './state.ts'

const SCALES: Readonly<Record<ScoreScale, string>> = {
  probability: '0 to 1',
  percent: 'as percent',
  logit: 'as log odds',
}

export function ColumnWords({ column, role }: { column: ColumnCard; role: Role }) {
  if (role === 'label') return <LabelWords column={column} />
  if (role === 'score') return <ScaleField column={column} />
  return role === 'feature' || role === 'group' ? <NamesField column={column} /> : null
}

function LabelWords({ column }: { column: ColumnCard }) {
  const { dropMissingLabels = false, positive } = words.value
  const asks = positive !== undefined || !isPlain(column)
  return (
    <>
      {asks && positive === undefined && <OneClick column={column} />}
      {asks && <PositiveField column={column} />}
      {column.missing > 0 && (
        <label class="words">
          <input
            type="checkbox"
            checked={dropMissingLabels}
            disabled={running.value !== undefined}
            onChange={event => setWords({ dropMissingLabels: event.currentTarget.checked || undefined })}
          />
          Leave out rows without a label
        </label>
      )}
    </>
  )
}

/** Of two values each is one click away; the one that nobody would doubt is in front. */
function OneClick({ column }: { column: ColumnCard }) {
  const two = twoValues(column)
  if (two === undefined) return null
  const likely = likelyPositive(two)
  const ordered = likely === undefined ? two : [likely, ...two.filter(value => value !== likely)]
  return (
    <span class="row words">
      {ordered.map(value => (
        <button
          key={value}
          type="button"
          class={value === likely ? 'primary' : undefined}
          disabled={running.value !== undefined}
          onClick={() => setWords({ positive: value })}
        >
          {value} counts as 1
        </button>
      ))}
    </span>
  )
}

/** Numbers from 0 to 1, or truth values. */
const isPlain = ({ kind, shape }: ColumnCard): boolean =>
  kind === 'boolean' || ('low' in shape && shape.low >= 0 && shape.high <= 1)

/** A choice where there are few values, else a field. */
function PositiveField({ column: { few, name, shape } }: { column: ColumnCard }) {
  const { positive = '' } = words.value
  const set = (text: string) => setWords({ positive: text === '' ? undefined : text })
  const disabled = running.value !== undefined
  const label = `Value of ${name} that counts as 1`
  const known =
    few?.map(String) ??
    (shape.kind === 'values' && shape.others === 0 ? shape.top.map(({ value }) => value) : undefined)
  if (known === undefined)
    return (
      <input
        type="text"
        aria-label={label}
        placeholder="counts as 1"
        value={positive}
        disabled={disabled}
        onChange={event => set(event.currentTarget.value)}
      />
    )
  return (
    <select
      aria-label={label}
      value={positive}
      disabled={disabled}
      onChange={event => set(event.currentTarget.value)}
    >
      <option value="">which counts as 1?</option>
      {known.map(value => (
        <option key={value} value={value}>
          {value} counts as 1
        </option>
      ))}
    </select>
  )
}

/** The scale that the range speaks for is one click away. */
function ScaleField({ column }: { column: ColumnCard }) {
  const { kind, name } = column
  if (kind !== 'numeric') return null
  const likely = scaleOf(column)
  const isGuess = words.value.scoreScale === undefined && (likely === 'percent' || likely === 'logit')
  return (
    <>
      {isGuess && (
        <button
          type="button"
          class="primary"
          disabled={running.value !== undefined}
          onClick={() => setWords({ scoreScale: likely })}
        >
          Read {SCALES[likely]}
        </button>
      )}
      <select
        aria-label={`Scale of ${name}`}
        value={words.value.scoreScale ?? 'probability'}
        disabled={running.value !== undefined}
        onChange={({ currentTarget: { value } }) =>
          setWords({ scoreScale: value === 'probability' ? undefined : (value as ScoreScale) })
        }
      >
        {Object.entries(SCALES).map(([scale, text]) => (
          <option key={scale} value={scale}>
            {text}
          </option>
        ))}
      </select>
    </>
  )
}

function NamesField({ column: { kind, name, numbers, time } }: { column: ColumnCard }) {
  const isNames = words.value.categorical?.includes(name) ?? false
  if (!isNames && numbers === undefined && (kind !== 'numeric' || time !== undefined)) return null
  return (
    <label class="words">
      <input
        type="checkbox"
        checked={isNames}
        disabled={running.value !== undefined || !hasRows.value}
        onChange={event => void setCategorical(name, event.currentTarget.checked)}
      />
      Numbers are names
    </label>
  )
}
