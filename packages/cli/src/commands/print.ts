// Results on stdout.

export function printJson(document: unknown): void {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
}

/** Paragraphs with an empty line between them. */
export function printPage(paragraphs: readonly string[]): void {
  process.stdout.write(`${paragraphs.join('\n\n')}\n`)
}
