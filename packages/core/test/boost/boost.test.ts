import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Boosted, type BoostOptions, boost, replay } from '../../src/boost/boost.ts'
import { shrinkUpdate } from '../../src/boost/shrink.ts'
import { certificateStop, type StopRule, validationStop } from '../../src/boost/stopping.ts'
import type { Round } from '../../src/boost/trace.ts'
import { functions, trees } from '../../src/classes/auditors.ts'
import type { FactorKind } from '../../src/classes/factors.ts'
import { FIT, HOLDOUT, meanLoss } from '../../src/engine/engine.ts'
import type { Oracle, Proposal } from '../../src/oracle/oracle.ts'
import { ROOT, type Update } from '../../src/update/update.ts'
import { expectAtMost, expectClose } from '../support/close.ts'
import { failureOf } from '../support/failure.ts'
import { naiveMoved } from '../support/naive.ts'
import { oracleFor, proposeFor } from '../support/propose.ts'
import { type Prepared, prepare, type SmallTable, tablesArbitrary } from '../support/tables.ts'

const LEVELS = 3
/** What rounding the moves to units can cost of the loss. */
const ROUNDING = 2 ** -24
const anyTolerance = fc.double({ min: 0.002, max: 0.3, noNaN: true })
const anyFactors = fc.constantFrom<FactorKind>('constant', 'intervals', 'level-sets', 'table')

const prepareStumps = (table: SmallTable, factors: FactorKind = 'table') =>
  prepare(table, trees({ depth: 1 }), factors)

/** Counts the calls that it passes on. */
function counting(oracle: Oracle): Oracle & { calls: number } {
  return {
    kind: oracle.kind,
    calls: 0,
    propose(engine, fold) {
      this.calls++
      return oracle.propose(engine, fold)
    },
  }
}

function boostOn(
  prepared: Prepared,
  options: Partial<BoostOptions> & Pick<BoostOptions, 'stop'>,
): Promise<Boosted> {
  return boost(prepared.engine, {
    oracle: oracleFor(prepared, LEVELS),
    learningRate: 1,
    roundLimit: 1000,
    describe: () => '',
    ...options,
  })
}

/** Predictions after these updates, row by row. */
const predictionsAfter = ({ rows }: Prepared, updates: readonly Update[]): number[] =>
  Array.from(rows.start, (start, row) =>
    updates.reduce((prediction, update) => naiveMoved(update, rows, row, prediction), start),
  )

const lossOf = async ({ engine }: Prepared, fold = FIT): Promise<number> =>
  meanLoss((await engine.losses())[fold])

