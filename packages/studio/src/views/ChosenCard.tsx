// The card of the chosen group: what it is, how far off, what became of it, what is inside it, which figures show it, and its query. It stays at
// the lower edge of the screen while there are figures, so that it is seen wherever the group was chosen.

import type { Evidence } from '@featureboost/core'
import type { GroupRef } from '@featureboost/core/internal'
import { useMemo } from 'preact/hooks'
import { cellWords, drillRef, figuresWith, type Group, insideOf, segmentGroup, useChosen } from './chosen.ts'
import { nameOf } from './figures/segmentWords.ts'
import { decimal, plural, pValue, range, signed } from './format.ts'
import { CopyButton } from './table/CopyButton.tsx'

interface CardProps {
  readonly evidence: Evidence
  /** Of the figures, by their ids. */
  readonly titles: ReadonlyMap<string, string>
  readonly onDrill?: ((group: GroupRef) => void) | undefined
}

const SHOWN_INSIDE = 4

export function ChosenCard({ evidence, onDrill, titles }: CardProps) {
  const chosen = useChosen()
  const group = chosen.value
  if (group === undefined) return null
  const { after, before, meanLabel, sql, weight, words } = group
  const drill = drillRef(group)
  return (
    <section
      class="chosen-card"
      aria-label="The chosen group"
      onKeyDown={event => {
        if (event.key === 'Escape') chosen.value = undefined
      }}
    >
      <div class="chosen-head">
        <h3 aria-live="polite">
          <bdi>{words}</bdi>
        </h3>
        <button
          type="button"
          class="small"
          aria-label="Choose no group"
          onClick={() => {
            chosen.value = undefined
          }}
        >
          ✕
        </button>
      </div>
      <p>
        {plural(weight, 'row')}
        {meanLabel !== undefined && `, outcomes average ${decimal(meanLabel)}`}.
      </p>
      <dl>
        {before !== undefined && (
          <GapLine title={evidence.after === undefined ? 'score' : 'before'} gap={before} />
        )}
        {after !== undefined && <GapLine title="after" gap={after} />}
      </dl>
      <p class="buttons">
        {sql !== undefined && (
          <CopyButton text={sql} label="Copy SQL" what="the WHERE clause of the chosen group" />
        )}
        {onDrill !== undefined && drill.where.length > 0 && (
          <button type="button" class="small" onClick={() => onDrill(drill)}>
            {group.scores === undefined ? 'Look into this group' : 'Look into this group, at all scores'}
          </button>
        )}
        <ShownIn evidence={evidence} group={group} titles={titles} />
      </p>
      <Inside evidence={evidence} group={group} />
    </section>
  )
}

function GapLine({
  gap: { gap, high, low, meanScore, p, z },
  title,
}: {
  gap: NonNullable<Group['before']>
  title: string
}) {
  return (
    <>
      <dt>{title}</dt>
      <dd>
        {meanScore !== undefined && `scores average ${decimal(meanScore)}; `}outcomes less scores{' '}
        <b>{signed(gap)}</b>
        {low !== undefined && high !== undefined && ` (${range(low, high)})`}
        {p !== undefined ? `, ${pValue(p)}` : low === undefined && z !== undefined && `, ${cellWords({ z })}`}
      </dd>
    </>
  )
}

function ShownIn({
  evidence,
  group,
  titles,
}: {
  evidence: Evidence
  group: Group
  titles: CardProps['titles']
}) {
  const ids = figuresWith(evidence, group).filter(id => titles.has(id))
  if (ids.length === 0) return null
  return (
    <span class="shown-in">
      Marked in{' '}
      {ids.map((id, place) => (
        <span key={id}>
          {place > 0 && ', '}
          <a href={`#${id}`}>{titles.get(id)}</a>
        </span>
      ))}
    </span>
  )
}

function Inside({ evidence, group }: { evidence: Evidence; group: Group }) {
  const chosen = useChosen()
  const inside = useMemo(() => insideOf(evidence, group).slice(0, SHOWN_INSIDE), [evidence, group])
  if (inside.length === 0) return null
  const { segments: map } = evidence
  return (
    <details>
      <summary>Inside it, the most significant</summary>
      <ul class="inside">
        {inside.map(index => (
          <li key={index}>
            <button
              type="button"
              class="link"
              onClick={() => {
                chosen.value = segmentGroup(evidence, index)
              }}
            >
              <bdi>{nameOf(map, map.segments[index])}</bdi>
            </button>{' '}
            {signed(map.segments[index].before.gap)}
          </li>
        ))}
      </ul>
    </details>
  )
}
