// The report: evidence put into its template. The template is one HTML file with scripts, styles and a strict policy; the
// evidence is data in it, and nothing of it can end the element that it stands in.

import type { Evidence } from './evidence.ts'

const PLACE = /(<script type="application\/json" id="evidence">)"EVIDENCE"(?=<\/script>)/

export function reportHtml(template: string, evidence: Evidence): string {
  if (!PLACE.test(template)) throw new Error('The template of the report has no place for evidence.')
  return template.replace(PLACE, (_, tag: string) => `${tag}${inScript(evidence)}`)
}

/**
 * JSON that is safe inside a script element: without <, > and &, none of which it needs outside of texts; and without what would steer a
 * terminal that shows the file.
 */
const inScript = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu,
    letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
