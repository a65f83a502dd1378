// A model file changed and sealed again, by what FORMAT.md says of the hash alone.

import { createHash } from 'node:crypto'

// biome-ignore lint/suspicious/noExplicitAny: the contents of a model file, to be changed anywhere.
export function forge(text: string, change: (contents: any) => void): string {
  const { hash: _, ...contents } = JSON.parse(text)
  change(contents)
  const hash = createHash('sha256').update(canonical(contents), 'utf8').digest('hex')
  return JSON.stringify({ ...contents, hash })
}

/** Keys sorted by code units, no spaces. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(',')}}`
}
