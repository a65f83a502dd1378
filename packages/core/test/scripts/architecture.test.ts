// ARCHITECTURE.md and the pages beside it name files that exist, and walk through those that run.

import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { apiPage } from '../../../../scripts/write-api.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '../../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Paths in backticks: from the repository, or from the sources or the tests of core. */
function pathsIn(text: string): string[] {
  const named = Array.from(text.matchAll(/`([\w./-]+\/[\w./-]*)`/g), match => match[1])
  return [...new Set(named)].filter(path => !/^[@/]|\.\.\./.test(path))
}

const exists = (path: string): boolean =>
  ['', 'packages/core/src', 'packages/core', 'packages/studio/src', 'packages/cli/src'].some(folder =>
    existsSync(join(root, folder, path)),
  )

describe('pages about the code', () => {
  it.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/paper.md', 'docs/theory.md'])(
    '%s names files that exist',
    page => {
      const missing = pathsIn(read(page)).filter(path => !path.includes('*') && !exists(path))
      expect(missing).toEqual([])
    },
  )

  it('docs/api.md is what the built library declares (npm run build && npm run docs writes it)', () => {
    expect(read('docs/api.md')).toBe(apiPage())
  })
})

/** Phases of a walk, in order, with the files that it names. A phase may have several lines. */
function walkOf(title: string): { phase: string; files: string[] }[] {
  const page = read('ARCHITECTURE.md')
  const from = page.indexOf(`### ${title}`)
  const section = page.slice(from, page.indexOf('\n#', from + 1))
  const lines = section.split('\n').filter(line => line.startsWith('| ') && !line.startsWith('| phase'))
  return lines.map(line => {
    const [, phase, , files] = line.split('|').map(cell => cell.trim())
    return { phase, files: Array.from(files.matchAll(/`([^`]+)`/g), match => match[1]) }
  })
}

/** Phase by phase, what ran. */
type Recorded = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

const folderOf = (file: string): string => file.slice(0, file.indexOf('/'))

describe('the walks', async () => {
  const script = join(root, 'scripts/record-walk.ts')
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', script], { cwd: root })
  const recorded: Recorded = JSON.parse(stdout)

  it.each([
    ['A default fit', 'fit'],
    ['One predicted row', 'row'],
    ['An audit', 'audit'],
  ])('%s: names files that run, each in its phase, and a file of every folder that does', (title, name) => {
    const walk = walkOf(title)
    const ran = recorded[name]
    expect(walk.length).toBeGreaterThan(0)
    const order = Object.keys(ran).filter(phase => walk.some(step => step.phase === phase))
    expect([...new Set(walk.map(({ phase }) => phase))]).toEqual(order)
    const idle = walk.flatMap(({ files, phase }) => files.filter(file => !ran[phase].includes(file)))
    expect(idle).toEqual([])
    const named = new Set(walk.flatMap(({ files }) => files.map(folderOf)))
    const folders = new Set(Object.values(ran).flatMap(files => files.map(folderOf)))
    expect([...folders].filter(folder => folder !== 'common' && !named.has(folder))).toEqual([])
  })
})
