// What goes home: model, scores, certificate, figures, tables, and the command that repeats it all.

import { useState } from 'preact/hooks'
import { scoreTable } from './actions.ts'
import { download, fileName, stemOf } from './download.ts'
import { findFigures, findTables, pngOf, standaloneSvg, tableCsv } from './figures.ts'
import { fitted, opened, running, shown } from './state.ts'

export function TakeHome() {
  const { evidence, command } = shown.value!
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
          onClick={() =>
            download(`${stem}-evidence.json`, `${JSON.stringify(evidence, null, 1)}\n`, 'application/json')
          }
        >
          All numbers (JSON)
        </button>
      </div>
      <Pieces stem={stem} />
      <Command command={model?.command ?? command} />
    </section>
  )
}

/** The figures and tables that are in the page at the moment. */
function Pieces({ stem }: { stem: string }) {
  const root = () => document.getElementById('results')!
  const svgs = () => {
    for (const { name, svg } of findFigures(root()))
      download(`${stem}-${fileName(name)}.svg`, standaloneSvg(svg), 'image/svg+xml')
  }
  const pngs = async () => {
    for (const { name, svg } of findFigures(root()))
      download(`${stem}-${fileName(name)}.png`, await pngOf(svg))
  }
  const tables = () => {
    for (const { name, table } of findTables(root()))
      download(`${stem}-${fileName(name)}.csv`, tableCsv(table), 'text/csv')
  }
  return (
    <div class="row">
      <button type="button" onClick={svgs}>
        Figures (SVG)
      </button>
      <button type="button" onClick={() => void pngs()}>
        Figures (PNG)
      </button>
      <button type="button" onClick={tables}>
        Tables (CSV)
      </button>
    </div>
  )
}

function Command({ command }: { command: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard?.writeText(command)
    setCopied(true)
  }
  return (
    <div class="command">
      <p class="hint">The command that repeats this, byte for byte:</p>
      <pre class="code" id="command">
        {command}
      </pre>
      <button type="button" onClick={() => void copy()}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </div>
  )
}
