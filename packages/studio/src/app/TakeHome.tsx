// What goes home: model, scores, certificate, report, all numbers, and the commands that repeat it.

import reportTemplate from 'virtual:report-template'
import { type Evidence, reportHtml } from '@featureboost/core'
import { stemOf } from '../run/command.ts'
import { CopyButton } from '../views/table/CopyButton.tsx'
import type { FitAnswer } from '../worker/protocol.ts'
import { scoreTable } from './actions.ts'
import { download } from './download.ts'
import { audited, compared, fitted, hasRows, isAuditStale, isFitStale, opened, running } from './state.ts'

const JSON_TYPE = 'application/json'

export function TakeHome() {
  const stem = stemOf(opened.value!.name)
  const isEmpty = fitted.value === undefined && audited.value === undefined
  return (
    <>
      {isEmpty && (
        <section class="card" aria-labelledby="home-title">
          <h2 id="home-title">Take home</h2>
          <p>There is nothing to take home yet. Audit the score, or fit a correction.</p>
        </section>
      )}
      {fitted.value !== undefined && (
        <Home title="The correction" id="home-fit" isStale={isFitStale.value}>
          <div class="row">
            <ModelButtons model={fitted.value.answer} stem={stem} />
            <EvidenceButtons evidence={fitted.value.answer.evidence} stem={stem} />
          </div>
          <Command
            title="The command that makes this model, byte for byte"
            command={fitted.value.answer.command}
          />
        </Home>
      )}
      {audited.value !== undefined && (
        <Home title="The audit" id="home-audit" isStale={isAuditStale.value}>
          <div class="row">
            <EvidenceButtons evidence={audited.value.evidence} stem={`${stem}-audit`} />
          </div>
          <Command title="The command that repeats this audit" command={audited.value.command} />
        </Home>
      )}
      {!isEmpty && <p class="hint">Every figure has buttons for SVG and PNG, every table one for CSV.</p>}
    </>
  )
}

interface HomeProps {
  readonly title: string
  readonly id: string
  readonly isStale: boolean
  readonly children: preact.ComponentChildren
}

const Home = ({ children, id, isStale, title }: HomeProps) => (
  <section class="card" aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {isStale && <p class="note stale">Made with columns, roles or options that have changed since.</p>}
    {children}
  </section>
)

function ModelButtons({ model, stem }: { model: FitAnswer; stem: string }) {
  const save = async () => {
    const scored = await scoreTable()
    if (scored !== undefined) download(`${stem}-scored.csv`, scored)
  }
  return (
    <>
      <button
        type="button"
        class="primary"
        onClick={() => download(`${stem}.fb.json`, model.modelText, JSON_TYPE)}
      >
        Model
      </button>
      <button
        type="button"
        disabled={running.value !== undefined || !hasRows.value}
        onClick={() => void save()}
      >
        Scored table (CSV)
      </button>
      <button
        type="button"
        onClick={() => download(`${stem}-certificate.json`, model.certificate, JSON_TYPE)}
      >
        Certificate
      </button>
    </>
  )
}

/** With the table of methods, where there is one. */
function EvidenceButtons({ evidence: found, stem }: { evidence: Evidence | undefined; stem: string }) {
  if (found === undefined) return null
  const comparison = compared.value?.table
  const evidence = comparison === undefined ? found : { ...found, comparison }
  const saveReport = () => download(`${stem}-report.html`, reportHtml(reportTemplate, evidence), 'text/html')
  const saveNumbers = () =>
    download(`${stem}-evidence.json`, `${JSON.stringify(evidence, null, 1)}\n`, JSON_TYPE)
  return (
    <>
      <button type="button" onClick={saveReport}>
        Report (HTML)
      </button>
      <button type="button" onClick={saveNumbers}>
        All numbers (JSON)
      </button>
    </>
  )
}

export function Command({ command, title }: { command: string; title: string }) {
  return (
    <div class="command">
      <p class="hint">{title}:</p>
      <pre class="code">{command}</pre>
      <CopyButton text={command} label="Copy" what="the command" />
    </div>
  )
}
