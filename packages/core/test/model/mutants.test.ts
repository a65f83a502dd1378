// Thousands of mutated model files; scripts/mutate-models.ts tries a hundred thousand.

import { describe, expect, it } from 'vitest'
import { makeRandom } from '../../src/common/random.ts'
import { fitSmall, SMALL_KINDS } from './models.ts'
import { makeMutant } from './mutants.ts'
import { outcomeOf } from './survive.ts'

describe('a mutated model file', () => {
  it('is refused with a code, or loads as a well-formed model with another hash', async () => {
    const models = await Promise.all(SMALL_KINDS.map(fitSmall))
    const texts = models.map(model => model.toText())
    const random = makeRandom(7)
    const outcomes: Record<string, number> = {}
    for (let count = 0; count < 2400; count++) {
      const index = count % models.length
      const { how, text } = makeMutant(texts[index], texts, random)
      try {
        const outcome = outcomeOf(text, models[index])
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      } catch (error) {
        throw new Error(`mutant ${count} (${how})`, { cause: error })
      }
    }
    expect(outcomes.loaded).toBeGreaterThan(100)
    expect(outcomes.same).toBeGreaterThan(50)
    expect(outcomes.FB_MODEL_HASH).toBeGreaterThan(20)
    expect(outcomes.FB_MODEL_FORMAT).toBeGreaterThan(1000)
  })
})
