// Results on stdout. Whatever a name may hold, nothing but text and our own colours reaches the terminal.

import { isColourful } from '../terminal/view.ts'
import { visibleJson, visiblePage } from '../terminal/width.ts'

export function printJson(document: unknown): void {
  process.stdout.write(`${visibleJson(JSON.stringify(document, null, 2))}\n`)
}

/** Paragraphs with an empty line between them. */
export function printPage(paragraphs: readonly string[]): void {
  process.stdout.write(`${visiblePage(paragraphs.join('\n\n'), isColourful(process.stdout))}\n`)
}
