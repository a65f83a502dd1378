// Checks who may import whom. Folders of packages/core/src stand in one order and import only backwards; core
// imports no package and no built-in module; the command line and the studio reach core by its package name alone; no cycles.

import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A folder may import itself and every folder before it. */
export const FOLDER_ORDER = [
  'common',
  'data',
  'quantize',
  'update',
  'kernels',
  'engine',
  'classes',
  'store',
  'oracle',
  'forest',
  'boost',
  'round',
  'measures',
  'certify',
  'baselines',
  'options',
  'model',
  'audit',
  'fit',
  'verify',
  'compare',
  'decide',
  'monitor',
  'evidence',
  'export',
  'import',
  'testing',
] as const

export interface Violation {
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  /** What the file imports, as written; absent when the file itself is in the wrong place. */
  readonly imports?: string
  readonly reason: string
}

interface Import {
  readonly line: number
  /** Undefined when the specifier is computed. */
  readonly specifier: string | undefined
}

const CORE = 'packages/core/'
const CORE_SOURCE = 'packages/core/src/'
const CORE_NAME = '@featureboost/core'
/** Its sub-paths. */
const CORE_ENTRIES = ['baselines', 'internal', 'testing']
/** Packages that use core. */
const USERS = ['packages/cli/', 'packages/studio/']

/** Every break of the rule. Paths are relative to the repository and use forward slashes. */
export function findViolations(files: ReadonlyMap<string, string>): Violation[] {
  const imports = new Map([...files].map(([file, text]) => [file, findImports(text)] as const))
  const violations = findUnknownFolders([...files.keys()])
  for (const [file, found] of imports) {
    for (const { line, specifier } of found) {
      const reason = reasonAgainst(file, specifier)
      if (reason !== undefined)
        violations.push({ file, line, imports: specifier ?? 'a computed name', reason })
    }
  }
  return [...violations, ...findCycles(imports)]
}

// Alternatives are tried from left to right at each place, so an import inside a comment, a string or a template is
// swallowed with its surroundings. The last one is a regular expression: a slash where a value may begin.
const TOKENS = new RegExp(
  [
    String.raw`\/\/[^\n]*`,
    String.raw`\/\*[\s\S]*?\*\/`,
    String.raw`(?<!\.\s*)\b(?:from|import)\s*(?:'(?<single>[^'\n]*)'|"(?<double>[^"\n]*)")`,
    String.raw`(?<![.\w])(?:import|require)\s*\((?<call>[^)]*)\)`,
    String.raw`'(?:\\.|[^'\\\n])*'`,
    String.raw`"(?:\\.|[^"\\\n])*"`,
    '`(?:\\\\[\\s\\S]|[^`\\\\])*`',
    String.raw`(?<=(?:[(,=:[!&|?{};>]|\breturn)\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/`,
  ].join('|'),
  'g',
)