describe('Algorithm 1 with an exact oracle', () => {
  it('accepts every round that drops the loss by alpha - tau, and rejects the first that does not', async () => {
    const slacks = fc.double({ min: 0, max: 0.9, noNaN: true })
    const property = fc.asyncProperty(
      tablesArbitrary(),
      anyFactors,
      anyTolerance,
      slacks,
      async (table, factors, alpha, share) => {
        const prepared = prepareStumps(table, factors)
        const tau = share * alpha
        const { trace, updates } = await boostOn(prepared, { stop: certificateStop(alpha, tau, 1) })
        const accepted = trace.rounds.slice(0, -1)
        const rejected = trace.rounds[trace.rounds.length - 1]
        let before = trace.startLosses[FIT]
        for (const round of trace.rounds) {
          expect(round.drop).toBe(before - round.losses[FIT])
          before = round.losses[FIT]
        }
        for (const round of accepted) expect(round.drop).toBeGreaterThanOrEqual(alpha - tau)
        expect(rejected.drop).toBeLessThan(alpha - tau)
        expect(trace.rounds.map(round => round.accepted)).toEqual([...accepted.map(() => true), false])
        expect(trace.rounds.map(round => round.round)).toEqual(trace.rounds.map((_, index) => index + 1))
        expect(updates).toEqual(accepted.map(round => round.update))
        expect(trace).toMatchObject({ stopReason: 'tolerance', keptCount: accepted.length })
      },
    )
    await fc.assert(property)
  })

  it('outputs the predictions before the rejected round', async () => {
    const property = fc.asyncProperty(
      tablesArbitrary(),
      anyFactors,
      anyTolerance,
      async (table, factors, alpha) => {
        const prepared = prepareStumps(table, factors)
        const { trace, updates } = await boostOn(prepared, { stop: certificateStop(alpha, 0, 1) })
        expect(Array.from(await prepared.engine.snapshot())).toEqual(predictionsAfter(prepared, updates))
        const kept = [trace.startLosses, ...trace.rounds.map(round => round.losses)][updates.length]
        expect(await lossOf(prepared)).toBe(kept[FIT])
      },
    )
    await fc.assert(property)
  })

  it('accepts at most floor(L(f_0) / (alpha - tau)) rounds and asks the oracle once more', async () => {
    const property = fc.asyncProperty(tablesArbitrary(), anyTolerance, async (table, alpha) => {
      const prepared = prepareStumps(table)
      const oracle = counting(oracleFor(prepared, LEVELS))
      const tau = alpha / 4
      const { trace, updates } = await boostOn(prepared, { oracle, stop: certificateStop(alpha, tau, 1) })
      expect(updates.length).toBeLessThanOrEqual(Math.floor(trace.startLosses[FIT] / (alpha - tau)))
      expect(oracle.calls).toBe(updates.length + 1)
    })
    await fc.assert(property)
  })

  it('leaves nothing in the class that gains alpha', async () => {
    const property = fc.asyncProperty(
      tablesArbitrary(),
      anyFactors,
      anyTolerance,
      async (table, factors, alpha) => {
        const prepared = prepareStumps(table, factors)
        await boostOn(prepared, { stop: certificateStop(alpha, 0, 1) })
        expectAtMost((await proposeFor(prepared, LEVELS)).gain, alpha)
      },
    )
    await fc.assert(property)
  })

  it('tells of every round as it goes, in words, with what the oracle promised', async () => {
    const property = fc.asyncProperty(tablesArbitrary(), anyTolerance, async (table, alpha) => {
      const prepared = prepareStumps(table)
      const told: Round[] = []
      const { trace } = await boostOn(prepared, {
        stop: certificateStop(alpha, 0, 1),
        describe: proposal => `${proposal.update.kind} of ${proposal.update.levels}`,
        onRound: round => told.push(round),
      })
      expect(told).toEqual(trace.rounds)
      for (const round of trace.rounds) {
        expect(round.words).toBe('table of 3')
        expect(round.slack).toBe(0)
        expectAtMost(round.gain, round.drop)
      }
    })
    await fc.assert(property, { numRuns: 30 })
  })

  it('tells of every round which drop was asked for, where that is the rule', async () => {
    const [table] = fc.sample(tablesArbitrary({ folds: true }), { numRuns: 1, seed: 4 })
    const roundsOf = async (stop: StopRule) => (await boostOn(prepareStumps(table), { stop })).trace.rounds
    for (const round of await roundsOf(certificateStop(0.01, 0.004, 1)))
      expect(round.leastDrop).toBe(0.01 - 0.004)
    const rounds = await roundsOf(validationStop(1))
    expect(rounds.length).toBeGreaterThan(0)
    for (const round of rounds) expect(round).not.toHaveProperty('leastDrop')
  })

  it('knows no slack where the oracle knows none', async () => {
    const [table] = fc.sample(tablesArbitrary(), { numRuns: 1, seed: 4 })
    const prepared = prepareStumps(table)
    const oracle = oracleFor(prepared, LEVELS, { search: 'greedy' })
    const { trace } = await boostOn(prepared, { oracle, stop: certificateStop(0.01, 0, 1) })
    for (const round of trace.rounds) expect(round).not.toHaveProperty('slack')
  })
})

describe('the round limit', () => {
  it('ends boosting after that many accepted rounds, with nothing rejected', async () => {
    const property = fc.asyncProperty(
      tablesArbitrary(),
      fc.integer({ min: 0, max: 3 }),
      async (table, roundLimit) => {
        const [limited, free] = [prepareStumps(table), prepareStumps(table)]
        const oracle = counting(oracleFor(limited, LEVELS))
        const options = { stop: certificateStop(0.001, 0, 1) }
        const { trace, updates } = await boostOn(limited, { ...options, oracle, roundLimit })
        const all = await boostOn(free, options)
        expect(updates).toEqual(all.updates.slice(0, roundLimit))
        const cut = all.updates.length >= roundLimit
        expect(trace.stopReason).toBe(cut ? 'round limit' : 'tolerance')
        expect(oracle.calls).toBe(cut ? roundLimit : all.updates.length + 1)
        expect(Array.from(await limited.engine.snapshot())).toEqual(predictionsAfter(limited, updates))
      },
    )
    await fc.assert(property)
  })
})

