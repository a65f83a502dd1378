import { describe, expect, it } from 'vitest'
import type { Engine, EngineRows, JointHistogramRequest } from '../../src/engine/engine.ts'
import { referenceEngine } from '../../src/engine/reference/reference.ts'
import { rememberJoint } from '../../src/engine/remember.ts'
import { ROOT } from '../../src/update/update.ts'
import { passOn } from '../support/passOn.ts'

const ONE = 2 ** 24
const rows: EngineRows = {
  rowCount: 4,
  bins: [Uint8Array.of(0, 1, 0, 1), Uint8Array.of(0, 0, 1, 1)],
  binCounts: [3, 3],
  coarseOf: [Uint8Array.of(0, 1, 2), Uint8Array.of(0, 1, 2)],
  coarseCounts: [3, 3],
  signals: [],
  label: Int32Array.of(0, ONE, ONE, 0),
  start: new Int32Array(4).fill(ONE / 4),
  key: Int32Array.of(1, 2, 3, 4),
}

function watched(): { engine: Engine; asked: () => number; released: () => number } {
  const inner = referenceEngine(rows)
  let [asked, released] = [0, 0]
  const engine = rememberJoint({
    ...passOn(inner),
    jointHistogram: request => {
      asked++
      return inner.jointHistogram(request)
    },
    release: () => void released++,
  })
  return { engine, asked: () => asked, released: () => released }
}

const request: JointHistogramRequest = { fold: 0, levels: 2, pairs: [[0, 1]] }
const move = { kind: 'table', tree: ROOT, levels: 1, values: [ONE / 8] } as const

describe('an engine that remembers', () => {
  it('counts a question once, whether the label is named or not, and another question anew', async () => {
    const { asked, engine } = watched()
    const first = await engine.jointHistogram(request)
    expect(await engine.jointHistogram({ ...request, outcome: { kind: 'label' } })).toBe(first)
    expect(asked()).toBe(1)
    const others: Partial<JointHistogramRequest>[] = [
      { levels: 3 },
      { levelValues: Int32Array.of(1, 2) },
      { outcome: { kind: 'variance', noise: 'labels', shift: 0 } },
      { pairs: [[1, 0]] },
    ]
    for (const other of others) await engine.jointHistogram({ ...request, ...other })
    expect(asked()).toBe(5)
  })

  it('adds up over levels what it has counted level by level, and only that', async () => {
    const { asked, engine } = watched()
    await engine.jointHistogram(request)
    const whole = { ...request, levels: 1 }
    expect(await engine.jointHistogram(whole)).toEqual(await referenceEngine(rows).jointHistogram(whole))
    expect(asked()).toBe(1)
    // Not of level values, not of another outcome, not of the pair the other way round, not after a move.
    await engine.jointHistogram({ ...whole, levelValues: Int32Array.of(5) })
    await engine.jointHistogram({ ...whole, outcome: { kind: 'variance', noise: 'labels', shift: 0 } })
    await engine.jointHistogram({ ...whole, pairs: [[1, 0]] })
    expect(asked()).toBe(4)
    await engine.apply(move)
    const plain = referenceEngine(rows)
    await plain.apply(move)
    expect(await engine.jointHistogram(whole)).toEqual(await plain.jointHistogram(whole))
    expect(asked()).toBe(5)
  })

  it('adds up with the signs of levels, against the same values of levels', async () => {
    const { asked, engine } = watched()
    const plain = referenceEngine(rows)
    const levelValues = Int32Array.of(ONE / 8, ONE / 2)
    await engine.jointHistogram({ ...request, levelValues })
    for (const levelSigns of [Int32Array.of(1, -1), Int32Array.of(-1, 1), Int32Array.of(0, 1)]) {
      const signed = { ...request, levels: 1, levelValues, levelSigns }
      expect(await engine.jointHistogram(signed)).toEqual(await plain.jointHistogram(signed))
    }
    expect(asked()).toBe(1)
    // Not of other values, not of more levels, not where they were not counted with values.
    const levelSigns = Int32Array.of(1, -1)
    await engine.jointHistogram({ ...request, levels: 1, levelValues: Int32Array.of(3, 4), levelSigns })
    const three = { levelValues: Int32Array.of(1, 2, 3), levelSigns: Int32Array.of(1, 1, 1) }
    await engine.jointHistogram({ ...request, levels: 1, ...three })
    await engine.jointHistogram({ ...request, levels: 1, levelSigns })
    expect(asked()).toBe(4)
  })

  it('counts every draw, and gives back only what is not remembered', async () => {
    const { asked, engine, released } = watched()
    const drawn = { ...request, outcome: { kind: 'drawn', noise: 'labels', draw: 1 } } as const
    engine.release!(await engine.jointHistogram(drawn))
    engine.release!(await engine.jointHistogram(drawn))
    expect([asked(), released()]).toEqual([2, 2])
    engine.release!(await engine.jointHistogram(request))
    expect(released()).toBe(2)
  })

  it('forgets when predictions move', async () => {
    const { asked, engine } = watched()
    const before = await engine.jointHistogram(request)
    await engine.apply(move)
    expect((await engine.jointHistogram(request)).residuals).not.toEqual(before.residuals)
    await engine.reset()
    expect(await engine.jointHistogram(request)).toEqual(before)
    expect(asked()).toBe(3)
  })

  it('passes every other question on', async () => {
    const { engine } = watched()
    const plain = referenceEngine(rows)
    const trees = [ROOT]
    expect(await engine.levelSums({ fold: 0, levels: 1, trees })).toEqual(
      await plain.levelSums({ fold: 0, levels: 1, trees }),
    )
    const whole = { fold: 0, levels: 1, tree: ROOT, features: [0], resolution: 'fine' } as const
    expect(await engine.histogram(whole)).toEqual(await plain.histogram(whole))
    expect(await engine.moments({ fold: 0, levels: 1, signals: [] })).toEqual(
      await plain.moments({ fold: 0, levels: 1, signals: [] }),
    )
    expect(await engine.evaluate(move)).toEqual(await plain.evaluate(move))
    expect(await engine.losses()).toEqual(await plain.losses())
    expect(await engine.snapshot!()).toEqual(await plain.snapshot())
    expect(await engine.fingerprint()).toBe(await plain.fingerprint())
    await engine.close()
    await expect(engine.losses()).rejects.toThrow('closed')
  })
})
