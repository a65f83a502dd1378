// What the score is for: who is selected at a threshold, who is wronged by it, and what that is worth, by group, before and after.

import {
  bestThreshold,
  factsAt,
  type Ladder,
  type LadderGroup,
  type MistakeCosts,
  THRESHOLDS,
} from '@featureboost/core/internal'
import { useState } from 'preact/hooks'
import { count, decimal, percent, plural } from '../views/format.ts'
import { DataTable, type TableColumn } from '../views/table/DataTable.tsx'
import { decide } from './actions.ts'
import { decided, type Fitted, hasRows, running } from './state.ts'

export function Decisions({ fitted: { answer } }: { fitted: Fitted }) {
  const found = decided.value?.modelHash === answer.modelHash ? decided.value.ladder : undefined
  return (
    <section class="card evidence" aria-labelledby="decisions-title">
      <h2 id="decisions-title" tabIndex={-1}>
        Decisions
      </h2>
      {found === undefined ? (
        <>
          <p class="hint">
            Say what both mistakes cost, and see who is selected, who is wronged and what it is worth, group
            by group, before and after the correction.
          </p>
          <div>
            <button
              type="button"
              disabled={running.value !== undefined || !hasRows.value}
              onClick={() => void decide()}
            >
              Decide by this score
            </button>
          </div>
        </>
      ) : (
        <Chosen ladder={found} />
      )}
    </section>
  )
}

/** The rung that is nearest to a threshold. */
const rungOf = (threshold: number): number =>
  Math.max(0, Math.min(THRESHOLDS.length - 1, Math.round(100 * threshold) - 1))

function Chosen({ ladder }: { ladder: Ladder }) {
  const [costs, setCosts] = useState<MistakeCosts>({ falsePositive: 1, falseNegative: 5 })
  const best = rungOf(bestThreshold(costs))
  const [moved, setMoved] = useState<number>()
  const rung = moved ?? best
  const change = (part: Partial<MistakeCosts>) => {
    const next = { ...costs, ...part }
    if (!Object.values(next).every(cost => cost > 0 && Number.isFinite(cost))) return
    setCosts(next)
    setMoved(undefined)
  }
  return (
    <>
      <div class="fields">
        <CostField
          label="Cost of selecting somebody without the outcome"
          value={costs.falsePositive}
          onChange={falsePositive => change({ falsePositive })}
        />
        <CostField
          label="Cost of passing over somebody with it"
          value={costs.falseNegative}
          onChange={falseNegative => change({ falseNegative })}
        />
      </div>
      <div class="slider">
        <label for="threshold">
          Select from a score of <b>{decimal(THRESHOLDS[rung], 2)}</b>
        </label>
        <input
          id="threshold"
          type="range"
          min={0}
          max={THRESHOLDS.length - 1}
          value={rung}
          aria-valuetext={decimal(THRESHOLDS[rung], 2)}
          onInput={event => setMoved(Number(event.currentTarget.value))}
        />
        <button type="button" disabled={rung === best} onClick={() => setMoved(undefined)}>
          Best for these costs: {decimal(THRESHOLDS[best], 2)}
        </button>
      </div>
      <DataTable name="Decisions" columns={columnsFor(rung, costs)} rows={ladder.groups} shown={25} />
      <p class="reading">{readingOf(ladder, rung, costs)}</p>
    </>
  )
}

function CostField(props: { label: string; value: number; onChange: (cost: number) => void }) {
  const { label, onChange, value } = props
  return (
    <label class="field">
      <span class="field-name">{label}</span>
      <input
        type="number"
        min={0.01}
        step="any"
        value={value}
        onInput={event => onChange(Number(event.currentTarget.value))}
      />
    </label>
  )
}

type Side = 'before' | 'after'

/** Before and after in one cell, so that there is room for all; each has a column of its own where the table is saved. */
function columnsFor(rung: number, costs: MistakeCosts): TableColumn<LadderGroup>[] {
  const measure = (
    title: string,
    read: (facts: ReturnType<typeof factsAt>) => number | undefined,
    show: (value: number) => string,
  ): TableColumn<LadderGroup>[] => {
    const valueAt = (group: LadderGroup, side: Side) => read(factsAt(group[side], rung, costs))
    const words = (value: number | undefined) => (value === undefined ? 'none' : show(value))
    return [
      { title: `${title} before`, value: group => valueAt(group, 'before'), hidden: true },
      {
        title,
        value: group => valueAt(group, 'after'),
        show: group => `${words(valueAt(group, 'before'))} → ${words(valueAt(group, 'after'))}`,
        number: true,
      },
    ]
  }
  return [
    { title: 'group', value: nameOf, show: group => <bdi>{nameOf(group)}</bdi> },
    {
      title: 'rows',
      value: ({ rowCount }) => rowCount,
      show: ({ rowCount }) => count(rowCount),
      number: true,
    },
    ...measure('selected', ({ selected }) => selected, percent),
    ...measure('false positives', ({ falsePositiveRate }) => falsePositiveRate, percent),
    ...measure('false negatives', ({ falseNegativeRate }) => falseNegativeRate, percent),
    ...measure(
      'net benefit',
      ({ netBenefit }) => netBenefit,
      value => decimal(value),
    ),
  ]
}

const nameOf = ({ column, value }: LadderGroup): string =>
  column === undefined ? 'everyone' : `${column} = ${value}`

function readingOf({ groups: [everyone], rows }: Ladder, rung: number, costs: MistakeCosts): string {
  const [before, after] = (['before', 'after'] as const).map(side => factsAt(everyone[side], rung, costs))
  const about =
    rows === 'held-out'
      ? `On ${plural(everyone.rowCount, 'row')} that were held out from the fit`
      : `On the ${plural(everyone.rowCount, 'row')} of the fit, which is too kind to the corrected score`
  return `Before → after. ${about}, ${percent(before.selected)} are selected before and ${percent(after.selected)} after. False positives are a share of those without the outcome, false negatives of those with it. Net benefit counts those who are rightly selected, less those who are wrongly selected at their share of the other cost, for each row: ${decimal(before.netBenefit)} before, ${decimal(after.netBenefit)} after. These are counts on these rows, without intervals.`
}
