// The pages name files that exist and link to pages that exist.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const read = (page: string) => readFileSync(join(root, page), 'utf8')

const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...['docs', 'docs/decisions'].flatMap(folder =>
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
  it.each(pages)('of %s lead somewhere', page => {
    for (const [, target] of read(page).matchAll(/\]\(([^)#\s]+)\)/g)) {
      expect(existsSync(join(root, dirname(page), target)), target).toBe(true)
    }
  })
})
