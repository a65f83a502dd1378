// What goes wrong ends with a code: no hang, no orphan worker.

import { afterEach, describe, expect, it } from 'vitest'
import type { RowsShape } from '../../src/engine/engine.ts'
import { openMemoryEngine } from '../../src/engine/memory/memory.ts'
import { FeatureBoostError, fit, makeTable, memoryEngine, type Table } from '../../src/index.ts'
import { makeRandom } from '../../src/internal.ts'
import { ROOT } from '../../src/update/update.ts'

const failureOf = async (work: () => Promise<unknown>): Promise<FeatureBoostError> => {
  const error = await work().then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(FeatureBoostError)
  return error as FeatureBoostError
}

const SHAPE: RowsShape = {
  binCounts: [3],
  coarseOf: [Uint8Array.of(0, 1, 2)],
  coarseCounts: [3],
  signalCount: 0,
  weighted: false,
  folded: false,
}

const chunkOf = (rowCount: number) => ({
  rowCount,
  bins: [new Uint8Array(rowCount)],
  signals: [],
  label: new Int32Array(rowCount),
  start: new Int32Array(rowCount),
})

function largeTable(rows: number): Table {
  const random = makeRandom(1)
  const draw = () => Float64Array.from({ length: rows }, () => random.next())
  const [a, b, score] = [draw(), draw(), draw()]
  return makeTable({ a, b, score, y: score.map(value => (random.next() < value ? 1 : 0)) })
}

const OPTIONS = { label: 'y', prediction: 'score', epsilon: 0.1 } as const

const threads = process.getBuiltinModule('node:worker_threads')
const { Worker } = threads

/** Every worker started from now on. */
function watchWorkers(): InstanceType<typeof Worker>[] {
  const started: InstanceType<typeof Worker>[] = []
  const mutable = threads as { Worker: typeof Worker }
  mutable.Worker = class extends Worker {
    constructor(...args: ConstructorParameters<typeof Worker>) {
      super(...args)
      started.push(this)
    }
  }
  return started
}

/** A worker that has ended has no thread any more. */
const expectEnded = (started: readonly InstanceType<typeof Worker>[]) =>
  expect.poll(() => started.every(worker => worker.threadId < 0)).toBe(true)

afterEach(() => {
  const mutable = threads as { Worker: typeof Worker }
  mutable.Worker = Worker
})

