// The gallery: a page that names its cases, and the report of each.

import { type Evidence, reportHtml } from '@featureboost/core'
import { CASES, type Case } from './cases.ts'
import { escapeHtml } from './html.ts'

export interface GalleryFile {
  readonly address: string
  readonly text: string
}

/** The page's text and the reports. `template` is the report's page as it is built. */
export async function makeGallery(
  template: string,
): Promise<{ html: string; reports: readonly GalleryFile[] }> {
  const reports: GalleryFile[] = []
  const cards: string[] = []
  for (const each of CASES) {
    const evidence = await each.evidence()
    const address = `gallery/${each.name}.html`
    reports.push({ address, text: reportHtml(template, evidence) })
    cards.push(cardHtml(each, evidence, address))
  }
  const html = `<h1 id="gallery">Gallery</h1>
<p>Five tables and what a report says of each. Where the table is made up, the error is known, so the report can be held against the
truth; the real ones show what an audit looks like when nobody knows. Reports hold sums and no rows.</p>
<ul class="cards">
${cards.join('\n')}
</ul>
<p><code>featureboost report</code> makes such a page of your table: <a href="report.html">reports</a>.</p>`
  return { html, reports }
}

const cardHtml = ({ kind, title, words }: Case, { verdict }: Evidence, address: string): string =>
  `<li><h2><a href="${address}">${escapeHtml(title)}</a></h2><p>${kind === 'real' ? 'Real' : 'Made up'}. ${escapeHtml(words)}</p><p><strong>The report says:</strong> ${escapeHtml(verdict.sentence)}</p></li>`
