// Everything that is known of a score, from one object: the results of the page, and the whole of the report.

import './theme.css'
import './views.css'
import './charts.css'
import './tables.css'
import './print.css'
import type { Evidence } from '@featureboost/core'
import type { GroupRef } from '@featureboost/core/internal'
import { signal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { ChosenCard } from './ChosenCard.tsx'
import { ExportedFrom } from './chart/frame.ts'
import { ChosenGroup, figuresWith, type Group, useChosen } from './chosen.ts'
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
import { Later } from './Later.tsx'
import { usePaper } from './paper.ts'
import { isDrawing } from './turns.ts'

interface EvidenceViewProps {
  readonly evidence: Evidence
  /** A group was chosen to be looked into; without this, groups cannot be. */
  readonly onDrill?: (group: GroupRef) => void
  /** What else is to be said, below the verdict. */
  readonly children?: ComponentChildren
}

export function EvidenceView({ children, evidence, onDrill }: EvidenceViewProps) {
  const chosen = useMemo(() => signal<Group | undefined>(undefined), [evidence])
  const figures = useMemo(() => figuresOf(evidence, onDrill), [evidence])
  const isPaper = usePaper()
  const titles = new Map(
    figures.flatMap(({ id, title }) => (title === undefined ? [] : [[id, title] as const])),
  )
  return (
    <ExportedFrom.Provider value={evidence}>
      <ChosenGroup.Provider value={chosen}>
        <div class="evidence">
          <Verdict evidence={evidence} />
          {children}
          <Hero evidence={evidence} />
          <Contents evidence={evidence} titles={titles} />
          <Panels>
            {(isPaper ? asPrinted(figures) : figures).map(
              ({ drawn, id, isNarrow }) =>
                drawn !== undefined && (
                  <Later key={id} id={id} wide={!isNarrow}>
                    {drawn}
                  </Later>
                ),
            )}
          </Panels>
          <ChosenCard evidence={evidence} titles={titles} onDrill={onDrill} />
        </div>
      </ChosenGroup.Provider>
    </ExportedFrom.Provider>
  )
}

/** Who waits for the figures can see when they are drawn. */
const Panels = ({ children }: { children: ComponentChildren }) => (
  <div class="panels" aria-busy={isDrawing.value}>
    {children}
  </div>
)

/** On paper: figures that stand beside each other follow each other, and words and tables fill what they leave of a page. */
const PRINTED = [
  ...(['segments', 'reliability', 'worst', 'protected', 'walk', 'rounding'] as const),
  ...(['moved', 'measures', 'certificate', 'updates', 'heat', 'moved-rows', 'methods', 'data'] as const),
] as const

type FigureId = 'hero' | (typeof PRINTED)[number]

function asPrinted(figures: readonly Drawn[]): readonly Drawn[] {
  const order: readonly FigureId[] = PRINTED
  return figures.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
}

interface Drawn {
  readonly id: FigureId
  /** In the list of figures; absent for those that belong to the one before. */
  readonly title?: string
  readonly isNarrow?: boolean
  /** Absent for what stands above the list. */
  readonly drawn?: JSX.Element
}

/** In the order of the screen. */
function figuresOf(evidence: Evidence, onDrill: EvidenceViewProps['onDrill']): readonly Drawn[] {
  const { certificate, comparison, moved, protected: guarded, updates, worst } = evidence
  const optional = <T,>(value: T | undefined, draw: (value: T) => Drawn): Drawn[] =>
    value === undefined ? [] : [draw(value)]
  return [
    ...(worst.length > 0 ? [{ id: 'hero', title: 'Where it is wrong' } as const] : []),
    {
      id: 'segments',
      title: 'Segment map',
      drawn: <SegmentMapFigure evidence={evidence} onDrill={onDrill} />,
    },
    { id: 'worst', title: 'Worst groups', drawn: <WorstGroups evidence={evidence} /> },
    ...optional(guarded, groups => ({
      id: 'protected',
      title: 'Protected groups',
      drawn: <ProtectedGroups groups={groups} />,
    })),
    { id: 'reliability', title: 'Reliability', isNarrow: true, drawn: <Reliability evidence={evidence} /> },
    { id: 'walk', title: 'Cumulative difference', isNarrow: true, drawn: <WalkPlot evidence={evidence} /> },
    { id: 'heat', title: 'Groups at scores', drawn: <HeatMapFigure evidence={evidence} /> },
    { id: 'rounding', title: 'Error against bins', drawn: <Rounding evidence={evidence} /> },
    { id: 'measures', title: 'Measures', drawn: <Measures evidence={evidence} /> },
    ...optional(moved, changes => ({
      id: 'moved',
      title: 'What moved',
      isNarrow: true,
      drawn: <MovedFigure moved={changes} />,
    })),
    ...optional(updates, each => ({
      id: 'updates',
      isNarrow: true,
      drawn: <UpdatesFigure updates={each} />,
    })),
    ...optional(certificate, each => ({
      id: 'certificate',
      title: 'Certificate',
      drawn: <CertificateCard certificate={each} />,
    })),
    ...optional(moved?.rows, rows => ({ id: 'moved-rows', drawn: <MovedRows rows={rows} /> })),
    ...optional(comparison, table => ({
      id: 'methods',
      title: 'Methods',
      drawn: <Methods comparison={table} />,
    })),
    { id: 'data', title: 'The data', drawn: <DataFacts evidence={evidence} /> },
  ]
}

/** Links that jump to the figures; those that show the chosen group are marked. */
function Contents({ evidence, titles }: { evidence: Evidence; titles: ReadonlyMap<string, string> }) {
  const chosen = useChosen().value
  const marked = useMemo(
    () => (chosen === undefined ? [] : figuresWith(evidence, chosen)),
    [evidence, chosen],
  )
  return (
    <nav class="contents" aria-label="Figures">
      <ul>
        {[...titles].map(([id, title]) => (
          <li key={id}>
            <a href={`#${id}`} class={marked.includes(id) ? 'marked' : undefined}>
              {title}
              {marked.includes(id) && <span class="unseen">, which shows the chosen group</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
