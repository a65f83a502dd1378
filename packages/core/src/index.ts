// @featureboost/core: everything the library offers.

export { type Audit, audit } from './audit/audit.ts'
export type { AuditOptions, AuditPhase } from './audit/settings.ts'
export type { Finding, SmallGroup } from './audit/worst/findings.ts'
export type { Significance, WorstGroups } from './audit/worst/worstGroups.ts'
export type { Baseline, BaselineGroup, BaselineRows, BaselineSettings } from './baselines/baseline.ts'
export { BASELINES, type BaselineName } from './baselines/baselines.ts'
export { type Boosted, boost, replay } from './boost/boost.ts'
export type { CheckpointEntry, CheckpointStore, RunIdentity } from './boost/checkpoint.ts'
export type { MendedGroup } from './boost/groups/mend.ts'
export type { StageLog } from './boost/stages.ts'
export type { ForestFate, NamedGroup, Round, StopReason, Trace } from './boost/trace.ts'
export type { Difference } from './certify/differences.ts'
export { type Certificate, type CertificateClaim, provenError, type Rung } from './certify/facts.ts'
export {
  bernsteinSlack,
  heldOutSlack,
  type Inequality,
  logTreeAuditors,
  rowsForSlack,
} from './certify/heldOut.ts'
export { type Plan, type PlanOptions, planParameters } from './certify/plan.ts'
export { type PaperSampleSize, paperSampleSize } from './certify/sampleSize.ts'
export type { WorstError, WorstErrors } from './certify/worstErrors.ts'
export {
  type Auditors,
  functions,
  type GroupSpec,
  groups,
  linear,
  type Predicate,
  trees,
} from './classes/auditors.ts'
export { describeLeaves, describeUpdate } from './classes/describe.ts'
export type { FactorKind, Guarantee } from './classes/factors.ts'
export { matchRows } from './classes/matches.ts'
export { whereOf } from './classes/sql.ts'
export type { CancelSignal } from './common/cancel.ts'
export { ERROR_CODES, type ErrorCode, FeatureBoostError } from './common/errors.ts'
export { didYouMean, nearestName } from './common/nearest.ts'
export { makeRandom, type Random } from './common/random.ts'
export { formatCount, formatNumber } from './common/text.ts'
export { VERSION } from './common/version.ts'
export {
  type BeforeAfter,
  type BeforeAfterOptions,
  compareBeforeAfter,
  type GroupChange,
} from './compare/beforeAfter.ts'
export { compareMethods, type MethodComparison } from './compare/compareMethods.ts'
export { COMPARE_OPTIONS, type CompareOptions, type ComparisonStep } from './compare/compareOptions.ts'
export { type ComparedScores, compareScores } from './compare/compareScores.ts'
export type { BestOfMeasure, ComparedMethod } from './compare/judgeMethods.ts'
export { COMPARED_MEASURES, type ComparedMeasure, type MeasuredScore } from './compare/methodScores.ts'
export type { MethodFailure } from './compare/outOfFold.ts'
export type { Recommendation } from './compare/recommend.ts'
export { holdIfSmall } from './data/hold.ts'
export { isSource, type TableSource } from './data/source.ts'
export type { Column, ColumnInput, Table, Value } from './data/table.ts'
export { makeTable, tableFromRows } from './data/table.ts'
export type { Engine, EngineRows, MakeEngine, RowChunk, RowSource, RowsShape } from './engine/engine.ts'
export {
  type EngineBuilder,
  type MemoryOptions,
  memoryEngine,
  openMemoryEngine,
  referenceEngine,
} from './engine/engines.ts'
export { turningEngine } from './engine/turning.ts'
export {
  collectChange,
  collectEvidence,
  type EvidenceOptions,
  type EvidencePhase,
  type ModelEvidence,
} from './evidence/collect.ts'
export { comparisonTable, type MethodsFound } from './evidence/comparison.ts'
export type {
  About,
  AuditedRows,
  CertificateSummary,
  ColumnFacts,
  ComparisonRow,
  ComparisonTable,
  Evidence,
  Moved,
  MovedRow,
  Reliability,
  RoundedLevel,
  RoundingCurve,
  RoundingPoint,
  ScoreEvidence,
  Updates,
  Verdict,
  Walk,
  WalkPoint,
} from './evidence/evidence.ts'
export type {
  GroupGap,
  GroupRef,
  HeatCell,
  HeatMap,
  HeatRow,
  Segment,
  SegmentMap,
  SegmentPart,
  WorstGroup,
} from './evidence/groupEvidence.ts'
export { reportHtml } from './evidence/html.ts'
export { changesOf, judge, type MeasureChange, measuresOf, type NamedEstimate } from './evidence/measures.ts'
export { type FitRows, type Fitted, fit, fitWithTrace, type UsedParameters } from './fit/fit.ts'
export type { FitOptions, FitPhase } from './fit/settings.ts'
export type { TreeGrown } from './forest/growParts.ts'
export { continuousCalibrationError } from './measures/class/calibration.ts'
export type { AuditSummary } from './measures/class/summary.ts'
export { type Comparison, type Comparisons, compareMeasures } from './measures/score/compare.ts'
export type { ReliabilityBin } from './measures/score/ece.ts'
export {
  MCGRAD_RULES,
  type MceOptions,
  type MulticalibrationError,
  segmentError,
} from './measures/score/mce.ts'
export type { Estimate, ScoredRows } from './measures/score/scoredRows.ts'
export { type ScoreMeasures, scoreMeasures } from './measures/score/scoreMeasures.ts'
export type { ModelData } from './model/data.ts'
export { type ErrorAgainstBins, errorAgainstBins } from './model/errorAgainstBins.ts'
export { Model, readModel } from './model/model.ts'
export type { Predictor } from './model/predict.ts'
export { type Verification, verify } from './model/verify.ts'
export {
  AUDIT_OPTIONS,
  describeRange,
  METHODS,
  type Method,
  OPTIONS,
  type OptionName,
  type OptionSpec,
} from './options/options.ts'
export type { CurvePoint } from './round/curve.ts'
export type { OpenOptions, ProfileOptions, RowProfile, RowStore } from './store/store.ts'
export type { Update } from './update/update.ts'
