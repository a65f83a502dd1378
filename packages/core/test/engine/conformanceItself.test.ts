// The conformance suite has teeth: engines that are wrong in one way each are caught, by the case that is about it.

import { describe, expect, it } from 'vitest'
import { CONFORMANCE, ConformanceError, type MakeTestedEngine } from '../../src/testing/index.ts'
import { WRONG_ENGINES, wrong } from './wrongEngines.ts'

const caseOf = (beginning: string) => CONFORMANCE.find(({ title }) => title.startsWith(beginning))!

async function failureOf(beginning: string, make: MakeTestedEngine): Promise<ConformanceError> {
  const failure: unknown = await caseOf(beginning)
    .check(make)
    .catch(error => error)
  expect(failure).toBeInstanceOf(ConformanceError)
  return failure as ConformanceError
}

describe('the conformance suite', () => {
  for (const [beginning, engines] of Object.entries(WRONG_ENGINES)) {
    describe(`catches in "${beginning} ..." an engine that`, () => {
      it.each(Object.entries(engines))('%s', async (_, make) => {
        const failure = await failureOf(beginning, make)
        const again = caseOf(beginning).check(make, { seed: failure.seed, count: 1 })
        await expect(again).rejects.toThrow(failure.message)
      })
    })
  }

  it('has no case that never caught anything', () => {
    expect(new Set(Object.keys(WRONG_ENGINES).map(caseOf))).toEqual(new Set(CONFORMANCE))
  })

  it('lets an engine pass that answers with sums only', async () => {
    const make = wrong(() => ({ snapshot: undefined as never, sample: undefined as never }))
    for (const { check } of CONFORMANCE) await check(make)
  })

  it('says which question was answered wrongly, in which cell, and how to repeat it', async () => {
    const make = wrong(engine => ({
      histogram: async request => {
        const answer = await engine.histogram(request)
        answer.counts[1]++
        return answer
      },
    }))
    const { message, seed } = await failureOf('sums weight and residual', make)
    expect(message).toMatch(
      /^an engine sums weight and residual in every \[feature, leaf, bin, level\] cell\. /,
    )
    expect(message).toMatch(/histogram\(\{"fold":[01],"levels":\d,"tree":.*\}\), counts of feature \d, /)
    expect(message).toMatch(/, leaf 0, (coarse )?bin \d, level \d: expected \d+, found \d+ /)
    expect(message).toContain(`check(make, { seed: ${seed}, count: 1 })`)
  })

  it('names values of levels, and hands on what an engine threw', async () => {
    for (const broken of [new TypeError('broken'), 'broken']) {
      const make = wrong(() => ({ jointHistogram: () => Promise.reject(broken) }))
      const failure = await failureOf('sums every cell of pairs', make)
      expect(failure.cause).toBe(broken)
      expect(failure.message).toContain('. broken (')
    }
    const ignoring = WRONG_ENGINES['sums every leaf and level']['ignores the values of levels: leaves']
    expect((await failureOf('sums every leaf and level', ignoring)).message).toMatch(/"levelValues":\[\d+/)
  })

  it('closes every engine, also of a round that fails', async () => {
    const open = new Set<object>()
    const make = wrong(engine => {
      const token = {}
      open.add(token)
      const close = async () => {
        open.delete(token)
        await engine.close()
      }
      return { close, fingerprint: async () => 'rows' }
    })
    await failureOf('has a fingerprint', make)
    expect(open.size).toBe(0)
  })
})