describe('cancelling', () => {
  it('before the first row', async () => {
    const signal = AbortSignal.abort()
    const error = await failureOf(() => fit(largeTable(2000), { ...OPTIONS, threads: 2, signal }))
    expect(error.code).toBe('FB_ABORTED')
  })

  it('leaves nothing on a signal that outlives the engine', async () => {
    const { signal } = new AbortController()
    const { getEventListeners } = process.getBuiltinModule('node:events')
    const builder = await openMemoryEngine(SHAPE, { threads: 1, signal })
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    await builder.abandon()
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  it('while boosting ends the workers and the fit', async () => {
    const started = watchWorkers()
    const control = new AbortController()
    const error = await failureOf(() =>
      fit(largeTable(20_000), {
        ...OPTIONS,
        method: 'rounds',
        engine: memoryEngine({ threads: 2, signal: control.signal }),
        signal: control.signal,
        onRound: () => control.abort(),
      }),
    )
    expect(error.code).toBe('FB_ABORTED')
    expect(started).toHaveLength(2)
    await expectEnded(started)
  })

  it('while forests grow ends their workers, too', async () => {
    const started = watchWorkers()
    const control = new AbortController()
    const { signal } = control
    const engine = memoryEngine({ threads: 2, signal })
    const options = { ...OPTIONS, threads: 2, engine, signal, onTree: () => control.abort() }
    const error = await failureOf(() => fit(largeTable(20_000), options))
    expect(error.code).toBe('FB_ABORTED')
    expect(started.length).toBeGreaterThan(2)
    await expectEnded(started)
  })

  it('while the certificate is computed', async () => {
    const control = new AbortController()
    const make = memoryEngine({ threads: 2, signal: control.signal })
    const error = await failureOf(() =>
      fit(largeTable(5000), {
        ...OPTIONS,
        method: 'rounds',
        stop: 'certificate',
        roundLimit: 0,
        engine: async rows => {
          const engine = await make(rows)
          const reset = engine.reset.bind(engine)
          // Certification begins by going back to the start.
          engine.reset = async () => {
            await reset()
            control.abort()
          }
          return engine
        },
      }),
    )
    expect(error.code).toBe('FB_ABORTED')
  })

  it('in the middle of a question, and while rows come in', async () => {
    for (const during of ['append', 'question'] as const) {
      const control = new AbortController()
      const builder = await openMemoryEngine(SHAPE, { threads: 2, signal: control.signal })
      const error = await failureOf(async () => {
        await builder.append(chunkOf(200_000))
        if (during === 'append') setTimeout(() => control.abort(), 0)
        for (let i = 0; i < 20; i++) await builder.append(chunkOf(200_000))
        const engine = await builder.finish()
        setTimeout(() => control.abort(), 0)
        for (;;) await engine.levelSums({ fold: 0, levels: 5, trees: [ROOT] })
      })
      expect(error.code).toBe('FB_ABORTED')
    }
  })
})

describe('a worker that is lost', () => {
  it('fails the question under way and every later one, with a code', async () => {
    const started = watchWorkers()
    const builder = await openMemoryEngine(SHAPE, { threads: 2 })
    expect(started).toHaveLength(2)
    await builder.append(chunkOf(1000))
    await builder.append(chunkOf(1000))
    const engine = await builder.finish()
    const question = failureOf(async () => {
      for (;;) await engine.levelSums({ fold: 0, levels: 5, trees: [ROOT] })
    })
    await started[1].terminate()
    expect((await question).code).toBe('FB_WORKER')
    expect((await failureOf(() => engine.losses())).code).toBe('FB_WORKER')
    await expectEnded(started)
  })

  it('that throws says what happened', async () => {
    for (const threads of [1, 2]) {
      const builder = await openMemoryEngine(SHAPE, { threads })
      const broken = { ...chunkOf(10), bins: [undefined as unknown as Uint8Array] }
      const error = await failureOf(() => builder.append(broken))
      expect(error.code).toBe('FB_WORKER')
      await builder.abandon()
    }
  })
})

describe('a shard without memory', () => {
  it('says so with a code, in this thread and in a worker', async () => {
    const wide: RowsShape = {
      ...SHAPE,
      binCounts: new Array(5000).fill(3),
      coarseOf: new Array(5000).fill(Uint8Array.of(0, 1, 2)),
      coarseCounts: new Array(5000).fill(3),
    }
    for (const threads of [1, 2]) {
      const builder = await openMemoryEngine(wide, { threads })
      const chunk = { ...chunkOf(1), bins: new Array(5000).fill(new Uint8Array(1)) }
      const error = await failureOf(() => builder.append(chunk))
      expect(error.code).toBe('FB_MEMORY')
      expect(error.message).toContain('MiB')
      await builder.abandon()
    }
  })
})

describe('an engine that is closed while idle', () => {
  it('lets the process end: its workers are gone', async () => {
    const started = watchWorkers()
    const builder = await openMemoryEngine(SHAPE, { threads: 3 })
    const engine = await builder.finish()
    await engine.close()
    await engine.close()
    expect(started).toHaveLength(3)
    await expectEnded(started)
    expect((await failureOf(() => engine.snapshot())).code).toBe('FB_ENGINE_CLOSED')
  })

  it('keeps a small table in this thread by itself', async () => {
    const engine = await memoryEngine()({
      ...chunkOf(5),
      binCounts: SHAPE.binCounts,
      coarseOf: SHAPE.coarseOf,
      coarseCounts: SHAPE.coarseCounts,
    })
    expect((engine as unknown as { shardCount: number }).shardCount).toBe(1)
    await engine.close()
  })
})
