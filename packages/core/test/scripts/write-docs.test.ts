// The pages about errors and options say what the library says.

import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { COPIES, errorsPage, optionsPage } from '../../../../scripts/write-docs.ts'
import { DECIDE_OPTIONS } from '../../src/decide/options.ts'
import { ERROR_CODES } from '../../src/index.ts'
import {
  AUDIT_OPTIONS,
  COMPARE_OPTIONS,
  describeRange,
  OPTIONS,
  type OptionSpec,
} from '../../src/internal.ts'
import { BATCH_OPTIONS, MONITOR_OPTIONS } from '../../src/monitor/options.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '../../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

function sourcesOf(name: string): string[] {
  const folder = join('packages', name, 'src')
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return files.filter(file => file.endsWith('.ts')).map(file => read(join(folder, file)))
}

const sources = readdirSync(join(root, 'packages')).flatMap(sourcesOf)
const findAll = (pattern: RegExp) =>
  new Set(sources.flatMap(text => Array.from(text.matchAll(pattern), match => match[1])))

const linesOf = (page: string) => page.split('\n').filter(line => line.startsWith('| `'))

describe.each([
  ['docs/errors.md', errorsPage],
  ['docs/options.md', optionsPage],
])('%s', (path, makePage) => {
  it('is what the library says today (npm run docs writes it)', () => {
    expect(read(path)).toBe(makePage())
  })
})

it.each(COPIES)('%s is the same file as %s (npm run docs copies it), and no link', (from, to) => {
  expect(read(to)).toBe(read(from))
  expect(lstatSync(join(root, to)).isSymbolicLink()).toBe(false)
})

describe('the page of errors', () => {
  it('has a line for every code, in alphabetical order', () => {
    const lines = linesOf(errorsPage())
    const codes = Object.keys(ERROR_CODES).sort()
    expect(lines.map(line => /`(\w+)`/.exec(line)![1])).toEqual(codes)
    lines.forEach((line, index) => {
      expect(line).toContain(ERROR_CODES[codes[index] as keyof typeof ERROR_CODES])
    })
  })
})

describe('the page of options', () => {
  const methodsPart = () => /## Methods[\s\S]*?(?=\n## )/.exec(optionsPage())![0]
  const lineOf = (name: string) => linesOf(optionsPage()).find(line => line.startsWith(`| \`${name}\` `))

  it('has a line for every option, with its range', () => {
    const methods = new Set(linesOf(methodsPart()))
    const lines = linesOf(optionsPage()).filter(line => !methods.has(line))
    const tables: Readonly<Record<string, OptionSpec>>[] = [
      OPTIONS,
      AUDIT_OPTIONS,
      DECIDE_OPTIONS,
      MONITOR_OPTIONS,
      BATCH_OPTIONS,
      COMPARE_OPTIONS,
    ]
    const options = tables.flatMap(table => Object.entries(table))
    expect(lines).toHaveLength(options.length)
    options.forEach(([name, spec], index) => {
      expect(lines[index]).toContain(`| \`${name}\` | ${describeRange(spec)} |`)
    })
  })

  it('has a line for every method, in the order of the choices', () => {
    const names = linesOf(methodsPart()).map(line => /^\| `([\w-]+)` \| [A-Z]/.exec(line)?.[1])
    expect(names).toEqual(OPTIONS.method.choices)
  })

  it('tells defaults wherever they are declared', () => {
    expect(lineOf('epsilon')).toBe(
      '| `epsilon` | a number between 0 and 1, both excluded | `0.05` | The error to stay within; it decides tolerance and bins. |',
    )
    expect(lineOf('label')).toContain('| required |')
    expect(lineOf('weight')).toContain('| none |')
    expect(lineOf('tolerance')).toContain('| from epsilon |')
    expect(lineOf('features')).toContain('| all without another role | Columns that auditors may look at. |')
    expect(lineOf('auditors')).toContain('| trees({ depth: 2 }) |')
  })
})

describe('the table of codes', () => {
  it('has every code that the sources name', () => {
    const named = findAll(/['"`](FB_[A-Z_]+)['"`]/g)
    expect([...named].filter(code => !Object.hasOwn(ERROR_CODES, code))).toEqual([])
    expect(named.size).toBeGreaterThan(20)
  })

  it('has no code that nothing throws', () => {
    const thrown = findAll(/(?:FeatureBoostError\(|refuse\(\s*\d+,|code:)\s*'(FB_[A-Z_]+)'/g)
    expect(Object.keys(ERROR_CODES).filter(code => !thrown.has(code))).toEqual([])
  })
})
