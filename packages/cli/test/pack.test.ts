// What is published: the code, the licence and the README, and nothing that the build left behind. scripts/check-packages.ts installs
// it and uses it.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

interface Packed {
  readonly files: readonly { readonly path: string }[]
}

function filesOf(name: string): string[] {
  const cwd = fileURLToPath(new URL(`../../${name}/`, import.meta.url))
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--loglevel=error'], {
    cwd,
    encoding: 'utf8',
  })
  const [{ files }]: Packed[] = JSON.parse(stdout.slice(stdout.indexOf('[')))
  return files.map(({ path }) => path)
}

describe.each([
  [
    'core',
    [
      'dist/index.js',
      'dist/index.d.ts',
      'dist/internal.js',
      'dist/testing/index.js',
      'dist/baselines/index.js',
    ],
  ],
  ['cli', ['bin/featureboost.js', 'dist/program/main.js', 'dist/index.d.ts', 'dist/studio/report.html']],
])('the package of %s', (name, needed) => {
  it('has what it names, the licence and the README, and no leftovers', () => {
    const files = filesOf(name)
    expect(files).toEqual(expect.arrayContaining([...needed, 'LICENSE', 'README.md', 'package.json']))
    expect(files.filter(file => /tsbuildinfo|\.test\.|node_modules|\.fb\.json$/.test(file))).toEqual([])
  })

  it('has every file that its entries name', () => {
    const manifest = JSON.parse(readFileSync(new URL(`../../${name}/package.json`, import.meta.url), 'utf8'))
    const { exports, main, types } = manifest
    const named = [exports, main, types].flatMap(pathsIn).map(path => path.replace('./', ''))
    expect(named.length).toBeGreaterThanOrEqual(6)
    expect(filesOf(name)).toEqual(expect.arrayContaining(named))
  })
})

const pathsIn = (entry: unknown): string[] =>
  typeof entry === 'string' ? [entry] : Object.values(entry as object).flatMap(pathsIn)

describe('by require', () => {
  const require = createRequire(import.meta.url)

  it.each([
    '@featureboost/core',
    '@featureboost/core/baselines',
    '@featureboost/core/testing',
    'featureboost',
  ])('there is what import gives, not a copy of it: %s', name => {
    const code = `const assert = require('node:assert'), required = require('${name}');
        import('${name}').then(imported => {
          assert(Object.keys(required).length > 0)
          assert.deepEqual(Object.keys(required), Object.keys(imported))
          for (const [key, value] of Object.entries(imported)) assert(required[key] === value, key)
        })`
    const { status, stderr } = spawnSync(process.execPath, ['-e', code], { cwd: import.meta.dirname })
    expect(String(stderr)).toBe('')
    expect(status).toBe(0)
    expect(require.resolve(name)).toMatch(/\.cjs$/)
  })
})
