// What to do, in words, for everything that a monitor may have found.

import { describe, expect, it } from 'vitest'
import { advise } from '../../src/monitor/advice.ts'
import type { MonitorReport, WatchedGroup } from '../../src/monitor/facts.ts'

const overall = { gap: 0.01, low: -0.0213, high: 0.0404, from: '1', rows: 100 }
const everyone: WatchedGroup = { group: 'everyone', kind: 'everyone', overall, evidence: 0 }

const FACTS: MonitorReport = {
  ...{ modelHash: '', delta: 0.05, maxGap: 0, batches: 2, rows: 100, labelledBatches: 1, labelledRows: 50 },
  ...{ referenceRows: 10, alarm: false, groups: [everyone], searched: { groups: 0, columns: [] } },
  ...{ columns: [], advice: { refit: false, sentence: '' }, timeline: [] },
}

const drifted = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...{ column: `c${index}`, psi: 1, psiByChance: 0.1, alarm: '2' },
  }))

const off = (side: WatchedGroup['side'] & string): WatchedGroup => ({
  ...{ group: 'the young', kind: 'declared', overall, evidence: 9, alarm: '2', side },
})

describe('the advice', () => {
  it('says no more of a score without an alarm than its interval, rounded outwards', () => {
    expect(advise(FACTS)).toEqual({
      refit: false,
      sentence:
        'No reason to refit: after 50 rows with outcomes no group is surely off. That does not show that all are right: over everyone, outcomes less scores are -0.022 to 0.041 on average.',
    })
  })

  it('names columns that changed, the first five', () => {
    expect(advise({ ...FACTS, columns: drifted(1) }).sentence).toMatch(
      /But "c0" is surely not as in the reference/,
    )
    expect(advise({ ...FACTS, columns: drifted(7), labelledBatches: 0 }).sentence).toMatch(
      /^No outcome has come in yet.* But "c0", "c1", "c2", "c3" and "c4" and more are surely not/,
    )
  })

  it('says which way scores are off, for whom, or that it is not known for whom', () => {
    const sentence = (groups: readonly WatchedGroup[]) =>
      advise({ ...FACTS, alarm: true, raised: '2', groups }).sentence
    expect(sentence([off('low'), everyone])).toBe(
      'Refit on recent rows: scores are surely too low for the young (a false alarm ever has a chance of at most 0.05).',
    )
    expect(sentence([off('high'), off('low')])).toContain('too high for the young and 1 more group (')
    expect(sentence([off('both'), off('low'), off('low')])).toContain(
      'off, both ways, for the young and 2 more groups (',
    )
    expect(sentence([everyone])).toMatch(
      /^Refit, or look closer: it is sure since batch 2 that scores are off for some group, but/,
    )
  })
})
