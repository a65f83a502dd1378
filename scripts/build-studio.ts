// Builds the pages of packages/studio, each into one HTML file, to where the command line finds them.

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const studio = new URL('../packages/studio/', import.meta.url)

/** The page, and the template of the report. */
const ENTRIES = ['index.html', 'report.html']

for (const entry of ENTRIES) {
  const input = fileURLToPath(new URL(entry, studio))
  if (!existsSync(input)) continue
  await build({
    configFile: fileURLToPath(new URL('vite.config.ts', studio)),
    logLevel: 'warn',
    build: { rolldownOptions: { input } },
  })
}
