// Everything that is known of a score, from one object: the results of the page, and the whole of the report.

import './theme.css'
import './views.css'
import './charts.css'
import './tables.css'
import type { Evidence } from '@featureboost/core'
import type { GroupRef } from '@featureboost/core/internal'
import { ExportedFrom } from './chart/frame.ts'
import { CertificateCard } from './figures/CertificateCard.tsx'
import { DataFacts } from './figures/DataFacts.tsx'
import { HeatMapFigure } from './figures/HeatMapFigure.tsx'
import { Hero } from './figures/Hero.tsx'
import { Measures } from './figures/Measures.tsx'
import { Methods } from './figures/Methods.tsx'
import { MovedFigure, MovedRows, UpdatesFigure } from './figures/MovedFigure.tsx'
import { ProtectedGroups } from './figures/ProtectedGroups.tsx'
import { Reliability } from './figures/Reliability.tsx'
import { Rounding } from './figures/Rounding.tsx'
import { SegmentMapFigure } from './figures/SegmentMapFigure.tsx'
import { Verdict } from './figures/Verdict.tsx'
import { WalkPlot } from './figures/WalkPlot.tsx'
import { WorstGroups } from './figures/WorstGroups.tsx'

interface EvidenceViewProps {
  readonly evidence: Evidence
  /** A group was chosen to be looked into; without this, groups cannot be. */
  readonly onDrill?: (group: GroupRef) => void
}

export function EvidenceView({ evidence, onDrill }: EvidenceViewProps) {
  const { certificate, comparison, moved, updates } = evidence
  return (
    <ExportedFrom.Provider value={evidence}>
      <div class="evidence">
        <Verdict evidence={evidence} />
        <Hero evidence={evidence} />
        <Contents evidence={evidence} />
        <div class="panels">
          <SegmentMapFigure evidence={evidence} onDrill={onDrill} />
          <WorstGroups evidence={evidence} />
          {evidence.protected !== undefined && <ProtectedGroups groups={evidence.protected} />}
          <Reliability evidence={evidence} />
          <WalkPlot evidence={evidence} />
          <HeatMapFigure evidence={evidence} />
          <Rounding evidence={evidence} />
          <Measures evidence={evidence} />
          {moved !== undefined && <MovedFigure moved={moved} />}
          {updates !== undefined && <UpdatesFigure updates={updates} />}
          {certificate !== undefined && <CertificateCard certificate={certificate} />}
          {moved?.rows !== undefined && <MovedRows rows={moved.rows} />}
          {comparison !== undefined && <Methods comparison={comparison} />}
          <DataFacts evidence={evidence} />
        </div>
      </div>
    </ExportedFrom.Provider>
  )
}

/** Links that jump to the figures. */
function Contents({ evidence }: { evidence: Evidence }) {
  const entries: [id: string, title: string, there: boolean][] = [
    ['hero', 'Where it is wrong', evidence.worst.length > 0],
    ['segments', 'Segment map', true],
    ['worst', 'Worst groups', true],
    ['protected', 'Protected groups', evidence.protected !== undefined],
    ['reliability', 'Reliability', true],
    ['walk', 'Cumulative difference', true],
    ['heat', 'Groups at scores', true],
    ['rounding', 'Error against bins', true],
    ['measures', 'Measures', true],
    ['moved', 'What moved', evidence.moved !== undefined],
    ['certificate', 'Certificate', evidence.certificate !== undefined],
    ['methods', 'Methods', evidence.comparison !== undefined],
    ['data', 'The data', true],
  ]
  return (
    <nav class="contents" aria-label="Figures">
      <ul>
        {entries.map(
          ([id, title, there]) =>
            there && (
              <li key={id}>
                <a href={`#${id}`}>{title}</a>
              </li>
            ),
        )}
      </ul>
    </nav>
  )
}
