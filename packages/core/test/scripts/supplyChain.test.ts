// What is shipped is what is listed, and everybody who builds the kernels gets the same bytes.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findComponents, writeSbom } from '../../../../scripts/write-sbom.ts'
import { KERNELS_BASE64 } from '../../src/kernels/kernels.generated.ts'

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')

describe('what is shipped', () => {
  const { components, licences, sbom } = writeSbom()

  it('is listed as the lock file has it: npx tsx scripts/write-sbom.ts', () => {
    expect(read('docs/sbom.json')).toBe(sbom)
    expect(read('docs/licences.md')).toBe(licences)
  })

  it('is under licences that let everybody use it, and none is unknown', () => {
    const known = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD']
    expect(components.filter(({ licence }) => !known.includes(licence))).toEqual([])
    expect(components.every(({ integrity }) => integrity.startsWith('sha512-'))).toBe(true)
  })

  it('is nothing but itself for the library', () => {
    expect(components.filter(({ neededBy }) => neededBy.includes('@featureboost/core'))).toEqual([])
    expect(JSON.parse(read('packages/core/package.json')).dependencies).toBeUndefined()
  })
})

describe('the list', () => {
  const lock = {
    packages: {
      'packages/core': {},
      'packages/cli': { dependencies: { a: '1' }, optionalDependencies: { absent: '1' } },
      'packages/studio': {},
      'node_modules/a': {
        version: '1',
        license: 'MIT',
        dependencies: { b: '1' },
        optionalDependencies: { c: '1' },
      },
      'node_modules/a/node_modules/b': { version: '2', license: 'MIT' },
      'node_modules/b': { version: '1', license: 'GPL-3.0', dev: true },
      'node_modules/c': { version: '1', license: 'ISC', dependencies: { a: '1' } },
      ...Object.fromEntries(
        ['@preact/signals', 'hyparquet', 'hyparquet-compressors', 'preact'].map(name => [
          `node_modules/${name}`,
          { version: '1', license: 'MIT' },
        ]),
      ),
    },
  }

  it('holds what is needed, the copy that is found first, and no tools', () => {
    const found = findComponents(lock).filter(({ name }) => name.length === 1)
    expect(found.map(({ name, neededBy, optional, version }) => [name, version, optional, neededBy])).toEqual(
      [
        ['a', '1', false, ['c', 'featureboost']],
        ['b', '2', false, ['a']],
        ['c', '1', true, ['a']],
      ],
    )
  })

  it('is refused where something is not in the lock file', () => {
    const { 'node_modules/a': _, ...packages } = lock.packages
    expect(() => findComponents({ packages })).toThrow('a, needed by featureboost, is not in the lock file')
  })
})

describe('the kernels', () => {
  it('are built to the same bytes everywhere (after a change: npx tsx scripts/build-kernels.ts --seal)', () => {
    const built = createHash('sha256').update(Buffer.from(KERNELS_BASE64, 'base64')).digest('hex')
    expect(built).toBe(read('packages/core/kernels/kernels.sha256').trim())
  })
})
