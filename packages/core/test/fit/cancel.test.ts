// A fit that is cancelled ends with a code, wherever it is.

import { afterEach, describe, expect, it, vi } from 'vitest'
import { fit } from '../../src/index.ts'
import type { Round } from '../../src/internal.ts'
import { failureOf } from './failure.ts'
import { TO_CERTIFICATE as base, makePopulation } from './population.ts'
import { watchEngines } from './watch.ts'

const table = makePopulation()

afterEach(() => vi.restoreAllMocks())

describe('cancellation', () => {
  it('ends the fit with FB_ABORTED and closes the engine', async () => {
    const controller = new AbortController()
    const { engine, watch } = watchEngines()
    const onRound = () => controller.abort()
    const error = await failureOf(fit(table, { ...base, engine, onRound, signal: controller.signal }))
    expect(error.code).toBe('FB_ABORTED')
    expect(error.message).toContain('after 1 accepted rounds')
    expect(watch).toMatchObject({ made: 1, closed: 1 })
  })

  it.each(['forest-rounds', 'forest', 'rounds'] as const)(
    'is heard while one thread does all the work: %s',
    async method => {
      hurryClock()
      const many = makePopulation({ rows: 60_000, seed: 2 })
      const controller = new AbortController()
      const phases: string[] = []
      const onPhase = (phase: string) => {
        phases.push(phase)
        if (phase === 'boosting') setImmediate(() => controller.abort())
      }
      const options = { label: 'y', prediction: 'score', method, threads: 1, onPhase } as const
      const error = await failureOf(fit(many, { ...options, signal: controller.signal }))
      expect(error.code).toBe('FB_ABORTED')
      expect(phases[phases.length - 1]).toBe('boosting')
    },
  )

  it('before the start does no round at all', async () => {
    const heard: Round[] = []
    const signal = AbortSignal.abort()
    const error = await failureOf(fit(table, { ...base, signal, onRound: round => heard.push(round) }))
    expect(error.code).toBe('FB_ABORTED')
    expect(heard).toEqual([])
  })
})

/** A second passes with every look at the clock: work pauses wherever it may, however fast the machine is. */
function hurryClock(): void {
  let now = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000))
}
