// The messages between the engine and its shards. A shard answers each in turn; errors cross as data.

import type { Failure } from '../../common/port.ts'
import { type KernelChoice, loadKernels } from '../../kernels/load.ts'
import type { Update } from '../../update/update.ts'
import type {
  HistogramRequest,
  JointHistogramRequest,
  LevelSumsRequest,
  MomentsRequest,
  PairSearchRequest,
  RowChunk,
} from '../engine.ts'
import type { ColumnRange } from '../fingerprint.ts'
import type { SampleRule } from '../sample.ts'
import { BufferPool } from './bufferPool.ts'
import { Shard } from './shard.ts'
import type { ShardShape } from './shardRows.ts'

export type ShardQuestion =
  | { readonly ask: 'open'; readonly shape: ShardShape; readonly kernels: KernelChoice }
  | { readonly ask: 'append'; readonly chunk: RowChunk }
  | { readonly ask: 'histogram'; readonly request: HistogramRequest }
  | { readonly ask: 'jointHistogram'; readonly request: JointHistogramRequest }
  | { readonly ask: 'searchPairs'; readonly request: PairSearchRequest }
  | { readonly ask: 'levelSums'; readonly request: LevelSumsRequest }
  | { readonly ask: 'moments'; readonly request: MomentsRequest }
  | { readonly ask: 'losses' }
  | { readonly ask: 'move'; readonly update: Update; readonly keep: boolean }
  | { readonly ask: 'reset' }
  | { readonly ask: 'snapshot' }
  | { readonly ask: 'sample'; readonly rule: SampleRule }
  | { readonly ask: 'fingerprint'; readonly columns: ColumnRange | undefined }

export interface Envelope {
  readonly id: number
  readonly question: ShardQuestion
  /** Buffers that answers may be written to. */
  readonly spares: readonly ArrayBuffer[]
}

export type Reply =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly failure: Failure }

/** Two answers of two arrays each: the one being read, and the one being made. */
export const SPARE_ANSWERS = 4

/** One shard and the loop that answers for it, in whatever thread. */
export function makeResponder(): (question: ShardQuestion, spares?: readonly ArrayBuffer[]) => unknown {
  let shard: Shard | undefined
  const pool = new BufferPool(SPARE_ANSWERS)
  return (question, spares = []) => {
    pool.give(spares)
    if (question.ask === 'open') {
      const { kernels, memory } = loadKernels(question.kernels)
      shard = new Shard(question.shape, memory, kernels, pool)
      return kernels.kind
    }
    return answer(shard!, question)
  }
}

function answer(shard: Shard, question: Exclude<ShardQuestion, { ask: 'open' }>): unknown {
  switch (question.ask) {
    case 'append':
      shard.append(question.chunk)
      return question.chunk
    case 'histogram':
      return shard.histogram(question.request)
    case 'jointHistogram':
      return shard.jointHistogram(question.request)
    case 'searchPairs':
      return shard.searchPairs(question.request)
    case 'levelSums':
      return shard.levelSums(question.request)
    case 'moments':
      return shard.moments(question.request)
    case 'losses':
      return shard.losses()
    case 'move':
      return shard.move(question.update, question.keep)
    case 'reset':
      return shard.reset()
    case 'snapshot':
      return shard.snapshot()
    case 'sample':
      return shard.sample(question.rule)
    case 'fingerprint':
      return shard.fingerprint(question.columns)
  }
}

/** The large arrays of a message, to be handed over instead of copied. */
export function transfersOf(value: unknown, found: ArrayBuffer[] = []): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) {
    const { buffer } = value
    if (buffer instanceof ArrayBuffer && buffer.byteLength > 1024 && !found.includes(buffer))
      found.push(buffer)
  } else if (typeof value === 'object' && value !== null) {
    for (const entry of Object.values(value)) transfersOf(entry, found)
  }
  return found
}
