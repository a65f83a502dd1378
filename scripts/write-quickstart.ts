// The transcripts of docs/quickstart.md: runs the commands that the page shows, in an empty folder with adult.csv.gz, and puts
// what they print into the page. The test of the page runs the same commands on rows made up for it.

import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('../packages/cli/bin/featureboost.js', import.meta.url))
export const QUICKSTART = fileURLToPath(new URL('../docs/quickstart.md', import.meta.url))

/** Where the real table lies, if it is at hand. */
export const ADULT = join(
  process.env.FEATUREBOOST_DATA || fileURLToPath(new URL('../../shared/data', import.meta.url)),
  'adult.csv.gz',
)

export interface Transcript {
  /** As typed, without the prompt; a backslash at the end of a line goes on in the next. */
  readonly command: string
  readonly output: string
}

const BLOCK = /```console\n\$ ((?:.*\\\n)*.*\n)([\s\S]*?)```/g

export const readTranscripts = (page: string): Transcript[] =>
  [...page.matchAll(BLOCK)].map(([, command, output]) => ({ command: command.trimEnd(), output }))

/** Lines of 80 columns, as in the page, with progress left out. */
export function runTyped(command: string, folder: string): { status: number | null; output: string } {
  const [program, ...args] = command.replaceAll('\\\n', ' ').trim().split(/\s+/)
  if (program !== 'featureboost') throw new Error(`The page shows "${program}", which is not ours.`)
  const environment = { PATH: process.env.PATH, COLUMNS: '80', LANG: 'C.UTF-8' }
  const { status, stderr, stdout } = spawnSync(process.execPath, [PROGRAM, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: environment,
    timeout: 300_000,
  })
  if (status !== 0) throw new Error(`${command}\nends with code ${status}:\n${stderr}`)
  return { status, output: stdout }
}

/** Runs the commands of a page in the folder, and puts what they print into it. */
export function rewriteTranscripts(file: string, folder: string): void {
  const written = readFileSync(file, 'utf8').replace(BLOCK, (_, command: string) => {
    const { output } = runTyped(command, folder)
    return `\`\`\`console\n$ ${command}${output}\`\`\``
  })
  writeFileSync(file, written)
}

export function writeQuickstart(): void {
  const folder = mkdtempSync(join(tmpdir(), 'featureboost-quickstart-'))
  try {
    copyFileSync(ADULT, join(folder, 'adult.csv.gz'))
    rewriteTranscripts(QUICKSTART, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  if (existsSync(ADULT)) writeQuickstart()
  else
    console.log(
      `docs/quickstart.md stays as it is: there is no ${ADULT} (set FEATUREBOOST_DATA to its folder).`,
    )
}
