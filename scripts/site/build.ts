// `npm run site`: the pages of this repository as one folder of static files, made without a network and read without one. Build first
// (npm run build): the studio and the template of reports are taken from there.
//
//   npm run site [-- --out FOLDER]

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { linkTypes } from './apiLinks.ts'
import { makeGallery } from './gallery.ts'
import { heroOf, homeHtml } from './home.ts'
import { type Frame, framePage, relativeAddress } from './layout.ts'
import { type Passage, type Rendered, renderMarkdown } from './markdown.ts'
import {
  addressOf,
  GALLERY,
  ROOT,
  readDecisions,
  readMenu,
  readSource,
  type Section,
  type SitePage,
  STUDIO,
  titleOf,
} from './pages.ts'

const ASSETS = fileURLToPath(new URL('assets', import.meta.url))
const BUILT = join(ROOT, 'packages/cli/dist/studio')
/** Files that pages link to and that are no pages. */
const FILES = 'files'

/** A place of the search. Short names: there are thousands of them. */
interface Found {
  readonly p: string
  readonly h: string
  readonly u: string
  readonly x: string
}

export async function buildSite(out: string): Promise<{ pages: number }> {
  if (!existsSync(join(BUILT, 'report.html'))) throw new Error(`No ${BUILT}: run npm run build first.`)
  rmSync(out, { recursive: true, force: true })
  const site = new Site(out, readMenu())
  const pages = [...site.menu.flatMap(section => section.pages), ...readDecisions()]
  for (const page of pages) site.addPage(page)
  site.addStart()
  await site.addGallery()
  site.write(STUDIO, readFileSync(join(BUILT, 'index.html'), 'utf8'))
  for (const name of readdirSync(ASSETS))
    site.write(`assets/${name}`, readFileSync(join(ASSETS, name), 'utf8'))
  site.addIndex()
  return { pages: pages.length + 2 }
}

class Site {
  private readonly found: Found[] = []

  constructor(
    private readonly out: string,
    readonly menu: readonly Section[],
  ) {}

  write(address: string, text: string): void {
    const path = join(this.out, address)
    mkdirSync(dirname(path), { recursive: true })
    // No page takes the place of another one.
    writeFileSync(path, text, { flag: 'wx' })
  }

  addPage(page: SitePage): void {
    const markdown = readSource(page.source)
    const rendered = renderMarkdown(markdown, href => this.resolve(page, href))
    const isApi = page.source === 'docs/api.md'
    const article = isApi ? linkTypes(rendered) : rendered.html
    const isDecision = page.address.startsWith('decisions/')
    const under = isDecision ? { under: addressOf('docs/decisions/README.md') } : {}
    this.writeFramed({ ...this.frame(page.address, titleOf(markdown), rendered), ...under }, article)
    this.index(page, rendered.passages)
  }

  addStart(): void {
    const start = { source: 'README.md', address: 'index.html', title: 'featureboost' }
    const hero = heroOf(readSource('README.md'), href => this.resolve(start, href))
    const description =
      'Multicalibration: probabilities that are right for every group, with a certificate anyone can re-compute.'
    this.writeFramed(
      { address: start.address, title: start.title, description, menu: this.menu, isStart: true },
      homeHtml(hero),
    )
  }

  async addGallery(): Promise<void> {
    const { html, reports } = await makeGallery(readFileSync(join(BUILT, 'report.html'), 'utf8'))
    for (const { address, text } of reports) this.write(address, text)
    const description = 'Five tables, made up and real, and what a report says of each.'
    this.writeFramed({ address: GALLERY, title: 'Gallery', description, menu: this.menu }, html)
    this.found.push({
      p: 'Gallery',
      h: 'Gallery',
      u: GALLERY,
      x: html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' '),
    })
  }

  addIndex(): void {
    this.write('assets/search-index.js', `globalThis.featureboostPassages = ${JSON.stringify(this.found)}\n`)
  }

  private writeFramed(frame: Frame, article: string): void {
    this.write(frame.address, framePage(frame, article))
  }

  private frame(address: string, title: string, { headings, passages }: Rendered): Frame {
    const [first] = passages
    const description = (first?.text || title).slice(0, 200)
    return { address, title, description, menu: this.menu, headings }
  }

  private index({ address, title }: SitePage, passages: readonly Passage[]): void {
    for (const { anchor, heading, text } of passages)
      this.found.push({ p: title, h: heading, u: `${address}#${anchor}`, x: text })
  }

  /** Pages lead to pages; what is no page is copied. */
  private resolve({ address, source }: SitePage, href: string): string {
    if (/^[a-z]+:/.test(href)) return href
    const [path, anchor] = href.split('#')
    const target = path === '' ? source : posix.join(posix.dirname(source), path)
    if (!existsSync(join(ROOT, target))) throw new Error(`${source} links to ${href}, which does not exist.`)
    const isPage = target.endsWith('.md')
    if (!isPage) this.copy(target)
    const to = isPage ? addressOf(target) : `${FILES}/${target}`
    return relativeAddress(address, anchor === undefined ? to : `${to}#${anchor}`)
  }

  private copy(target: string): void {
    const path = join(this.out, FILES, target)
    mkdirSync(dirname(path), { recursive: true })
    copyFileSync(join(ROOT, target), path)
  }
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { out: { type: 'string', default: join(ROOT, 'site') } } })
  const { pages } = await buildSite(values.out)
  console.log(`${pages} pages in ${values.out}: open index.html, or serve the folder from any static host.`)
}
