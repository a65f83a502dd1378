// A Vite plugin: the built template of the report, as text that the page can import. The page must work from file://, where
// nothing can be fetched, so the template is part of it.

import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const NAME = 'virtual:report-template'

export function reportTemplate(built: string): Plugin {
  return {
    name: 'report-template',
    resolveId: id => (id === NAME ? `\0${NAME}` : undefined),
    load: id =>
      id === `\0${NAME}` ? `export default ${JSON.stringify(readFileSync(built, 'utf8'))}` : undefined,
  }
}
