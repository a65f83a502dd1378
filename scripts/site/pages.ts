// The pages of the site, in the order of its menu. Every page of docs/ has a place here, or the build fails.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface SitePage {
  /** Path of the Markdown from the root of the repository. */
  readonly source: string
  /** Path in the site. */
  readonly address: string
  /** In the menu. */
  readonly title: string
}

export interface Section {
  readonly title: string
  readonly pages: readonly SitePage[]
}

/** Where the gallery and the studio lie, which are not Markdown. */
export const GALLERY = 'gallery.html'
export const STUDIO = 'studio.html'

type Entry = readonly [source: string, title: string]

const MENU: Readonly<Record<string, readonly Entry[]>> = {
  Start: [
    ['README.md', 'Overview'],
    ['docs/guides/first-audit.md', 'First audit in five minutes'],
    ['docs/quickstart.md', 'From a table to a certified model'],
    ['docs/studio.md', 'The studio'],
  ],
  Guides: [
    ['docs/guides/choosing-groups.md', 'Choosing groups'],
    ['docs/guides/reading-a-certificate.md', 'Reading a certificate'],
    ['docs/guides/ci-gate.md', 'A gate in CI'],
    ['docs/monitor.md', 'Monitoring'],
    ['docs/decide.md', 'Deciding by costs'],
    ['docs/export.md', 'Scoring in the warehouse, in Python, at the edge'],
    ['docs/serve.md', 'Scoring over HTTP'],
    ['docs/guides/from-mcgrad.md', 'Moving from MCGrad'],
    ['docs/guides/from-calibrated-classifier.md', 'Moving from CalibratedClassifierCV'],
  ],
  Reference: [
    ['docs/command-line.md', 'Command line'],
    ['docs/options.md', 'Options'],
    ['docs/api.md', 'TypeScript API'],
    ['python/README.md', 'Python package'],
    ['docs/errors.md', 'Errors'],
    ['docs/audit.md', 'Audits and measures'],
    ['docs/verdict.md', 'Verdicts'],
    ['docs/report.md', 'Reports'],
    ['docs/import.md', 'Importing models'],
    ['docs/compare.md', 'Comparing methods'],
    ['docs/baselines.md', 'Methods by other authors'],
    ['docs/verify.md', 'What verify proves'],
    ['verifier/README.md', 'The second verifier'],
    ['docs/engines.md', 'Engines'],
    ['docs/engines-spark.md', 'Spark'],
    ['packages/core/src/model/FORMAT.md', 'The model file'],
    ['packages/core/src/model/CERTIFICATE.md', 'The certificate file'],
  ],
  'Theory and evidence': [
    ['docs/theory.md', 'Theory'],
    ['docs/paper.md', 'The paper, item by item'],
    ['docs/sample-size.md', 'Sample sizes'],
    ['docs/truth.md', 'Checked against the truth'],
    ['docs/planted.md', 'Planted groups'],
    ['docs/versus.md', 'Against other packages'],
    ['docs/performance.md', 'Performance'],
    ['docs/reliability.md', 'Reliability'],
  ],
  Project: [
    ['ARCHITECTURE.md', 'Architecture'],
    ['docs/decisions/README.md', 'Design decisions'],
    ['docs/threat-model.md', 'Threat model'],
    ['SECURITY.md', 'Security'],
    ['docs/licences.md', 'Licences'],
    ['CONTRIBUTING.md', 'Contributing'],
    ['CHANGELOG.md', 'Changelog'],
  ],
}

/** Addresses of pages outside docs/, and of the one that would stand where the studio itself does. */
const ADDRESSES: Readonly<Record<string, string>> = {
  'README.md': 'overview.html',
  'docs/studio.md': 'about-the-studio.html',
  'python/README.md': 'python.html',
  'verifier/README.md': 'verifier.html',
  'packages/core/src/model/FORMAT.md': 'model-file.html',
  'packages/core/src/model/CERTIFICATE.md': 'certificate-file.html',
  'docs/decisions/README.md': 'decisions/index.html',
}

export function addressOf(source: string): string {
  const given = ADDRESSES[source]
  if (given !== undefined) return given
  return source
    .replace(/^docs\//, '')
    .replace(/\.md$/, '.html')
    .toLowerCase()
}

export function readMenu(): Section[] {
  const sections = Object.entries(MENU).map(([title, entries]) => ({
    title,
    pages: entries.map(([source, words]) => ({ source, address: addressOf(source), title: words })),
  }))
  checkComplete(sections)
  return sections
}

/** Pages that stand under another one and not in the menu: decisions. */
export function readDecisions(): SitePage[] {
  const folder = 'docs/decisions'
  return readdirSync(join(ROOT, folder))
    .filter(name => /^\d{4}-.*\.md$/.test(name))
    .sort()
    .map(name => posix.join(folder, name))
    .map(source => ({ source, address: addressOf(source), title: titleOf(readSource(source)) }))
}

export const readSource = (source: string): string => readFileSync(join(ROOT, source), 'utf8')

/** The words of the first heading. */
export const titleOf = (markdown: string): string =>
  (/^# (.+)$/m.exec(markdown)?.[1] ?? '').replaceAll('`', '')

function checkComplete(sections: readonly Section[]): void {
  const listed = new Set(sections.flatMap(({ pages }) => pages.map(({ source }) => source)))
  const missing = ['docs', 'docs/guides'].flatMap(folder =>
    readdirSync(join(ROOT, folder))
      .filter(name => name.endsWith('.md'))
      .map(name => posix.join(folder, name))
      .filter(source => !listed.has(source)),
  )
  if (missing.length > 0)
    throw new Error(`No place in the menu (scripts/site/pages.ts): ${missing.join(', ')}`)
  const gone = [...listed].filter(source => !existsSync(join(ROOT, source)))
  if (gone.length > 0)
    throw new Error(`In the menu (scripts/site/pages.ts) and not in the repository: ${gone.join(', ')}`)
}
