// Builds the pages of packages/studio, each into one HTML file, to where the command line finds them.

import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const studio = new URL('../packages/studio/', import.meta.url)

/** The template of the report first: the page has it inside. */
const ENTRIES = ['report.html', 'index.html']

for (const entry of ENTRIES) {
  const input = fileURLToPath(new URL(entry, studio))
  await build({
    configFile: fileURLToPath(new URL('vite.config.ts', studio)),
    logLevel: 'warn',
    build: { rolldownOptions: { input } },
  })
}