describe('cancelling', () => {
  const [table] = fc.sample(tablesArbitrary({ maxRows: 40 }), { numRuns: 1, seed: 8 })

  it('takes effect between rounds', async () => {
    const signal = { aborted: false }
    const oracle = counting(oracleFor(prepareStumps(table), LEVELS))
    const cancelled = boostOn(prepareStumps(table), {
      oracle,
      stop: { judge: () => undefined, kept: count => count },
      signal,
      onRound: round => {
        if (round.round === 2) signal.aborted = true
      },
    })
    const failure = await failureOf(cancelled)
    expect(failure.code).toBe('FB_ABORTED')
    expect(failure.message).toContain('cancelled during boosting, after 2 accepted rounds.')
    expect(oracle.calls).toBe(2)
  })

  it('before the start asks the oracle nothing', async () => {
    const prepared = prepareStumps(table)
    const oracle = counting(oracleFor(prepared, LEVELS))
    const stop = certificateStop(0.01, 0, 1)
    const failure = await failureOf(boostOn(prepared, { oracle, stop, signal: { aborted: true } }))
    expect(failure.code).toBe('FB_ABORTED')
    expect(oracle.calls).toBe(0)
  })
})

describe('a learning rate', () => {
  const anyRate = fc.double({ min: 0.05, max: 1, noNaN: true })

  it('makes every accepted round gain at least r(2 - r)(alpha - tau), and the full step at the end less than alpha - tau', async () => {
    const property = fc.asyncProperty(
      tablesArbitrary(),
      anyFactors,
      anyTolerance,
      anyRate,
      async (table, factors, alpha, rate) => {
        const prepared = prepareStumps(table, factors)
        const tau = alpha / 5
        const stop = certificateStop(alpha, tau, rate)
        const { trace } = await boostOn(prepared, { stop, learningRate: rate })
        const threshold = rate * (2 - rate) * (alpha - tau)
        for (const round of trace.rounds) {
          if (round.accepted) expect(round.drop).toBeGreaterThanOrEqual(threshold * (1 - 1e-12))
          else expect(round.drop).toBeLessThan(threshold * (1 + 1e-12))
          // Up to the rounding of moves to units, a step of r gains r(2 - r) of the full step, and clipping only adds to it.
          expectAtMost(rate * (2 - rate) * round.gain, round.drop + ROUNDING)
        }
        const left = (await proposeFor(prepared, LEVELS)).gain
        expectAtMost(left, alpha - tau + ROUNDING / (rate * (2 - rate)))
      },
    )
    await fc.assert(property)
  })

  it('shrinks the updates that are applied, written down and described', async () => {
    const property = fc.asyncProperty(tablesArbitrary(), anyRate, async (table, rate) => {
      const prepared = prepareStumps(table)
      const described: Update[] = []
      const first = (await proposeFor(prepared, LEVELS)).update
      const describe = ({ update }: Proposal) => {
        described.push(update)
        return ''
      }
      const stop = certificateStop(0.01, 0, rate)
      const { trace, updates } = await boostOn(prepared, { stop, learningRate: rate, describe })
      expect(trace.rounds[0].update).toEqual(shrinkUpdate(first, rate))
      expect(described).toEqual(trace.rounds.map(round => round.update))
      expect(Array.from(await prepared.engine.snapshot())).toEqual(predictionsAfter(prepared, updates))
    })
    await fc.assert(property, { numRuns: 50 })
  })
})

describe('a smaller step', () => {
  it('has every move times the rate, in whole units', () => {
    const update: Update = { kind: 'table', tree: ROOT, levels: 4, values: [100, -101, 1, -1] }
    expect(shrinkUpdate(update, 0.5)).toEqual({ ...update, values: [50, -50, 1, 0] })
    expect(shrinkUpdate(update, 0.3)).toEqual({ ...update, values: [30, -30, 0, 0] })
  })

  it('of a linear update has every coefficient times the rate', () => {
    const update: Update = { kind: 'linear', signals: [0, 1], levels: 1, coefficients: [0.5, -2] }
    expect(shrinkUpdate(update, 0.25)).toEqual({ ...update, coefficients: [0.125, -0.5] })
  })

  it('at rate 1 is the same update', () => {
    const update: Update = { kind: 'table', tree: ROOT, levels: 1, values: [7] }
    expect(shrinkUpdate(update, 1)).toBe(update)
  })
})

