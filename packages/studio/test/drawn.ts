// What a person reads of evidence, taken out of the page's own views: the verdict, the first figure, the tables. Drawn to text, without
// a browser.

import type { Evidence } from '@featureboost/core'
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { EvidenceView } from '../src/views/EvidenceView.tsx'

export interface Drawn {
  readonly level: string
  readonly verdict: string
  readonly details: readonly string[]
  /** Of each group of the first figure, all that is said of it. */
  readonly hero: readonly string[]
  readonly heroReading: string
  /** Rows of cells, by the titles of the columns. */
  readonly worst: readonly Readonly<Record<string, string>>[]
  readonly measures: readonly Readonly<Record<string, string>>[]
  readonly named: readonly Readonly<Record<string, string>>[]
}

export function draw(evidence: Evidence): Drawn {
  const html = renderToString(h(EvidenceView, { evidence }))
  const verdict = section(html, /<section class="ev-verdict/)
  const hero = section(html, /<section class="panel wide" id="hero"/)
  const [, level, sentence] = /<p class="verdict-line"><b>(.*?)\.<\/b> <bdi>(.*?)<\/bdi>/s.exec(verdict)!
  return {
    level,
    verdict: textOf(sentence),
    details: all(verdict, /<p><bdi>(.*?)<\/bdi><\/p>/gs),
    hero: all(hero, /<g class="hero-row"[^>]*><title>(.*?)<\/title>/gs),
    heroReading: all(hero, /<p class="reading">(.*?)<\/p>/gs)[0] ?? '',
    worst: rowsOf(section(html, /<section class="panel wide" id="worst"/)),
    measures: rowsOf(section(html, /<section class="panel wide" id="measures"/)),
    named: rowsOf(section(html, /<section class="panel wide" id="protected"/)),
  }
}

/** Sections hold other sections: those of tables. */
function section(html: string, opening: RegExp): string {
  const start = html.search(opening)
  if (start < 0) return ''
  let depth = 0
  for (const { 0: tag, index } of html.slice(start).matchAll(/<\/?section/g)) {
    depth += tag === '<section' ? 1 : -1
    if (depth === 0) return html.slice(start, start + index)
  }
  throw new Error('a section has no end')
}

const rowsOf = (html: string): Record<string, string>[] =>
  [...html.matchAll(/<tr[^>]*>((?:<td.*?<\/td>)+)<\/tr>/gs)].map(([, cells]) =>
    Object.fromEntries(
      [...cells.matchAll(/<td[^>]*data-title="([^"]*)"[^>]*>(.*?)<\/td>/gs)].map(([, title, cell]) => [
        title,
        textOf(cell),
      ]),
    ),
  )

const all = (html: string, pattern: RegExp): string[] =>
  [...html.matchAll(pattern)].map(([, text]) => textOf(text))

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' }

export const textOf = (html: string): string =>
  html.replace(/<[^>]*>/g, '').replace(/&(lt|gt|quot|amp);/g, entity => ENTITIES[entity])
