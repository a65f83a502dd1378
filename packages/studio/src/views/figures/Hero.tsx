// The figure that people paste into their slides: the groups that the score is most wrong for, and what the correction makes of them.

import type { Evidence } from '@featureboost/core'
import { render } from 'preact'
import { Chart } from '../chart/Chart.tsx'
import { exportFrame, wrap } from '../chart/frame.ts'
import { saveCard } from '../chart/save.ts'
import { Figure } from '../Figure.tsx'
import { count } from '../format.ts'
import { ChosenRow, PickRow } from './HeroPicks.tsx'
import { HeroKey, HeroRows, heroGroups, heroKeyHeight, heroRowHeight } from './HeroRows.tsx'
import { isSure } from './segmentWords.ts'

const TITLE = 'Where the score is wrong'
const EDGES = { left: 16, right: 20, top: 0, bottom: 34 }

export function Hero({ evidence }: { evidence: Evidence }) {
  const groups = heroGroups(evidence)
  if (groups.length === 0) return null
  const reading = heroReading(evidence)
  const corrected = evidence.after !== undefined
  return (
    <Figure
      id="hero"
      title={TITLE}
      reading={reading}
      wide
      tools={
        <button type="button" class="small" onClick={() => void saveHeroCard(evidence)}>
          Card (PNG, 1200 × 630)
        </button>
      }
    >
      <Chart
        name={TITLE}
        description={reading}
        role="group"
        height={width =>
          groups.length * heroRowHeight(groups, { left: EDGES.left, right: width - EDGES.right }) +
          heroKeyHeight(width, corrected) +
          EDGES.bottom
        }
        margin={EDGES}
      >
        {whole => {
          const area = { ...whole, top: heroKeyHeight(whole.width, corrected) }
          const rows = { area, groups, rowHeight: heroRowHeight(groups, whole) }
          return (
            <>
              <ChosenRow {...rows} />
              <HeroKey corrected={corrected} width={area.width} x={area.left} y={14} />
              <HeroRows {...rows} />
              <PickRow {...rows} />
            </>
          )
        }}
      </Chart>
    </Figure>
  )
}

function heroReading(evidence: Evidence): string {
  const { about, after, patterns, worst } = evidence
  const groups = heroGroups(evidence)
  const isOff = evidence.before.significance.beyondNoise && groups.some(({ before }) => isSure(before))
  const rows = `on ${count(about.auditedCount)}${about.rows === 'held-out' ? ' held-out' : ''} rows`
  if (!isOff)
    return `No group is surely off, ${rows}. ${groups.length === 1 ? 'This one is' : `These ${groups.length} are`} the nearest to it.`
  const which = `The ${groups.length === 1 ? 'group' : `${groups.length} groups`} that matter${groups.length === 1 ? 's' : ''} most, ${rows}: by the gap that is surely there, times the rows that it concerns.`
  const merged = patterns.sentence === undefined ? '' : ` ${patterns.sentence}`
  const inside = worst
    .slice(0, groups.length)
    .filter(({ after }) => after !== undefined && after.low <= 0 && after.high >= 0)
  const now =
    after === undefined
      ? ''
      : ` After the correction the interval of ${inside.length} of ${groups.length} holds the score.`
  return `${which}${merged} Intervals hold for all groups that were searched at once.${now}`
}

/** Drawn for the file alone, at the size that links are shown in. */
async function saveHeroCard(evidence: Evidence): Promise<void> {
  const holder = document.createElement('div')
  holder.className = 'unseen'
  holder.setAttribute('aria-hidden', 'true')
  document.body.append(holder)
  try {
    render(<HeroCard evidence={evidence} />, holder)
    await saveCard(holder.querySelector('svg')!, TITLE)
  } finally {
    render(null, holder)
    holder.remove()
  }
}

const CARD = { width: 1200, height: 630, edge: 48, letters: 118, lines: 3 }

/** As many whole sentences as there is room for; of a first one that is too long, its beginning. */
function cardLines(text: string): string[] {
  const { letters, lines } = CARD
  const sentences = text.split(/(?<=\.) /)
  const counts = sentences.map((_, index) => sentences.length - index)
  const fitting = counts.map(count => wrap(sentences.slice(0, count).join(' '), letters))
  const kept = fitting.find(each => each.length <= lines)
  if (kept !== undefined) return kept
  const cut = wrap(sentences[0], letters).slice(0, lines)
  return cut.map((line, index) => (index === lines - 1 ? `${line} …` : line))
}

function HeroCard({ evidence }: { evidence: Evidence }) {
  const { edge, height, width } = CARD
  const groups = heroGroups(evidence).slice(0, 6)
  const { foot, sentence } = exportFrame(evidence, TITLE, evidence.verdict.sentence)
  const lines = cardLines(sentence)
  const [top, bottom] = [128 + 24 * lines.length, height - 84]
  const area = { width, height, left: edge, right: width - edge, top, bottom }
  return (
    <svg class="chart-svg" width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
      <title>{TITLE}</title>
      <text class="card-title" x={edge} y={68}>
        {TITLE}
      </text>
      {lines.map((line, index) => (
        <text key={line} class="card-sentence" x={edge} y={100 + 24 * index}>
          {line}
        </text>
      ))}
      <HeroKey corrected={evidence.after !== undefined} width={width} x={edge} y={top - 22} />
      <HeroRows area={area} groups={groups} rowHeight={(bottom - top) / Math.max(4, groups.length)} />
      <text class="tick" x={edge} y={height - 28}>
        {foot}
      </text>
    </svg>
  )
}