describe('stopping by validation', () => {
  const anyPatience = fc.integer({ min: 0, max: 4 })
  const folded = tablesArbitrary({ folds: true })

  it('keeps the rounds up to the lowest held-out loss and leaves the engine there', async () => {
    const property = fc.asyncProperty(folded, anyPatience, async (table, patience) => {
      const prepared = prepareStumps(table)
      const { trace, updates } = await boostOn(prepared, {
        stop: validationStop(patience),
        learningRate: 0.5,
      })
      const accepted = trace.rounds.filter(round => round.accepted)
      const losses = [trace.startLosses, ...accepted.map(round => round.losses)].map(each => each[HOLDOUT])
      expect(trace.keptCount).toBe(losses.indexOf(Math.min(...losses)))
      expect(updates).toEqual(accepted.slice(0, trace.keptCount).map(round => round.update))
      expect(Array.from(await prepared.engine.snapshot())).toEqual(predictionsAfter(prepared, updates))
      expect(await lossOf(prepared, HOLDOUT)).toBe(Math.min(...losses))
    })
    await fc.assert(property)
  })

  it('tolerates as many rounds without a new low as there is patience, and rejects the next', async () => {
    const property = fc.asyncProperty(folded, anyPatience, async (table, patience) => {
      const prepared = prepareStumps(table)
      const { trace } = await boostOn(prepared, { stop: validationStop(patience), learningRate: 0.5 })
      const since = trace.rounds.length - trace.keptCount
      if (trace.stopReason === 'validation') expect(since).toBe(patience + 1)
      else expect(since).toBeLessThanOrEqual(patience + 1)
    })
    await fc.assert(property)
  })

  it('ends with nothing to gain when the fitting loss falls no more', async () => {
    const property = fc.asyncProperty(folded, async table => {
      const rows = table.rows.map(row => (row.fold === 'fit' ? { ...row, score: row.label } : row))
      const prepared = prepareStumps({ ...table, rows })
      const { trace, updates } = await boostOn(prepared, { stop: validationStop(10) })
      expect(trace).toMatchObject({ stopReason: 'nothing to gain', keptCount: 0 })
      expect(trace.rounds.length).toBe(1)
      expect(updates).toEqual([])
    })
    await fc.assert(property, { numRuns: 30 })
  })

  it('counts the start as the first low', () => {
    const stop = validationStop(0)
    expect(stop.judge({ before: [1, 0.5], after: [0.9, 0.6] })).toBe('validation')
    expect(stop.kept(0)).toBe(0)
  })

  it('is patient anew after every new low', () => {
    const stop = validationStop(1)
    const judge = (before: number, after: number, holdout: number) =>
      stop.judge({ before: [before, 1], after: [after, holdout] })
    expect(judge(1, 0.9, 1.1)).toBeUndefined()
    expect(judge(0.9, 0.8, 0.9)).toBeUndefined()
    expect(judge(0.8, 0.7, 0.9)).toBeUndefined()
    expect(judge(0.7, 0.6, 0.95)).toBe('validation')
    expect(stop.kept(3)).toBe(2)
  })
})

describe('stopping by the certificate', () => {
  it('accepts a drop of exactly alpha - tau and rejects any smaller one', () => {
    const stop = certificateStop(0.5, 0.25, 1)
    expect(stop.judge({ before: [1], after: [0.75] })).toBeUndefined()
    expect(stop.judge({ before: [1], after: [0.75 + 2 ** -52] })).toBe('tolerance')
    expect(stop.kept(7)).toBe(7)
  })

  it('asks less of a smaller step', () => {
    const stop = certificateStop(0.5, 0, 0.5)
    expect(stop.judge({ before: [1], after: [1 - 0.375] })).toBeUndefined()
    expect(stop.judge({ before: [1], after: [1 - 0.374] })).toBe('tolerance')
  })
})

describe('replaying', () => {
  it('brings an engine to the predictions after the updates, wherever it stood', async () => {
    const property = fc.asyncProperty(tablesArbitrary(), async table => {
      const prepared = prepareStumps(table)
      const { updates } = await boostOn(prepared, { stop: certificateStop(0.005, 0, 1) })
      const half = updates.slice(0, Math.ceil(updates.length / 2))
      await replay(prepared.engine, half)
      expect(Array.from(await prepared.engine.snapshot())).toEqual(predictionsAfter(prepared, half))
    })
    await fc.assert(property)
  })
})

describe('boosting with real-valued auditors', () => {
  it('lowers the loss by what the trace says and stops where no function gains the tolerance', async () => {
    const auditors = functions({ belongs: row => (row.member === null ? 0 : row.member ? 1 : -0.5) })
    const property = fc.asyncProperty(tablesArbitrary(), anyTolerance, async (table, alpha) => {
      const prepared = prepare(table, auditors, 'weighted')
      const { trace, updates } = await boostOn(prepared, { stop: certificateStop(alpha, 0, 1) })
      const drops = trace.rounds.filter(round => round.accepted).map(round => round.drop)
      expectClose(
        trace.startLosses[FIT] - drops.reduce((total, drop) => total + drop, 0),
        await lossOf(prepared),
      )
      expect(Array.from(await prepared.engine.snapshot())).toEqual(predictionsAfter(prepared, updates))
      expectAtMost((await proposeFor(prepared, LEVELS)).gain, alpha + ROUNDING)
    })
    await fc.assert(property)
  })
})
