// The blocks of code in a page of Markdown.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../site/pages.ts'

export interface Snippet {
  readonly page: string
  /** Where the code begins, counted from 1. */
  readonly line: number
  readonly code: string
}

const BLOCK = /(<!-- not run: .+? -->\n)?```(\w+)\n([\s\S]*?)```/g

/** Those of one language that are to be run; a comment above a block says why one is not. */
export function blocksOf(page: string, language: string): Snippet[] {
  const text = readFileSync(join(ROOT, page), 'utf8')
  return [...text.matchAll(BLOCK)].flatMap(({ 0: all, 1: reason, 2: of, 3: code, index }) => {
    if (reason !== undefined || of !== language) return []
    const line = text.slice(0, index + all.indexOf('\n')).split('\n').length + 1
    return [{ page, line, code }]
  })
}
