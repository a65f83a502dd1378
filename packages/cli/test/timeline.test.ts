// The timeline of a monitor in letters.

import type { MonitorReport } from '@featureboost/core'
import { describe, expect, it } from 'vitest'
import { layoutTimeline } from '../src/terminal/timeline.ts'
import { viewOf } from '../src/terminal/view.ts'

const view = (columns: number) => viewOf({ columns }, { ascii: true }, {})

/** Evidence as powers of ten; null where outcomes are not known. */
function drawn(evidence: readonly (number | null)[], columns = 90): string[] {
  const timeline = evidence.map((power, index) => ({
    ...{ batch: `d${index + 1}`, rows: 10, alarms: 0 },
    ...(power !== null && { evidence: power, gap: power / 100 }),
  }))
  return layoutTimeline({ delta: 0.05, timeline } as unknown as MonitorReport, view(columns)).split('\n')
}

describe('the timeline', () => {
  it('marks what is sure, leaves out what is not known, and says what is sure', () => {
    const lines = drawn([0, -0.4, null, 1.3, 9], 90)
    expect(lines.slice(0, 9)).toEqual([
      'Timeline: evidence that scores are off somewhere, after each batch',
      '       |    *',
      '       |',
      '       |',
      '  sure |-- --',
      '       |   o',
      '       |',
      '     1 |oo',
      '       +-----',
    ])
    expect(lines[9]).toBe('        d1 to d5')
    expect(lines.join(' ')).toContain('on a logarithmic scale; 20 is sure. Bars: how far')
    expect(lines.join(' ')).toContain('up to 0.090.')
  })

  it('shows the last batches where there is no room for all', () => {
    const lines = drawn(new Array<number>(200).fill(0.1), 60)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(60)
    expect(lines.find(line => line.includes('d149'))).toMatch(/^ {8}d149 +d200$/)
    expect(lines.join(' ')).toContain('148 earlier batches are not shown.')
  })
})
