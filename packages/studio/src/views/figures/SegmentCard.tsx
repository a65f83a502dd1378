// One segment in numbers: what it is, how far off, what became of it, what is inside it, and its query.

import type { Evidence } from '@featureboost/core'
import type { GroupGap, GroupRef, Segment } from '@featureboost/core/internal'
import { count, decimal, pValue, range, signed } from '../format.ts'
import { CopyButton } from '../table/CopyButton.tsx'
import { nameOf, refOf } from './segmentWords.ts'

interface CardProps {
  readonly evidence: Evidence
  readonly chosen: number
  readonly onChoose: (index: number) => void
  readonly onDrill?: ((group: GroupRef) => void) | undefined
}

const SHOWN_INSIDE = 5

export function SegmentCard({ chosen, evidence, onChoose, onDrill }: CardProps) {
  const { segments: map } = evidence
  const segment = map.segments[chosen]
  const ref = refOf(map, segment)
  const inside = insideOf(evidence, segment).slice(0, SHOWN_INSIDE)
  return (
    <div class="segment-card" aria-live="polite">
      <h3>
        <bdi>{ref.words}</bdi>
      </h3>
      <p>
        {count(segment.weight)} rows, outcomes average {decimal(segment.meanLabel)}.
      </p>
      <dl>
        <GapLine title="before" gap={segment.before} />
        {segment.after !== undefined && <GapLine title="after" gap={segment.after} />}
      </dl>
      <p class="buttons">
        {ref.sql !== undefined && (
          <CopyButton text={ref.sql} label="Copy SQL" what="the WHERE clause of this group" />
        )}
        {onDrill !== undefined && ref.where.length > 0 && (
          <button type="button" class="small" onClick={() => onDrill(ref)}>
            Look into this group
          </button>
        )}
      </p>
      {inside.length > 0 && (
        <div>
          <h4>Inside it, the most significant</h4>
          <ul class="inside">
            {inside.map(index => (
              <li key={index}>
                <button type="button" class="link" onClick={() => onChoose(index)}>
                  <bdi>{nameOf(map, map.segments[index])}</bdi>
                </button>{' '}
                {signed(map.segments[index].before.gap)}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}

function GapLine({ gap, title }: { gap: GroupGap; title: string }) {
  return (
    <>
      <dt>{title}</dt>
      <dd>
        scores average {decimal(gap.meanScore)}; outcomes less scores <b>{signed(gap.gap)}</b> (
        {range(gap.low, gap.high)}){gap.p !== undefined && `, ${pValue(gap.p)}`}
      </dd>
    </>
  )
}

/** Overlaps with another condition, where the segment has one. */
function insideOf({ segments: { segments } }: Evidence, { parts }: Segment): number[] {
  if (parts.length !== 1) return []
  return segments.flatMap((segment, index) =>
    segment.parts.length === 2 && segment.parts.includes(parts[0]) ? [index] : [],
  )
}
