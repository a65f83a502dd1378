// What must not matter to a fit does not: the order of rows, how often they are counted, who holds the rows.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FeatureBoostError, type FitOptions, fit, tableFromRows } from '../../src/index.ts'
import type { ModelData } from '../../src/internal.ts'
import { roleArbitrary, sampleArbitrary, type UpdateClass, updateClassArbitrary } from './tables.ts'
import { watchEngines } from './watch.ts'

const optionsOf = (updateClass: UpdateClass): FitOptions => ({
  label: 'y',
  ...updateClass,
  method: 'rounds',
  stop: 'certificate',
  epsilon: 0.4,
  roundLimit: 2,
})

/** The text of the model, or the code it was refused with: both must not depend on what does not matter. */
const outcomeOf = (rows: readonly Record<string, unknown>[], options: FitOptions): Promise<string> =>
  fit(tableFromRows(rows), options).then(
    model => model.toText(),
    (error: unknown) => {
      if (error instanceof FeatureBoostError) return error.code
      throw error
    },
  )

const shuffledSample = sampleArbitrary(40).chain(({ rows }) =>
  fc.record({
    rows: fc.constant(rows),
    shuffled: fc.shuffledSubarray([...rows], { minLength: rows.length, maxLength: rows.length }),
  }),
)

describe('the order of rows', () => {
  it('does not change one byte of the model', async () => {
    await fc.assert(
      fc.asyncProperty(
        shuffledSample,
        roleArbitrary,
        updateClassArbitrary,
        async ({ rows, shuffled }, roles, each) => {
          const options = { ...optionsOf(each), ...roles }
          expect(await outcomeOf(shuffled, options)).toBe(await outcomeOf(rows, options))
        },
      ),
      { numRuns: 50 },
    )
  })

  it('does not change one byte with held-out rows either', async () => {
    await fc.assert(
      fc.asyncProperty(
        shuffledSample,
        roleArbitrary,
        updateClassArbitrary,
        async ({ rows, shuffled }, roles, each) => {
          const options: FitOptions = {
            ...optionsOf(each),
            ...roles,
            stop: 'validation',
            holdout: 0.4,
            patience: 2,
          }
          expect(await outcomeOf(shuffled, options)).toBe(await outcomeOf(rows, options))
        },
      ),
      { numRuns: 50 },
    )
  })
})

describe('a weight of two', () => {
  /** Everything but the two places that tell weights from copies. */
  const essence = ({ roles: _, certificate, ...data }: ModelData): string => {
    const { rowCount: __, ...rows } = certificate.rows
    return JSON.stringify({ ...data, certificate: { ...certificate, rows } })
  }

  it('equals the row twice, and a weight of none its absence', async () => {
    await fc.assert(
      fc.asyncProperty(
        sampleArbitrary(30),
        fc.boolean(),
        updateClassArbitrary,
        async ({ rows }, scored, each) => {
          // Linear terms are scaled by the range of all rows, so there none may weigh nothing.
          const weighted = rows.map(row => ({ ...row, weight: Number(row.weight) }))
          const copies = weighted.flatMap(row => new Array<typeof row>(row.weight).fill(row))
          const start = scored ? { prediction: 'score' } : {}
          const except = scored ? [] : ['score']
          const options = { ...optionsOf(each), ...start }
          const one = await fit(tableFromRows(weighted), { ...options, except, weight: 'weight' })
          const other = await fit(tableFromRows(copies), { ...options, except: [...except, 'weight'] })
          expect(essence(one.data)).toBe(essence(other.data))
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('the engine', () => {
  it('does not change the model, whoever wrote it', async () => {
    await fc.assert(
      fc.asyncProperty(sampleArbitrary(20), updateClassArbitrary, async ({ rows }, each) => {
        const options: FitOptions = { ...optionsOf(each), prediction: 'score' }
        const { engine } = watchEngines()
        expect(await outcomeOf(rows, { ...options, engine })).toBe(await outcomeOf(rows, options))
      }),
      { numRuns: 20 },
    )
  })
})
