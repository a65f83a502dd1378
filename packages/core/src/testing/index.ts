// @featureboost/core/testing: for whoever writes an engine: the questions, rows as engines take them, and what it is tested with, in
// any test runner.

export type {
  Engine,
  EngineRows,
  LocalEngine,
  MakeEngine,
  Outcome,
  RowChunk,
  RowSource,
} from '../engine/engine.ts'
export type {
  EngineShape,
  FoldLoss,
  Histogram,
  HistogramRequest,
  JointHistogramRequest,
  LevelMoments,
  LevelSums,
  LevelSumsRequest,
  MomentsRequest,
} from '../engine/questions.ts'
export type { SampledRows, SampleRequest } from '../engine/sample.ts'
export type { OpenOptions, ProfileOptions, RowProfile, RowStore } from '../store/store.ts'
export type { Tree, Update } from '../update/update.ts'
export {
  CONFORMANCE,
  type ConformanceCase,
  ConformanceError,
  type MakeTestedEngine,
  type Rounds,
} from './conformance.ts'
export { generateRows, generateTree, type RowsWanted, takeRows, withKeys } from './generate.ts'
export { generateRun, generateUpdate, type Run } from './generateRun.ts'
