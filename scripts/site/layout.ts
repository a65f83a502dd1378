// What stands around the text of every page: the head, the bar with the search, the menu, the outline of the page, what comes next.

import { posix } from 'node:path'
import { escapeHtml } from './html.ts'
import type { Heading } from './markdown.ts'
import { GALLERY, type Section, type SitePage, STUDIO } from './pages.ts'

export interface Frame {
  readonly address: string
  readonly title: string
  /** For the results of search machines and for previews: one sentence. */
  readonly description: string
  readonly menu: readonly Section[]
  readonly headings?: readonly Heading[]
  /** The start page has no menu beside it on wide screens. */
  readonly isStart?: boolean
  /** Where a page that is not in the menu belongs. */
  readonly under?: string
}

export function framePage(frame: Frame, article: string): string {
  const { address, description, isStart = false, title } = frame
  const to = (target: string) => relativeAddress(address, target)
  const name = isStart ? 'featureboost: multicalibration with a certificate' : `${title} · featureboost`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(name)}</title>
<meta name="description" content="${escapeHtml(description)}">
<script src="${to('assets/theme.js')}"></script>
<link rel="stylesheet" href="${to('assets/site.css')}">
<link rel="icon" href="${to('assets/icon.svg')}" type="image/svg+xml">
<script src="${to('assets/site.js')}" defer></script>
</head>
<body${isStart ? ' class="start"' : ''} data-root="${to('.')}">
<a class="skip" href="#content">Skip to the text</a>
${barHtml(to)}
<div class="columns">
${menuHtml(frame, to)}
<main id="content" tabindex="-1">
${article}
${isStart ? '' : nextHtml(frame, to)}
</main>
${outlineHtml(frame.headings ?? [])}
</div>
<footer><p>featureboost. MIT licence. This site was made from the repository's own pages and asks no other host for anything.</p></footer>
</body>
</html>
`
}

/** From one address of the site to another, relative, so that the folder works under any path and from disk. */
export function relativeAddress(from: string, target: string): string {
  const [path, anchor] = target.split('#')
  const relative = posix.relative(posix.dirname(from), path) || (path === '.' ? '.' : posix.basename(path))
  return anchor === undefined ? relative : `${path === from ? '' : relative}#${anchor}`
}

type To = (target: string) => string

const barHtml = (to: To): string => `<header class="bar">
<button type="button" class="menu-button" aria-expanded="false" aria-controls="menu" hidden>Menu</button>
<a class="brand" href="${to('index.html')}"><img src="${to('assets/icon.svg')}" alt="" width="22" height="22"> featureboost</a>
<div class="search" role="search" hidden>
<label class="unseen" for="search">Search these pages</label>
<input id="search" type="search" placeholder="Search" title="Press / to search" autocomplete="off" spellcheck="false" aria-describedby="search-help">
<span class="unseen" id="search-help">Results appear below while you type. The arrow keys move through them.</span>
<div class="results" hidden><p role="status"></p><ol></ol></div>
</div>
<a class="bar-link" href="${to(GALLERY)}">Gallery</a>
<a class="bar-link" href="${to(STUDIO)}">Studio</a>
<button type="button" class="theme-button" hidden>Dark</button>
</header>`

function menuHtml({ address, menu, under }: Frame, to: To): string {
  const current = under ?? address
  const item = (target: string, title: string) =>
    `<li><a href="${to(target)}"${target === current ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a></li>`
  const sections = menu.map(({ pages, title }) => {
    const items = pages.map(page => item(page.address, page.title))
    return `<h2>${escapeHtml(title)}</h2>\n<ul>\n${items.join('\n')}\n</ul>`
  })
  const gallery = `<h2>Examples</h2>\n<ul>\n${item(GALLERY, 'Gallery')}\n${item(STUDIO, 'Studio, live')}\n</ul>`
  const [first, ...others] = sections
  return `<nav id="menu" class="menu" aria-label="All pages">\n${[first, gallery, ...others].join('\n')}\n</nav>`
}

/** A part with more headings than this is a list to search in, and the outline names it alone. */
const MOST_IN_PART = 120

function outlineHtml(headings: readonly Heading[]): string {
  const parts = headings
    .map((heading, index) => ({ heading, index }))
    .filter(({ heading }) => heading.depth === 2)
    .map(({ index }, place, starts) => headings.slice(index, starts[place + 1]?.index))
  const shown = parts.flatMap(([first, ...others]) => {
    const below = others.filter(({ depth }) => depth === 3)
    return below.length > MOST_IN_PART ? [first] : [first, ...below]
  })
  if (shown.length < 2) return ''
  const items = shown.map(
    ({ anchor, depth, html }) => `<li class="depth-${depth}"><a href="#${anchor}">${html}</a></li>`,
  )
  return `<nav class="outline" aria-label="On this page"><h2>On this page</h2><ul>\n${items.join('\n')}\n</ul></nav>`
}

function nextHtml({ address, menu }: Frame, to: To): string {
  const pages = menu.flatMap(section => section.pages)
  const index = pages.findIndex(page => page.address === address)
  if (index === -1) return ''
  const link = (page: SitePage | undefined, words: string, side: string) =>
    page === undefined
      ? ''
      : `<a class="${side}" href="${to(page.address)}"><span>${words}</span> ${escapeHtml(page.title)}</a>`
  const links = link(pages[index - 1], 'Before', 'before') + link(pages[index + 1], 'Next', 'after')
  return `<nav class="next" aria-label="Neighbouring pages">${links}</nav>`
}
