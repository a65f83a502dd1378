// What goes home: model, scores, certificate, report, all numbers, and the commands that repeat it.

import reportTemplate from 'virtual:report-template'
import { type Evidence, reportHtml } from '@featureboost/core'
import { CopyButton } from '../views/table/CopyButton.tsx'
import type { FitAnswer } from '../worker/protocol.ts'
import { scoreTable } from './actions.ts'
import { download, stemOf } from './download.ts'
import { fitted, opened, running, shown } from './state.ts'

const JSON_TYPE = 'application/json'

export function TakeHome() {
  const model = fitted.value
  const stem = stemOf(opened.value!.name)
  const { command, evidence } = shown.value ?? {}
  return (
    <section class="card" aria-labelledby="home-title">
      <h2 id="home-title">Take home</h2>
      <div class="row">
        {model !== undefined && <ModelButtons model={model} stem={stem} />}
        {evidence !== undefined && <EvidenceButtons evidence={evidence} stem={stem} />}
      </div>
      {evidence !== undefined && (
        <p class="hint">Every figure has buttons for SVG and PNG, every table one for CSV.</p>
      )}
      {model !== undefined && (
        <Command title="The command that makes this model, byte for byte" command={model.command} />
      )}
      {command !== undefined && command !== model?.command && (
        <Command title="The command that repeats what is shown" command={command} />
      )}
    </section>
  )
}

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
      <button type="button" disabled={running.value !== undefined} onClick={() => void save()}>
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

function EvidenceButtons({ evidence, stem }: { evidence: Evidence; stem: string }) {
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

function Command({ command, title }: { command: string; title: string }) {
  return (
    <div class="command">
      <p class="hint">{title}:</p>
      <pre class="code">{command}</pre>
      <CopyButton text={command} label="Copy" what="the command" />
    </div>
  )
}
