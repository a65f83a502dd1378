// @featureboost/core: everything the library offers.

export { continuousCalibrationError } from './audit/calibration.ts'
export { type Comparison, type Comparisons, compareMeasures } from './audit/measures/compare.ts'
export type { ReliabilityBin } from './audit/measures/ece.ts'
export {
  MCGRAD_RULES,
  type MceOptions,
  type MulticalibrationError,
  segmentError,
} from './audit/measures/mce.ts'
export type { Estimate, ScoredRows } from './audit/measures/rows.ts'
export { type ScoreMeasures, scoreMeasures } from './audit/measures/scoreMeasures.ts'
export type { AuditSummary } from './audit/summary.ts'
export type { Finding, SmallGroup } from './audit/worst/findings.ts'
export type { Significance, WorstGroups } from './audit/worst/worstGroups.ts'
export { type Audit, audit } from './audit.ts'
export type { AuditOptions, AuditPhase } from './auditSettings.ts'
export type { Baseline, BaselineGroup, BaselineRows, BaselineSettings } from './baselines/baseline.ts'
export { BASELINES, type BaselineName } from './baselines/baselines.ts'
export {
  type BeforeAfter,
  type BeforeAfterOptions,
  compareBeforeAfter,
  type GroupChange,
} from './beforeAfter.ts'
export { type Boosted, boost, replay } from './boost/boost.ts'
export type { CheckpointEntry, CheckpointStore, RunIdentity } from './boost/checkpoint.ts'
export type { TreeGrown } from './boost/forest/growParts.ts'
export type { MendedGroup } from './boost/groups/mend.ts'
export type { StageLog } from './boost/stages.ts'
export type { ForestFate, NamedGroup, Round, StopReason, Trace } from './boost/trace.ts'
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
export type { Difference } from './certify/verify.ts'
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
export { type ComparedScores, compareScores } from './compare.ts'
export { compareMethods, type MethodComparison } from './compareMethods.ts'
export { COMPARE_OPTIONS, type CompareOptions, type ComparisonStep } from './compareOptions.ts'
export { type ErrorAgainstBins, errorAgainstBins } from './curve.ts'
export { isSource, type TableSource } from './data/source.ts'
export type { Column, ColumnInput, Table, Value } from './data/table.ts'
export { makeTable, tableFromRows } from './data/table.ts'
export type { Engine, EngineRows, MakeEngine, RowChunk, RowSource, RowsShape } from './engine/engine.ts'
export {
  type EngineBuilder,
  type MemoryOptions,
  memoryEngine,
  openMemoryEngine,
} from './engine/memory/memory.ts'
export { referenceEngine } from './engine/reference/reference.ts'
export { turningEngine } from './engine/turning.ts'
export type { Update } from './engine/update.ts'
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
export { collectEvidence, type EvidenceOptions, type EvidencePhase } from './evidence.ts'
export { type Fitted, fit, fitWithTrace, type UsedParameters } from './fit.ts'
export type { BestOfMeasure, ComparedMethod } from './judgeMethods.ts'
export { COMPARED_MEASURES, type ComparedMeasure, type MeasuredScore } from './methodScores.ts'
export type { ModelData } from './model/data.ts'
export { Model, readModel } from './model/model.ts'
export type { Predictor } from './model/predict.ts'
export { holdIfSmall } from './modelScores.ts'
export {
  AUDIT_OPTIONS,
  describeRange,
  METHODS,
  type Method,
  OPTIONS,
  type OptionName,
  type OptionSpec,
} from './options.ts'
export type { MethodFailure } from './outOfFold.ts'
export type { Recommendation } from './recommend.ts'
export type { CurvePoint } from './round/curve.ts'
export type { FitOptions, FitPhase } from './settings.ts'
export { type Verification, verify } from './verify.ts'
export { VERSION } from './version.ts'
