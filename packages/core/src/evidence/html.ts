// The report: evidence put into its template. The template is one HTML file with scripts, styles and a strict policy; the
// evidence is data in it, and nothing of it can end the element that it stands in.

import { checkArgument, isObject } from '../data/given.ts'
import type { Evidence } from './evidence.ts'
import type { MonitorEvidence } from './monitorEvidence.ts'

const PLACE = /(<script type="application\/json" id="evidence">)"EVIDENCE"(?=<\/script>)/

/** Puts evidence into the page of a report, which is then complete: one HTML file. */
export function reportHtml(template: string, evidence: Evidence | MonitorEvidence): string {
  const isTemplate = typeof template === 'string' && PLACE.test(template)
  checkArgument('the template', template, isTemplate, 'the page of a report, with a place for evidence')
  checkArgument('the evidence', evidence, isObject(evidence), 'what collectEvidence gives')
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
