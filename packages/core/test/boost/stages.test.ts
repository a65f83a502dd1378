// Rounds that were kept and are repeated: what of them has to be the same.

import { describe, expect, it } from 'vitest'
import { checkRepeated, checkUsedUp, type StageLog } from '../../src/boost/stages.ts'
import type { Round } from '../../src/boost/trace.ts'
import { rejectionOf } from '../data/rejection.ts'

const round = (number: number, losses = [0.25, 0.3]): Round => ({
  ...{ round: number, accepted: true, losses, drop: 0.1, gain: 0.1, words: '' },
  update: { kind: 'table', tree: { leaf: 0 }, levels: 1, values: [0] },
})

describe('a repeated round', () => {
  const check = (found: { accepted?: boolean; losses?: number[] }) =>
    checkRepeated({ name: 'rounds' }, round(3), { accepted: true, losses: [0.25, 0.3], ...found })

  it('ends at the very losses that it had, in every fold', () => {
    expect(() => check({})).not.toThrow()
    const others = [{ accepted: false }, { losses: [0.25] }, { losses: [0.25, 0.3, 0.3] }]
    for (const found of [...others, { losses: [0.25, 0.3 + 2 ** -53] }, { losses: [0.2, 0.3] }]) {
      const { code, message } = rejectionOf(() => check(found))
      expect(code).toBe('FB_CHECKPOINT_DAMAGED')
      expect(message).toContain('round 3 of rounds does not come out again')
    }
  })
})

describe('rounds that were kept', () => {
  it('are all asked for', () => {
    const log = (count: number): StageLog => ({
      ...{ name: 'rounds', done: Array.from({ length: count }, (_, index) => round(index + 1)) },
      save: async () => {},
    })
    expect(() => checkUsedUp(log(2), 2)).not.toThrow()
    expect(() => checkUsedUp(log(2), 3)).not.toThrow()
    expect(rejectionOf(() => checkUsedUp(log(3), 2)).message).toContain('round 3 of rounds')
    expect(rejectionOf(() => checkUsedUp(log(1), 0)).message).toContain('round 1 of rounds')
  })
})
