// The transcripts of docs/guides: runs the commands of each guide in an empty folder, in their order, and puts what they print into the
// page. Build first.
//
//   npx tsx scripts/write-guides.ts [first-audit ...]

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runTyped } from './write-quickstart.ts'

const GUIDES = fileURLToPath(new URL('../docs/guides', import.meta.url))

const BLOCK = /```(sh|console)\n((?:(?!```)[\s\S])*)```/g

/** What makes a file that a transcript needs; all else is left to scripts/check-docs.ts. */
const MAKES = /^featureboost (?:demo|fit) .*--(?:csv|out) /

function rewrite(name: string): void {
  const path = join(GUIDES, name)
  const page = readFileSync(path, 'utf8')
  if (!page.includes('```console')) return
  const folder = mkdtempSync(join(tmpdir(), 'featureboost-guide-'))
  try {
    const written = page.replace(BLOCK, (block, language: string, body: string) => {
      if (language === 'console') {
        const [command] = body.slice(2).split('\n')
        return `\`\`\`console\n$ ${command}\n${runTyped(command, folder).output}\`\`\``
      }
      for (const line of body.split('\n')) if (MAKES.test(line)) runTyped(line, folder)
      return block
    })
    writeFileSync(path, written)
    console.log(`docs/guides/${name}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const asked = process.argv.slice(2).map(name => `${name}.md`)
for (const name of readdirSync(GUIDES).sort()) if (asked.length === 0 || asked.includes(name)) rewrite(name)
