// One page of Markdown as HTML: headings with anchors, links that lead to pages of the site, code in colours, tables that scroll by
// themselves. Whatever a page links to has to exist.

import hljs from 'highlight.js/lib/core'
import shell from 'highlight.js/lib/languages/bash'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import yaml from 'highlight.js/lib/languages/yaml'
import { Marked, type Token, type Tokens } from 'marked'
import { escapeHtml } from './html.ts'
import { makeSlugger } from './slug.ts'

export interface Heading {
  readonly depth: number
  readonly anchor: string
  /** As HTML, without links. */
  readonly html: string
  readonly text: string
}

/** The text between one heading and the next: what a search finds. */
export interface Passage {
  readonly anchor: string
  readonly heading: string
  readonly text: string
}

export interface Rendered {
  readonly html: string
  readonly headings: readonly Heading[]
  readonly passages: readonly Passage[]
}

/** Where a link or a picture of the page leads in the site. Throws where it leads nowhere. */
export type Resolve = (href: string) => string

const LANGUAGES = { json, python, sh: shell, sql, ts: typescript, yaml }
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language)

export function renderMarkdown(markdown: string, resolve: Resolve): Rendered {
  const headings: Heading[] = []
  const slug = makeSlugger()
  const marked = new Marked({ gfm: true })
  marked.use({
    renderer: {
      heading({ depth, text, tokens }) {
        const html = this.parser.parseInline(tokens)
        const anchor = slug(text)
        headings.push({ depth, anchor, html: html.replace(/<\/?a\b[^>]*>/g, ''), text: plainText(html) })
        if (depth === 1) return `<h1 id="${anchor}">${html}</h1>\n`
        const label = escapeHtml(`Link to "${plainText(html)}"`)
        return `<h${depth} id="${anchor}">${html} <a class="anchor" href="#${anchor}" aria-label="${label}">#</a></h${depth}>\n`
      },
      link({ href, tokens }) {
        return `<a href="${escapeHtml(resolve(href))}">${this.parser.parseInline(tokens)}</a>`
      },
      image({ href, text }) {
        return `<img src="${escapeHtml(resolve(href))}" alt="${escapeHtml(text)}" loading="lazy">`
      },
      code({ lang, text }) {
        return codeBlock(text, lang ?? '')
      },
      // Comments are for those who read the Markdown; of HTML only line breaks have a place in it.
      html({ text }) {
        if (text === '<br>') return text
        if (/^\s*(<!--[\s\S]*?-->\s*)*$/.test(text)) return ''
        throw new Error(`HTML in Markdown: ${text.slice(0, 80)}`)
      },
      table(token) {
        return tableHtml(token, tokens => this.parser.parseInline(tokens))
      },
    },
  })
  const tokens = marked.lexer(markdown)
  const html = marked.parser(tokens)
  return { html, headings, passages: passagesOf(tokens) }
}

const NAMES: Readonly<Record<string, string>> = {
  console: 'A command and what it prints',
  json: 'JSON',
  python: 'Python',
  sh: 'Commands',
  sql: 'SQL',
  ts: 'TypeScript',
  yaml: 'YAML',
}

function codeBlock(text: string, language: string): string {
  const name = NAMES[language] ?? 'Text'
  const colored = language in LANGUAGES ? hljs.highlight(text, { language }).value : escapeHtml(text)
  const shown = language === 'console' ? colored.replace(/^\$ .*$/gm, line => `<b>${line}</b>`) : colored
  return `<pre tabindex="0" role="group" aria-label="${name}"><code>${shown}</code></pre>\n`
}

/** Cells with more letters than this are read better below one another on a narrow screen. */
const LONG_CELL = 60

function tableHtml({ align, header, rows }: Tokens.Table, inline: (tokens: Token[]) => string): string {
  const names = header.map(({ text }) => text.replace(/[`*]/g, '').trim())
  const side = (index: number) => (align[index] ? ` class="${align[index]}"` : '')
  const named = (index: number) =>
    index === 0 || names[index] === '' ? '' : ` data-column="${escapeHtml(names[index])}"`
  const cell = (tokens: Token[], index: number) => `<td${side(index)}${named(index)}>${inline(tokens)}</td>`
  // A cell without words is no heading, and a row of them none either.
  const head = header.map(({ tokens }, index) =>
    names[index] === '' ? '<td></td>' : `<th scope="col"${side(index)}>${inline(tokens)}</th>`,
  )
  const body = rows.map(row => `<tr>${row.map(({ tokens }, index) => cell(tokens, index)).join('')}</tr>`)
  const isLong = rows.some(row => row.some(({ text }) => text.length > LONG_CELL))
  const title = names.find(name => name !== '') ?? 'without headings'
  return [
    `<div class="table${isLong ? ' stack' : ''}" tabindex="0" role="group" aria-label="Table: ${escapeHtml(title)}"><table>`,
    names.every(name => name === '') ? '' : `<thead><tr>${head.join('')}</tr></thead>`,
    `<tbody>${body.join('\n')}</tbody></table></div>\n`,
  ].join('\n')
}

function passagesOf(tokens: readonly Token[]): Passage[] {
  const slug = makeSlugger()
  const passages: { anchor: string; heading: string; words: string[] }[] = []
  for (const token of tokens) {
    if (token.type === 'heading')
      passages.push({ anchor: slug(token.text), heading: withoutMarks(token.text), words: [] })
    else if (token.type !== 'space' && token.type !== 'html')
      passages.at(-1)?.words.push(withoutMarks(token.raw))
  }
  return passages.map(({ anchor, heading, words }) => ({
    anchor,
    heading,
    text: words.join(' ').replace(/\s+/g, ' ').trim(),
  }))
}

const withoutMarks = (markdown: string): string =>
  markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/```\w*|\|[\s:|-]+\|\n|[`*|]/g, ' ')
    .trim()

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

/** Without tags, and with what the entities stand for. */
const plainText = (html: string): string =>
  html.replace(/<[^>]*>/g, '').replace(/&(?:lt|gt|quot|#39|amp);/g, entity => ENTITIES[entity])
