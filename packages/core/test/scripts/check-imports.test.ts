// The import rule on made-up files: what it allows, what it refuses, which imports it sees.

import { describe, expect, it } from 'vitest'
import {
  FOLDER_ORDER,
  findImports,
  findViolations,
  formatViolation,
} from '../../../../scripts/check-imports.ts'

const check = (files: Record<string, string>) =>
  findViolations(new Map(Object.entries(files))).map(formatViolation)

const core = (path: string) => `packages/core/src/${path}`

describe('the order of folders', () => {
  it('lets a folder import exactly itself and the folders before it, for every pair', () => {
    FOLDER_ORDER.forEach((from, fromIndex) => {
      FOLDER_ORDER.forEach((to, toIndex) => {
        const found = check({ [core(`${from}/a.ts`)]: `import { b } from '../${to}/b.ts'` })
        expect(found.length, `${from} imports ${to}`).toBe(toIndex > fromIndex ? 1 : 0)
      })
    })
  })

  it('looks at the first folder of a nested path', () => {
    expect(check({ [core('engine/reference/a.ts')]: `import { b } from '../../data/b.ts'` })).toEqual([])
    expect(check({ [core('engine/reference/a.ts')]: `import { b } from '../../boost/b.ts'` })).toEqual([
      'packages/core/src/engine/reference/a.ts:1 imports ../../boost/b.ts: engine/ comes before boost/ in the order of folders',
    ])
  })

  it('lets files directly in src import every folder, and no folder import them', () => {
    expect(check({ [core('fit.ts')]: `export * from './export/sql.ts'\nimport './boost/boost.ts'` })).toEqual(
      [],
    )
    for (const specifier of ['../fit.ts', '..', '../', '../index.ts']) {
      const found = check({ [core('export/a.ts')]: `import { fit } from '${specifier}'` })
      expect(found, specifier).toHaveLength(1)
      expect(found[0]).toContain('directly in src/')
    }
  })

  it('refuses an unknown folder once, however many files it holds', () => {
    const found = check({
      [core('utils/a.ts')]: '',
      [core('utils/b.ts')]: `import { c } from '../boost/c.ts'`,
    })
    expect(found).toEqual([
      'packages/core/src/utils/a.ts:1: the folder "utils" has no place in the order of folders',
    ])
  })
})

describe('what core may reach', () => {
  it.each([
    ['node:fs', 'no node: module'],
    ['commander', 'no package'],
    ['@featureboost/core', 'no package'],
    ['../../../cli/src/main.ts', 'outside its own src'],
    ['../../test/helpers.ts', 'outside its own src'],
  ])('refuses %s', (specifier, reason) => {
    const found = check({ [core('data/a.ts')]: `import { x } from '${specifier}'` })
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(reason)
  })

  it('refuses packages in files directly in src too', () => {
    expect(check({ [core('index.ts')]: `import 'node:os'` })).toHaveLength(1)
  })

  it('refuses a computed import, which nobody could check', () => {
    expect(check({ [core('data/a.ts')]: 'const x = await import(name)' })).toEqual([
      'packages/core/src/data/a.ts:1 imports a computed name: core imports by literal names only, so that they can be checked',
    ])
  })
})

describe('the command line', () => {
  it('reaches core by its package name alone', () => {
    const file = 'packages/cli/src/demo/a.ts'
    expect(check({ [file]: `import { fit } from '@featureboost/core'\nimport 'node:fs'` })).toEqual([])
    for (const specifier of [
      '../../../core/src/fit/fit.ts',
      '../../../core',
      '@featureboost/core/src/fit.ts',
    ]) {
      expect(check({ [file]: `import { fit } from '${specifier}'` }), specifier).toHaveLength(1)
    }
    expect(check({ [file]: `import { x } from '../../../corelike/x.ts'` })).toEqual([])
  })
})

describe('cycles', () => {
  it('reports the import that closes a cycle between files, with the whole way round', () => {
    const found = check({
      [core('data/a.ts')]: `import { b } from './b.ts'`,
      [core('data/b.ts')]: `// first line\nimport type { c } from './c.ts'`,
      [core('data/c.ts')]: `import type { a } from './a.ts'`,
    })
    const way = ['a', 'b', 'c', 'a'].map(name => core(`data/${name}.ts`)).join(' -> ')
    expect(found).toEqual([`packages/core/src/data/c.ts:1 imports ./a.ts: closes the cycle ${way}`])
  })

  it('reports a file that imports itself, and every one of two cycles', () => {
    expect(check({ [core('data/a.ts')]: `import { a } from './a.ts'` })).toHaveLength(1)
    const two = { 'packages/cli/src/a.ts': `import './b.ts'`, 'packages/cli/src/b.ts': `import './a.ts'` }
    expect(check({ ...two, [core('data/a.ts')]: `import './a.ts'` })).toHaveLength(2)
  })

  it('allows a diamond', () => {
    const found = check({
      [core('data/a.ts')]: `import './b.ts'\nimport './c.ts'`,
      [core('data/b.ts')]: `import './d.ts'`,
      [core('data/c.ts')]: `import './d.ts'`,
      [core('data/d.ts')]: '',
    })
    expect(found).toEqual([])
  })
})

describe('finding imports', () => {
  const specifiers = (text: string) => findImports(text).map(found => found.specifier)

  it.each([
    [`import a from './x.ts'`],
    [`import type { A } from './x.ts'`],
    [`import {\n  a,\n  type B,\n} from './x.ts'`],
    [`import * as all from "./x.ts"`],
    [`import './x.ts'`],
    [`export * from './x.ts'`],
    [`export type { A } from './x.ts'`],
    [`const x = await import('./x.ts')`],
    [`type A = import('./x.ts').A`],
    [`import data from './x.ts' with { type: 'json' }`],
    [`const quote = /['"\`]/\nimport './x.ts'`],
    [`const text = \`a \${b} 'c\`\nimport './x.ts'`],
    [`const half = 1 / 2 // it's\nimport './x.ts'`],
  ])('sees %j', text => {
    expect(specifiers(text)).toEqual(['./x.ts'])
  })

  it.each([
    [`// import a from './x.ts'`],
    [`/* export * from './x.ts' */`],
    [`const text = "import a from './x.ts'"`],
    [`const text = \`import a from './x.ts'\``],
    [`const list = Array.from('abc')`],
    [`const here = import.meta.url`],
    [`loader.import('./x.ts')`],
  ])('passes over %j', text => {
    expect(specifiers(text)).toEqual([])
  })

  it('gives the line that names the imported file', () => {
    expect(findImports(`// one\n\nimport {\n  a,\n} from './x.ts'`)[0].line).toBe(5)
  })
})
