// The timeline of a monitor, drawn to text.

import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { describe, expect, it } from 'vitest'
import { MonitorView } from '../../src/views/monitor/MonitorView.tsx'
import { watched } from './evidences.ts'

function drawn(batches: number): string {
  const evidence = watched()
  const timeline = Array.from({ length: batches }, (_, index) => ({
    ...{ batch: `day ${index}`, rows: 10, gap: (index % 7) / 100, evidence: 0.1, alarms: 0 },
  }))
  return renderToString(
    h(MonitorView, { evidence: { ...evidence, report: { ...evidence.report, timeline } } }),
  )
}

/** A hollow circle is two arcs. */
const circles = (html: string): number => (html.match(/a(3|1\.5) \1 0 1 0 (6|3) 0/g) ?? []).length

describe('a timeline', () => {
  it('names every batch where there are few', () => {
    const html = drawn(30)
    expect(circles(html)).toBe(60)
    for (const word of ['day 0: ', 'day 29: ']) expect(html.split(`<title>${word}`).length).toBe(3)
  })

  it('draws thousands of batches with few elements, and each of them', () => {
    const html = drawn(5000)
    expect(circles(html)).toBe(5000)
    expect(html.match(/<path/g)!.length).toBeLessThan(10)
  })
})
