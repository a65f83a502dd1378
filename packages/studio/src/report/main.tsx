// The report: the evidence that was put into this file, drawn. It asks for nothing from anywhere.

import '../views/theme.css'
import './report.css'
import type { Evidence } from '@featureboost/core'
import type { MonitorEvidence } from '@featureboost/core/internal'
import { render } from 'preact'
import { EvidenceView } from '../views/EvidenceView.tsx'
import { MonitorView } from '../views/monitor/MonitorView.tsx'
import { readEvidence } from './read.ts'
import { ThemeToggle } from './theme.tsx'

function Report({ evidence }: { evidence: Evidence }) {
  const { about } = evidence
  return (
    <>
      <header class="report-head">
        <h1>
          Calibration report: <bdi>{about.name}</bdi>
        </h1>
        <ThemeToggle />
      </header>
      <main>
        <EvidenceView evidence={evidence} />
      </main>
      <footer>
        Made by featureboost {about.library}. This file holds no rows of the data
        {evidence.moved?.rows === undefined ? '' : ', but for those it shows'}, and opens without a network.
      </footer>
    </>
  )
}

function MonitorPage({ evidence }: { evidence: MonitorEvidence }) {
  const { about } = evidence
  return (
    <>
      <header class="report-head">
        <h1>
          Monitor: <bdi>{about.name}</bdi>
        </h1>
        <ThemeToggle />
      </header>
      <main>
        <MonitorView evidence={evidence} />
      </main>
      <footer>
        Made by featureboost {about.library}. This file holds no rows of the data, and opens without a
        network.
      </footer>
    </>
  )
}

const app = document.getElementById('app')!
const found = readEvidence(document.getElementById('evidence')?.textContent ?? '')
if (found.kind === 'evidence') {
  document.title = `Calibration report: ${found.evidence.about.name}`
  render(<Report evidence={found.evidence} />, app)
} else if (found.kind === 'monitor') {
  document.title = `Monitor: ${found.evidence.about.name}`
  render(<MonitorPage evidence={found.evidence} />, app)
} else {
  render(
    <main class="broken">
      <h1>This report cannot be shown</h1>
      <p>{found.reason}</p>
    </main>,
    app,
  )
}
