// The documentation as a place: builds the site, follows every link in it, opens every page in Chromium at two widths and in two themes with
// axe, uses menu, theme and search by keyboard, opens the reports of the gallery, and runs the TypeScript and the Python of README and docs.
// (Commands are run by scripts/check-docs.ts, links in the Markdown by packages/cli/test/docs.test.ts.) Build first.
//
//   npx tsx scripts/check-site.ts [--only links|browser|typescript|python] [--site FOLDER]

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkPages } from './site/browser.ts'
import { buildSite } from './site/build.ts'
import { brokenHtmlLinks, idsOf } from './site/links.ts'
import { readMenu } from './site/pages.ts'
import { runPython } from './snippets/python.ts'
import { runTypeScript } from './snippets/typescript.ts'

const { values } = parseArgs({ options: { only: { type: 'string' }, site: { type: 'string' } } })
const isAsked = (part: string): boolean => values.only === undefined || values.only === part

/** docs/api.md holds declarations, not programs. */
const SNIPPETS = readMenu()
  .flatMap(section => section.pages.map(page => page.source))
  .filter(source => source !== 'docs/api.md')

/** Pages that we write; studio and reports are tested where they are made. */
const isOurs = (page: string): boolean => !/^(?:studio\.html|gallery\/|files\/)/.test(page)

async function timed(words: string, work: () => Promise<string> | string): Promise<void> {
  const started = performance.now()
  const found = await work()
  console.log(`${words}: ${found}, ${((performance.now() - started) / 1000).toFixed(0)} s`)
}

function checkLinks(folder: string, pages: readonly string[]): string {
  const anchors = new Map<string, Set<string>>()
  const anchorsIn = (page: string): Set<string> => {
    const known = anchors.get(page) ?? idsOf(readFileSync(join(folder, page), 'utf8'))
    anchors.set(page, known)
    return known
  }
  const broken = pages.filter(isOurs).flatMap(page => brokenHtmlLinks(folder, page, anchorsIn))
  if (broken.length > 0) throw new Error(`Links that lead nowhere:\n${broken.join('\n')}`)
  return `every link of ${pages.filter(isOurs).length} pages leads somewhere`
}

async function main(): Promise<void> {
  const folder = values.site ?? mkdtempSync(join(tmpdir(), 'featureboost-site-'))
  try {
    if (values.site === undefined && (isAsked('links') || isAsked('browser')))
      await timed('site', async () => `${(await buildSite(folder)).pages} pages`)
    const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
      name.endsWith('.html'),
    )
    if (isAsked('links')) await timed('links', () => checkLinks(folder, pages))
    if (isAsked('browser'))
      await timed('browser', () =>
        checkPages(
          folder,
          pages.filter(isOurs),
          pages.filter(page => page.startsWith('gallery/')),
        ),
      )
    if (isAsked('typescript')) await timed('TypeScript', () => `${runTypeScript(SNIPPETS)} blocks ran`)
    if (isAsked('python')) await timed('Python', () => `${runPython(SNIPPETS)} blocks ran`)
  } finally {
    if (values.site === undefined) rmSync(folder, { recursive: true, force: true })
  }
}

await main()
