// What is published: the code, the licence and the README, and nothing that the build left behind.

import { spawnSync } from 'node:child_process'
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
  ['cli', ['bin/featureboost.js', 'dist/main.js', 'dist/index.d.ts', 'dist/studio/report.html']],
])('the package of %s', (name, needed) => {
  it('has what it names, the licence and the README, and no leftovers', () => {
    const files = filesOf(name)
    expect(files).toEqual(expect.arrayContaining([...needed, 'LICENSE', 'README.md', 'package.json']))
    expect(files.filter(file => /tsbuildinfo|\.test\.|node_modules|\.fb\.json$/.test(file))).toEqual([])
  })
})
