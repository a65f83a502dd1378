// Runs every command of README.md and of the pages in docs and docs/guides, in their order, in an empty clone of this repository at HEAD. What a page names
// has to be made by an earlier command of the page. A block of commands that cannot be run says why in the line above it:
//
//   <!-- not run: needs the data sets -->
//
//   npx tsx scripts/check-docs.ts
//
// A command ends with code 0, or with the one that its comment names ("# code 4 if ..."). The studio is started, asked for its page once (serve: for its health),
// and ended. Asks the package registry, as `npm ci` does.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const LIMIT = 5 * 60_000

interface Block {
  readonly page: string
  readonly commands: readonly string[]
  /** Why it is not run. */
  readonly reason?: string
}

/** Those that others build on first: the quickstart puts `featureboost` on the path. */
function pagesOf(root: string): string[] {
  const first = ['README.md', 'docs/quickstart.md']
  const docs = ['docs', 'docs/guides'].flatMap(folder =>
    readdirSync(join(root, folder))
      .filter(name => name.endsWith('.md'))
      .map(name => `${folder}/${name}`),
  )
  return [...first, ...docs.filter(page => !first.includes(page)).sort()]
}

const BLOCK = /(?:<!-- not run: (.+?) -->\n)?```(sh|console)\n([\s\S]*?)```/g

function blocksOf(page: string, text: string): Block[] {
  return Array.from(text.matchAll(BLOCK), ([, reason, language, body]) => ({
    page,
    commands: commandsOf(body, language === 'console'),
    ...(reason !== undefined && { reason }),
  }))
}

/** A backslash goes on in the next line; of a transcript only what is typed counts. */
function commandsOf(body: string, isTranscript: boolean): string[] {
  const lines = body.replaceAll('\\\n', ' ').split('\n')
  const typed = isTranscript ? lines.filter(line => line.startsWith('$ ')).map(line => line.slice(2)) : lines
  return typed.map(line => line.trim()).filter(line => line !== '' && !line.startsWith('#'))
}

interface Place {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
}

function run({ env, folder }: Place, command: string): void {
  const { error, status, stderr, stdout } = spawnSync('bash', ['-c', command], {
    cwd: folder,
    env,
    encoding: 'utf8',
    timeout: LIMIT,
    maxBuffer: 2 ** 28,
  })
  const [, allowed] = /# code (\d+) /.exec(command) ?? []
  if (status === 0 || (status !== null && String(status) === allowed)) return
  throw new Error(`${command}\nends with ${error ?? status}:\n${stdout.slice(-2000)}${stderr.slice(-2000)}`)
}

const isServer = (command: string): boolean => /\bfeatureboost (studio|serve)\b(?!.*--help)/.test(command)

/** Started in a group of its own, so that all of it can be ended. */
async function askServer({ env, folder }: Place, command: string): Promise<void> {
  const child = spawn('bash', ['-c', command], { cwd: folder, env, detached: true })
  try {
    const address = await firstLine(child)
    const { status } = await fetch(/\bserve\b/.test(command) ? `${address}/health` : address)
    if (status !== 200) throw new Error(`${command}\nanswers with ${status} at ${address}`)
  } finally {
    process.kill(-child.pid!, 'SIGTERM')
  }
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let heard = ''
    const timer = setTimeout(() => reject(new Error(`No address was printed: ${heard}`)), 60_000)
    child.stdout!.on('data', data => {
      heard += data
      if (!heard.includes('\n')) return
      clearTimeout(timer)
      resolve(heard.split('\n')[0])
    })
    child.on('close', code => reject(new Error(`The server ended with ${code}: ${heard}`)))
  })
}

/** What earlier pages made is removed: every page stands by itself, once all is installed and built. */
function tidy(place: Place): void {
  const kept = ['node_modules', 'dist', '*.generated.ts'].map(name => `-e '${name}'`)
  run(place, `git clean -fdxq ${kept.join(' ')}`)
}

async function runPage(place: Place, blocks: readonly Block[]): Promise<number> {
  let count = 0
  for (const command of blocks.flatMap(({ commands, reason }) => (reason === undefined ? commands : []))) {
    const started = performance.now()
    if (isServer(command)) await askServer(place, command)
    else run(place, command)
    console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${command}`)
    count++
  }
  return count
}

async function main(): Promise<void> {
  const started = performance.now()
  const home = mkdtempSync(join(tmpdir(), 'featureboost-docs-'))
  const folder = join(home, 'clone')
  // What is linked goes here, and not into the machine's own folders.
  const prefix = join(home, 'prefix')
  const env = {
    ...process.env,
    npm_config_prefix: prefix,
    PATH: `${join(prefix, 'bin')}:${process.env.PATH}`,
    NO_COLOR: '1',
  }
  try {
    run({ folder: home, env }, `git clone --quiet --depth 1 'file://${ROOT}' clone`)
    let [count, left] = [0, 0]
    for (const page of pagesOf(folder)) {
      const blocks = blocksOf(page, readFileSync(join(folder, page), 'utf8'))
      if (blocks.length === 0) continue
      console.log(page)
      tidy({ folder, env })
      count += await runPage({ folder, env }, blocks)
      for (const { commands, reason } of blocks) {
        if (reason === undefined) continue
        left++
        console.log(`not run, ${reason}: ${commands[0]}${commands.length > 1 ? ' ...' : ''}`)
      }
    }
    const seconds = ((performance.now() - started) / 1000).toFixed(0)
    console.log(`${count} commands ran as they are written, ${left} blocks were not run: ${seconds} s`)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

await main()
