// Writes what `require` gets, beside every entry of the packages that has a condition for it: a file that hands on the one
// implementation, which Node has loaded by `require` since 20.19, and its declarations. Under TypeScript's "node16" a CommonJS file
// may not import declarations of an ES module, so every value is named again, with the type that it has there. Needs what tsc built.

import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'

interface Entry {
  readonly default: string
  readonly require: { readonly types: string; readonly default: string }
}

for (const name of ['core', 'cli']) {
  const folder = new URL(`../packages/${name}/`, import.meta.url)
  const { exports } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'))
  for (const entry of Object.values<Entry>(exports)) {
    const implementation = new URL(entry.default, folder)
    const beside = `./${basename(entry.default)}`
    writeFileSync(new URL(entry.require.default, folder), `module.exports = require('${beside}')\n`)
    writeFileSync(
      new URL(entry.require.types, folder),
      declarationsOf(beside, await import(implementation.href)),
    )
  }
}

function declarationsOf(file: string, values: Readonly<Record<string, unknown>>): string {
  const module = `import('${file}', { with: { 'resolution-mode': 'import' } })`
  const lines = Object.entries(values).flatMap(([name, value]) => [
    `export declare const ${name}: typeof ${module}.${name}`,
    // The star below hands on types, but not under a name that is declared here.
    ...(isClass(value) ? [`export type ${name} = ${module}.${name}`] : []),
  ])
  return [`export type * from '${file}' with { 'resolution-mode': 'import' }`, ...lines, ''].join('\n')
}

function isClass(value: unknown): boolean {
  return typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value))
}
