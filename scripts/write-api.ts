// Writes docs/api.md: every name that @featureboost/core offers, with its declaration, and the shapes that these are made of. It is
// read off the built declarations, so a change of what users can rely on shows up as a change of this page. Build first.
//
//   npx tsx scripts/write-api.ts

import { readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const DIST = fileURLToPath(new URL('../packages/core/dist/', import.meta.url))

/** Sub-paths, and the declarations behind them. */
const ENTRIES = {
  '@featureboost/core': 'index.d.ts',
  '@featureboost/core/baselines': 'baselines/index.d.ts',
  '@featureboost/core/testing': 'testing/index.d.ts',
}

export function apiPage(): string {
  const files = new Map<string, Declarations>()
  const shown = new Set<string>()
  const sections = Object.entries(ENTRIES).map(([entry, file]) => {
    const names = namesOf(file, files).map(name => find(file, name, files))
    for (const { key } of names) shown.add(key)
    return [`## ${entry}`, '', `${names.length} names.`, '', ...codeOf(names)].join('\n')
  })
  const shapes = reachable([...shown], files).filter(({ key }) => !shown.has(key))
  return [
    '# What the library offers',
    '',
    'Everything else, `@featureboost/core/internal` included, may change with any version. This page is written by `npm run docs`',
    'from the declarations of the built library; a test compares the two.',
    '',
    ...sections,
    '',
    '## Shapes that these are made of',
    '',
    'They have no names of their own for users, but changing one changes what is offered.',
    '',
    ...codeOf(shapes),
    '',
  ].join('\n')
}

interface Declared {
  /** File and name: two files may declare the same name. */
  readonly key: string
  readonly file: string
  readonly name: string
  readonly text: string
}

/** What a file declares, and where the other names in it come from. */
interface Declarations {
  readonly own: ReadonlyMap<string, string>
  /** Names that it imports or passes on, with the file and their name there. */
  readonly elsewhere: ReadonlyMap<string, readonly [file: string, name: string]>
  /** Files of which it passes on everything. */
  readonly stars: readonly string[]
  readonly exported: readonly string[]
}

const codeOf = (declared: readonly Declared[]): string[] => [
  '```ts',
  ...[...declared].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)).map(({ text }) => text),
  '```',
]

function read(file: string, files: Map<string, Declarations>): Declarations {
  const known = files.get(file)
  if (known !== undefined) return known
  const parsed = parse(file, readFileSync(join(DIST, file), 'utf8'))
  files.set(file, parsed)
  return parsed
}

const STATEMENT = /^(?:export )?(?:declare )?(?:abstract )?(?:function|interface|type|const|class) (\w+)/
const PASSED_ON = /^(?:import|export) (?:type )?\{([^}]*)\} from '([^']*)'/
const STAR = /^export \* from '([^']*)'/

function parse(file: string, text: string): Declarations {
  const own = new Map<string, string>()
  const elsewhere = new Map<string, readonly [string, string]>()
  const [stars, exported]: [string[], string[]] = [[], []]
  const at = (specifier: string) => join(dirname(file), specifier).replace(/\.ts$/, '.d.ts')
  for (const statement of statementsOf(text)) {
    const star = STAR.exec(statement)
    const passed = PASSED_ON.exec(statement)
    const name = STATEMENT.exec(statement)?.[1]
    if (star !== null) stars.push(at(star[1]))
    else if (passed !== null) {
      for (const each of passed[1].split(',').map(part => part.trim().replace(/^type /, ''))) {
        if (each === '') continue
        const [original, alias = original] = each.split(' as ')
        elsewhere.set(alias, [at(passed[2]), original])
        if (statement.startsWith('export')) exported.push(alias)
      }
    } else if (name !== undefined) {
      const before = own.get(name)
      const plain = statement.replace(/^export /, '').replace(/^declare /, '')
      own.set(name, before === undefined ? plain : `${before}\n${plain}`)
      if (statement.startsWith('export')) exported.push(name)
    }
  }
  return { own, elsewhere, stars, exported: [...new Set(exported)] }
}

/** Without comments. Whatever begins at the left margin begins a statement, but for what closes one. */
function statementsOf(text: string): string[] {
  const lines = text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .split('\n')
    .filter(line => line.trim() !== '' && !line.startsWith('//'))
  const statements: string[] = []
  for (const line of lines) {
    const goesOn = /^[\s}\])|&]/.test(line) && statements.length > 0
    if (goesOn) statements[statements.length - 1] += `\n${line}`
    else statements.push(line)
  }
  return statements
}

function namesOf(file: string, files: Map<string, Declarations>): string[] {
  const { exported, stars } = read(file, files)
  return [...new Set([...exported, ...stars.flatMap(star => namesOf(star, files))])].sort()
}

function find(file: string, name: string, files: Map<string, Declarations>): Declared {
  const found = look(file, name, files)
  if (found === undefined) throw new Error(`${name} is not declared in ${file}.`)
  return found
}

function look(file: string, name: string, files: Map<string, Declarations>): Declared | undefined {
  const { elsewhere, own, stars } = read(file, files)
  const text = own.get(name)
  if (text !== undefined) return { key: `${file}:${name}`, file, name, text }
  const passed = elsewhere.get(name)
  if (passed !== undefined) return look(...passed, files)
  return stars.map(star => look(star, name, files)).find(found => found !== undefined)
}

/** All that these declarations mention, and what that mentions. */
function reachable(keys: readonly string[], files: Map<string, Declarations>): Declared[] {
  const found = new Map<string, Declared>()
  const visit = ({ file, key, name, text }: Declared): void => {
    if (found.has(key)) return
    found.set(key, { file, key, name, text })
    for (const word of new Set(text.match(/\b[A-Z]\w*/g))) {
      const mentioned = look(file, word, files)
      if (mentioned !== undefined) visit(mentioned)
    }
  }
  for (const key of keys) {
    const [file, name] = key.split(':')
    visit(find(file, name, files))
  }
  return [...found.values()]
}

const executed = process.argv[1]
if (executed !== undefined && realpathSync(executed) === fileURLToPath(import.meta.url)) {
  writeFileSync(fileURLToPath(new URL('../docs/api.md', import.meta.url)), apiPage())
}
