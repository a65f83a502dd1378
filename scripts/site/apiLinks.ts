// On the page of the API: every name in a declaration that has a heading of its own leads there.

import type { Rendered } from './markdown.ts'

export function linkTypes({ headings, html }: Rendered): string {
  const anchors = new Map(
    headings.filter(({ depth }) => depth === 3).map(({ anchor, text }) => [text, anchor]),
  )
  return html.replace(/<code>[\s\S]*?<\/code>/g, code =>
    // Tags stay as they are; only words between them are looked up.
    code.replace(/<[^>]*>|\b[A-Z]\w*/g, part => {
      const anchor = anchors.get(part)
      return anchor === undefined ? part : `<a href="#${anchor}">${part}</a>`
    }),
  )
}
