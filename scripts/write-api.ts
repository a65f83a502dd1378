// Writes docs/api.md: every name that @featureboost/core offers, each with an anchor of its own, what its comment says and its declaration;
// and the shapes that these are made of. It is read off the built declarations, so a change of what users can rely on shows up as a
// change of this page. Build first.
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
    const parts = PARTS.flatMap(([title, isOfPart]) => {
      const declared = names.filter(({ text }) => isOfPart.test(text))
      return declared.length === 0 ? [] : [`${title}:`, '', ...entriesOf(declared)]
    })
    return [`## ${entry}`, '', `${names.length} names.`, '', ...parts].join('\n')
  })
  const shapes = reachable([...shown], files).filter(({ key }) => !shown.has(key))
  return [
    '# What the library offers',
    '',
    'Everything else, `@featureboost/core/internal` included, may change with any version. This page is written by `npm run docs`',
    'from the declarations of the built library; a test compares the two.',
    '',
    ...sections,
    '## Shapes that these are made of',
    '',
    'They have no names of their own for users, but changing one changes what is offered.',
    '',
    ...entriesOf(shapes),
  ].join('\n')
}

interface Declared {
  /** File and name: two files may declare the same name. */
  readonly key: string
  readonly file: string
  readonly name: string
  readonly text: string
  /** What its comment says; empty where it has none. */
  readonly words: string
}

interface Statement {
  readonly words: string
  readonly text: string
}

/** What a file declares, and where the other names in it come from. */
interface Declarations {
  readonly own: ReadonlyMap<string, Statement>
  /** Names that it imports or passes on, with the file and their name there. */
  readonly elsewhere: ReadonlyMap<string, readonly [file: string, name: string]>
  /** Files of which it passes on everything. */
  readonly stars: readonly string[]
  readonly exported: readonly string[]
}

const PARTS: readonly (readonly [title: string, isOfPart: RegExp])[] = [
  ['Functions', /^function /],
  ['Classes and values', /^(?:abstract class|class|const) /],
  ['Types', /^(?:interface|type) /],
]

function entriesOf(declared: readonly Declared[]): string[] {
  const sorted = [...declared].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  return sorted.flatMap(({ name, text, words }) => [
    `### ${name}`,
    '',
    ...(words === '' ? [] : [words, '']),
    '```ts',
    text,
    '```',
    '',
  ])
}

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
  const own = new Map<string, Statement>()
  const elsewhere = new Map<string, readonly [string, string]>()
  const [stars, exported]: [string[], string[]] = [[], []]
  const at = (specifier: string) => join(dirname(file), specifier).replace(/\.ts$/, '.d.ts')
  for (const { text: statement, words } of statementsOf(text)) {
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
      const plain = { words, text: statement.replace(/^export /, '').replace(/^declare /, '') }
      own.set(name, joined(own.get(name), plain))
      if (statement.startsWith('export')) exported.push(name)
    }
  }
  return { own, elsewhere, stars, exported: [...new Set(exported)] }
}

/** A function that is declared more than once. */
const joined = (before: Statement | undefined, next: Statement): Statement =>
  before === undefined
    ? next
    : {
        words: [before.words, next.words].filter(words => words !== '').join(' '),
        text: `${before.text}\n${next.text}`,
      }

/**
 * Whatever begins at the left margin begins a statement, but for what closes one; a comment there speaks of the next. Comments inside
 * of a declaration stay where they are.
 */
function statementsOf(text: string): Statement[] {
  const statements: { words: string; text: string }[] = []
  let words = ''
  const parts = text.replace(/^\/\/.*$/gm, '').split(/^(\/\*[\s\S]*?\*\/)$/m)
  for (const part of parts) {
    if (part.startsWith('/*')) {
      words = commentWords(part)
      continue
    }
    for (const line of part.split('\n').filter(each => each.trim() !== '')) {
      const goesOn = /^[\s}\])|&]/.test(line) && statements.length > 0
      if (goesOn) statements[statements.length - 1].text += `\n${line}`
      else {
        statements.push({ words, text: line })
        words = ''
      }
    }
  }
  return statements
}

const commentWords = (comment: string): string =>
  comment
    .replace(/^\/\*\*?|\*\/$/g, '')
    .replace(/^ *\* ?/gm, '')
    .replace(/\s+/g, ' ')
    .trim()

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
  const statement = own.get(name)
  if (statement !== undefined) return { key: `${file}:${name}`, file, name, ...statement }
  const passed = elsewhere.get(name)
  if (passed !== undefined) return look(...passed, files)
  return stars.map(star => look(star, name, files)).find(found => found !== undefined)
}

/** All that these declarations mention, and what that mentions. */
function reachable(keys: readonly string[], files: Map<string, Declarations>): Declared[] {
  const found = new Map<string, Declared>()
  const visit = (declared: Declared): void => {
    if (found.has(declared.key)) return
    found.set(declared.key, declared)
    for (const word of new Set(withoutComments(declared.text).match(/\b[A-Z]\w*/g))) {
      const mentioned = look(declared.file, word, files)
      if (mentioned !== undefined) visit(mentioned)
    }
  }
  for (const key of keys) {
    const [file, name] = key.split(':')
    visit(find(file, name, files))
  }
  return [...found.values()]
}

const withoutComments = (code: string): string => code.replace(/\/\*[\s\S]*?\*\//g, '')

const executed = process.argv[1]
if (executed !== undefined && realpathSync(executed) === fileURLToPath(import.meta.url)) {
  writeFileSync(fileURLToPath(new URL('../docs/api.md', import.meta.url)), apiPage())
}
