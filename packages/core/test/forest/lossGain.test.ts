// What one prediction gains over another, and when that is evidence against the other.

import { describe, expect, it } from 'vitest'
import { makeRandom } from '../../src/common/random.ts'
import { ONE } from '../../src/common/units.ts'
import { growForest, partsFor } from '../../src/forest/growForest.ts'
import type { NumberedForest } from '../../src/forest/growParts.ts'
import { evidenceAgainst, lossGain, rowWeightOf, shareBeyondLuck } from '../../src/forest/lossGain.ts'
import { drawForestRows, type Person } from '../support/groupRows.ts'

describe('the gain of one prediction over another', () => {
  it('is the difference of log losses, with its standard error', () => {
    const rows = { ...drawForestRows(500, 8), rowWeight: 1 }
    const after = rows.start.map(units => Math.round(0.9 * units + 0.05 * ONE))
    const loss = (label: number, units: number) => -Math.log(label === ONE ? units / ONE : 1 - units / ONE)
    const each = Array.from(
      after,
      (units, row) => loss(rows.label[row], rows.start[row]) - loss(rows.label[row], units),
    )
    const { gain, spread } = lossGain(rows, rows.start, after)
    expect(gain).toBeCloseTo(
      each.reduce((sum, one) => sum + one, 0),
      3,
    )
    expect(spread).toBeCloseTo(Math.sqrt(each.reduce((sum, one) => sum + one * one, 0)), 2)
    const some = lossGain(rows, rows.start, after, [1, 4])
    const others = lossGain(rows, rows.start, after, [0, 2, 3, 5])
    expect(some.gain + others.gain).toBeCloseTo(gain, 9)
    const weight = new Int32Array(500).fill(3)
    expect(lossGain({ ...rows, weight, rowWeight: 3 }, rows.start, after)).toEqual({ gain, spread })
  })
})

describe('evidence against a prediction', () => {
  it('has mean 0 and a standard error of 1 where that is the truth, however far the other strays', () => {
    for (const far of [0.02, 0.1]) {
      const found = Array.from({ length: 400 }, (_, draw) => {
        const rows = { ...drawForestRows(400, draw), rowWeight: 1 }
        const random = makeRandom(draw)
        const after = rows.start.map(units => Math.round(units + far * ONE * (random.next() - 0.5)))
        return evidenceAgainst(lossGain(rows, rows.start, after))
      })
      const mean = found.reduce((sum, one) => sum + one, 0) / found.length
      const square = found.reduce((sum, one) => sum + one * one, 0) / found.length
      expect(Math.abs(mean)).toBeLessThan(0.2)
      expect(Math.abs(Math.sqrt(square) - 1)).toBeLessThan(0.15)
    }
  })

  it('is there before a gain is: the other may be too bold', () => {
    const truth = ({ bins, score }: Person) => (bins[1] === 1 ? score + 0.08 : score)
    const rows = { ...drawForestRows(4000, 3, truth), rowWeight: 1 }
    const after = rows.start.map((units, row) => (rows.bins[1][row] === 1 ? units + 0.2 * ONE : units))
    const found = lossGain(rows, rows.start, after)
    expect(found.gain).toBeLessThan(0)
    expect(evidenceAgainst(found)).toBeGreaterThan(3)
    expect(evidenceAgainst(lossGain(rows, rows.start, rows.start))).toBe(0)
  })

  it('leaves, of what is kept, the share that is not luck: none of what hardly any evidence speaks for', () => {
    const shares = [0, 1, 3.3, 5, 10, 100].map(shareBeyondLuck)
    expect(shares).toEqual([...shares].sort((a, b) => a - b))
    expect(shares.slice(0, 2)).toEqual([0, 0])
    expect(shares[2]).toBeCloseTo(0.77, 2)
    expect(shares[5]).toBeCloseTo(1, 3)
    expect(shareBeyondLuck(-4)).toBe(0)
  })

  it('counts a row of weight 3 as one row where all weigh 3', () => {
    const rows = drawForestRows(50, 1)
    expect(rowWeightOf(rows)).toBe(1)
    expect(rowWeightOf({ ...rows, weight: new Int32Array(50).fill(3) })).toBe(3)
  })
})

const PARTS = partsFor(1500)

describe('few rows', () => {
  it('are learned from by two kinds of trees, and change nothing unless they contradict the score', async () => {
    const kept: number[] = []
    const log = { done: new Map(), save: async ({ part }: NumberedForest) => void kept.push(part) }
    const wrong = await growForest(
      drawForestRows(3000, 5, ({ bins, score }) => (bins[0] < 8 ? score + 0.12 : score), PARTS),
      { threads: 1, log },
    )
    expect(kept).toEqual(Array.from({ length: 2 * PARTS }, (_, forest) => forest))
    expect(wrong.proven).toBe(true)
    expect(wrong.apart.size).toBe(PARTS)
    let changed = 0
    for (let draw = 0; draw < 20; draw++) {
      const { proven, rounds } = await growForest(drawForestRows(1500, 100 + draw, undefined, PARTS), {
        threads: 1,
      })
      expect(proven).toBe(rounds > 0)
      if (proven) changed++
    }
    expect(changed).toBeLessThan(3)
  })

  it('keep trees of drawn cuts, unless all cuts predict clearly better: a value that stands out', async () => {
    const chosenFor = async (truth: (person: Person) => number) => {
      const grown: NumberedForest[] = []
      const log = { done: new Map(), save: async (forest: NumberedForest) => void grown.push(forest) }
      const { apart, rounds } = await growForest(drawForestRows(3000, 5, truth, PARTS), { threads: 1, log })
      const kept = apart.get(0)!.trees
      const from = grown.find(({ trees }) => trees[0] === kept[0])!
      expect(kept).toEqual(from.trees.slice(0, rounds))
      return from.part < PARTS ? 'drawn cuts' : 'all cuts'
    }
    expect(await chosenFor(({ bins, score }) => (bins[0] < 8 ? score + 0.12 : score))).toBe('drawn cuts')
    expect(await chosenFor(({ bins, score }) => (bins[0] === 3 ? 0.95 : score))).toBe('all cuts')
  })
})
