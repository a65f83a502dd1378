// What goes home: model, scores, certificate, figures, tables, and the command that repeats it all.

import reportTemplate from 'virtual:report-template'
import { reportHtml } from '@featureboost/core'
import { CopyButton } from '../views/table/CopyButton.tsx'
import { scoreTable } from './actions.ts'
import { download, stemOf } from './download.ts'
import { fitted, opened, running, shown } from './state.ts'

export function TakeHome() {
  const { command, evidence, group } = shown.value!
  const model = fitted.value
  const stem = stemOf(opened.value!.name)
  const isBusy = running.value !== undefined
  return (
    <section class="card" aria-labelledby="home-title">
      <h2 id="home-title">Take home</h2>
      <div class="row">
        {model !== undefined && (
          <>
            <button
              type="button"
              class="primary"
              onClick={() => download(`${stem}.fb.json`, model.modelText, 'application/json')}
            >
              Model
            </button>
            <button
              type="button"
              disabled={isBusy}
              onClick={async () => {
                const scored = await scoreTable()
                if (scored !== undefined) download(`${stem}-scored.csv`, scored)
              }}
            >
              Scored table (CSV)
            </button>
            <button
              type="button"
              onClick={() => download(`${stem}-certificate.json`, model.certificate, 'application/json')}
            >
              Certificate
            </button>
          </>
        )}
        <button
          type="button"
          onClick={() => download(`${stem}-report.html`, reportHtml(reportTemplate, evidence), 'text/html')}
        >
          Report (HTML)
        </button>
        <button
          type="button"
          onClick={() =>
            download(`${stem}-evidence.json`, `${JSON.stringify(evidence, null, 1)}\n`, 'application/json')
          }
        >
          All numbers (JSON)
        </button>
      </div>
      <p class="hint">Every figure has buttons for SVG and PNG, every table one for CSV.</p>
      <Command command={group === undefined ? (model?.command ?? command) : command} />
    </section>
  )
}

function Command({ command }: { command: string }) {
  return (
    <div class="command">
      <p class="hint">The command that repeats this, byte for byte:</p>
      <pre class="code" id="command">
        {command}
      </pre>
      <CopyButton text={command} label="Copy" what="the command" />
    </div>
  )
}
