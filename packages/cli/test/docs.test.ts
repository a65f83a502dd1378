// The pages name files that exist and link to pages that exist.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { anchorsOf, brokenMarkdownLinks } from '../../../scripts/site/links.ts'
import { readMenu } from '../../../scripts/site/pages.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const read = (page: string) => readFileSync(join(root, page), 'utf8')

const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'python/README.md',
  'verifier/README.md',
  'packages/core/src/model/FORMAT.md',
  'packages/core/src/model/CERTIFICATE.md',
  ...['docs', 'docs/decisions', 'docs/guides'].flatMap(folder =>
    readdirSync(join(root, folder))
      .filter(name => name.endsWith('.md'))
      .map(name => `${folder}/${name}`),
  ),
]

describe('docs/paper.md', () => {
  it('has code or a reason, and a test, in every row', () => {
    const rows = read('docs/paper.md')
      .split('\n')
      .filter(line => line.startsWith('| ') && !line.startsWith('| item'))
    expect(rows.length).toBeGreaterThan(50)
    for (const row of rows) {
      const cells = row.split(/(?<!\\)\|/).map(cell => cell.trim())
      expect(
        cells.slice(1, 5).every(cell => cell !== ''),
        row,
      ).toBe(true)
      expect(cells[4], row).toMatch(/test|suite|same/)
    }
  })

  it('names only files that exist', () => {
    const named = [...read('docs/paper.md').matchAll(/`([\w/-]+\.(?:test\.)?ts)`/g)].map(match => match[1])
    expect(named.length).toBeGreaterThan(50)
    for (const name of new Set(named)) {
      const places = [name, join('packages/core', name), join('packages/core/src', name)]
      expect(
        places.some(place => existsSync(join(root, place))),
        name,
      ).toBe(true)
    }
  })
})

describe('links', () => {
  it.each(pages)('of %s lead to files and headings that exist', page => {
    expect(brokenMarkdownLinks(root, page)).toEqual([])
  })

  it('are found to lead nowhere where they do', () => {
    const folder = mkdtempSync(join(tmpdir(), 'featureboost-links-'))
    writeFileSync(
      join(folder, 'a.md'),
      '# A `b` and c\n[1](a.md#a-b-and-c) [2](#nothing) [3](gone.md) [4](http://x.org) `[5](code.md)`\n',
    )
    try {
      expect(brokenMarkdownLinks(folder, 'a.md')).toEqual([
        'a.md: #nothing leads to no heading',
        'a.md: gone.md leads to no file',
        'a.md: http://x.org is not https',
      ])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('can tell headings of the same words apart', () => {
    expect([...anchorsOf('# Of a fit\n## Of a fit\n```sh\n# no heading\n```\n### `audit`, 6(a)\n')]).toEqual([
      'of-a-fit',
      'of-a-fit-1',
      'audit-6a',
    ])
  })
})

describe('the menu of the site', () => {
  it('has every page of the docs, once', () => {
    const sources = readMenu().flatMap(section => section.pages.map(page => page.source))
    expect(new Set(sources).size).toBe(sources.length)
    for (const page of pages) if (!/decisions\/\d/.test(page)) expect(sources).toContain(page)
  })
})

describe('citations of the theory', () => {
  it('name sections that docs/theory.md has', () => {
    const sections = new Set(
      [...read('docs/theory.md').matchAll(/^#+ (\d+(?:\.\d+|\([a-z]\))?)\.? /gm)].map(match => match[1]),
    )
    const cited = ['packages/core/src', 'packages/core/test', 'packages/cli/src', 'bench'].flatMap(folder =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter(name => name.endsWith('.ts'))
        .flatMap(name =>
          [...read(join(folder, name)).matchAll(/THEORY section (\d+(?:\.\d+|\([a-z]\))?)/g)].map(
            match => match[1],
          ),
        ),
    )
    expect(cited.length).toBeGreaterThan(10)
    for (const section of cited) expect(sections).toContain(section)
  })
})