/** Every import and re-export of a text: static, type-only, dynamic, and import types. */
export function findImports(text: string): Import[] {
  const found: Import[] = []
  for (const match of text.matchAll(TOKENS)) {
    const { single, double, call } = match.groups!
    const named = single ?? double
    if (named === undefined && call === undefined) continue
    const literal = /^\s*(['"])([^'"]*)\1\s*(?:,[\s\S]*)?$/.exec(call ?? '')
    found.push({ line: text.slice(0, match.index).split('\n').length, specifier: named ?? literal?.[2] })
  }
  return found
}

function findUnknownFolders(files: readonly string[]): Violation[] {
  const firstFiles = new Map<string, string>()
  for (const file of files) {
    const folder = coreFolder(file)
    const known = folder === undefined || folder === '' || orderOf(folder) >= 0
    if (!known && !firstFiles.has(folder)) firstFiles.set(folder, file)
  }
  return [...firstFiles].map(([folder, file]) => ({
    file,
    line: 1,
    reason: `the folder "${folder}" has no place in the order of folders`,
  }))
}

function reasonAgainst(file: string, specifier: string | undefined): string | undefined {
  if (file.startsWith(CORE_SOURCE)) return reasonInCore(file, specifier)
  if (specifier !== undefined && USERS.some(user => file.startsWith(user)))
    return reasonInUser(file, specifier)
  return undefined
}

function reasonInCore(file: string, specifier: string | undefined): string | undefined {
  if (specifier === undefined) return 'core imports by literal names only, so that they can be checked'
  if (specifier.startsWith('node:')) return 'core runs in browsers too and imports no node: module'
  if (!isRelative(specifier)) return 'core has no dependency and imports no package'
  const from = coreFolder(file)!
  const to = coreFolder(resolveImport(file, specifier))
  if (to === undefined) return 'core imports nothing outside its own src'
  if (from === '' || from === to) return undefined
  if (to === '') return `a file in ${from}/ may not import files that stand directly in src/`
  // Unknown folders are reported once, by findUnknownFolders.
  if (orderOf(from) < 0 || orderOf(to) < 0) return undefined
  return orderOf(to) < orderOf(from) ? undefined : `${from}/ comes before ${to}/ in the order of folders`
}

function reasonInUser(file: string, specifier: string): string | undefined {
  if (specifier.startsWith(`${CORE_NAME}/`) && !CORE_ENTRIES.includes(specifier.slice(CORE_NAME.length + 1)))
    return `core has the entries ${CORE_ENTRIES.join(', ')} besides itself`
  if (isRelative(specifier) && `${resolveImport(file, specifier)}/`.startsWith(CORE)) {
    return `other packages import core as "${CORE_NAME}"`
  }
  return undefined
}

/** One violation per cycle met: the import that closes it. Type-only imports count. */
function findCycles(imports: ReadonlyMap<string, readonly Import[]>): Violation[] {
  const violations: Violation[] = []
  const done = new Set<string>()
  const path: string[] = []
  const visit = (file: string) => {
    path.push(file)
    for (const { line, specifier } of imports.get(file)!) {
      if (specifier === undefined || !isRelative(specifier)) continue
      const target = resolveImport(file, specifier)
      const start = path.indexOf(target)
      if (start >= 0) {
        const cycle = [...path.slice(start), target].join(' -> ')
        violations.push({ file, line, imports: specifier, reason: `closes the cycle ${cycle}` })
      } else if (imports.has(target) && !done.has(target)) visit(target)
    }
    path.pop()
    done.add(file)
  }
  for (const file of imports.keys()) if (!done.has(file)) visit(file)
  return violations
}

const isRelative = (specifier: string): boolean => specifier.startsWith('.')

const resolveImport = (file: string, specifier: string): string =>
  posix.join(posix.dirname(file), specifier).replace(/\/$/, '').replace(/\.js$/, '.ts')

/** The folder right under packages/core/src, '' for a file directly in it, undefined for a file elsewhere. */
function coreFolder(file: string): string | undefined {
  if (`${file}/` === CORE_SOURCE) return ''
  if (!file.startsWith(CORE_SOURCE)) return undefined
  const inside = file.slice(CORE_SOURCE.length)
  return inside.includes('/') ? inside.slice(0, inside.indexOf('/')) : ''
}

const orderOf = (folder: string): number => (FOLDER_ORDER as readonly string[]).indexOf(folder)

export function formatViolation({ file, line, imports, reason }: Violation): string {
  return imports === undefined
    ? `${file}:${line}: ${reason}`
    : `${file}:${line} imports ${imports}: ${reason}`
}

function readSources(root: string): Map<string, string> {
  const files = new Map<string, string>()
  const folders = USERS.flatMap(user => [`${user}src/`, `${user}test/`])
  for (const folder of [CORE_SOURCE, ...folders]) {
    const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    for (const name of names.map(name => name.replaceAll('\\', '/')).sort()) {
      if (/\.[cm]?tsx?$/.test(name)) files.set(folder + name, readFileSync(join(root, folder, name), 'utf8'))
    }
  }
  return files
}

function main(): void {
  const files = readSources(join(dirname(fileURLToPath(import.meta.url)), '..'))
  const violations = findViolations(files)
  for (const violation of violations) console.error(formatViolation(violation))
  if (violations.length > 0) process.exitCode = 1
  else console.log(`imports: ${files.size} files checked, all in order`)
}

const executed = process.argv[1]
if (executed !== undefined && realpathSync(executed) === fileURLToPath(import.meta.url)) main()
