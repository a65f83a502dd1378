// @featureboost/core: what the library offers. Sub-paths hold the rest: /baselines, /testing for who writes an engine, and /internal,
// which the command line and the page are built on and which may change with any version.

export { type Audit, audit } from './audit/audit.ts'
export type { AuditOptions } from './audit/settings.ts'
export type { Finding } from './audit/worst/findings.ts'
export type { SearchProgress } from './audit/worst/progress.ts'
export type { CheckpointStore } from './boost/checkpoint.ts'
export type { Trace } from './boost/trace.ts'
export type { Certificate } from './certify/facts.ts'
export { heldOutSlack, logTreeAuditors, rowsForSlack } from './certify/heldOut.ts'
export { oneMeanSlack } from './certify/oneMean.ts'
export { type Plan, type PlanOptions, planParameters } from './certify/plan.ts'
export { type PaperSampleSize, paperSampleSize } from './certify/sampleSize.ts'
export {
  type Auditors,
  functions,
  type GroupSpec,
  groups,
  linear,
  type Predicate,
  trees,
} from './classes/auditors.ts'
export type { Guarantee } from './classes/factors.ts'
export type { CancelSignal } from './common/cancel.ts'
export { ERROR_CODES, type ErrorCode, FeatureBoostError } from './common/errors.ts'
export { VERSION } from './common/version.ts'
export { type BeforeAfter, type BeforeAfterOptions, compareBeforeAfter } from './compare/beforeAfter.ts'
export { compareMethods, type MethodComparison } from './compare/compareMethods.ts'
export type { CompareOptions } from './compare/compareOptions.ts'
export { type ComparedScores, compareScores } from './compare/compareScores.ts'
export type { TableSource } from './data/source.ts'
export { type Column, makeTable, type Table, tableFromRows, type Value } from './data/table.ts'
export { type Decisions, decide } from './decide/decide.ts'
export type { LossSpec } from './decide/losses.ts'
export type { DecideOptions } from './decide/options.ts'
export type { Engine, MakeEngine } from './engine/engine.ts'
export { type MemoryOptions, memoryEngine, referenceEngine } from './engine/engines.ts'
export {
  collectChange,
  collectEvidence,
  type EvidenceOptions,
  type ModelEvidence,
} from './evidence/collect.ts'
export type { Evidence } from './evidence/evidence.ts'
export { reportHtml } from './evidence/html.ts'
export {
  type ExportedModel,
  type ExportOptions,
  type ExportTarget,
  exportModel,
} from './export/export.ts'
export { type FitRows, type Fitted, fit, fitWithTrace } from './fit/fit.ts'
export type { FitOptions } from './fit/settings.ts'
export type { ImportDifference } from './import/difference.ts'
export { type ImportedModel, type ImportOptions, importModel } from './import/import.ts'
export { compareMeasures } from './measures/score/compare.ts'
export type { Estimate, ScoredRows } from './measures/score/scoredRows.ts'
export { type ScoreMeasures, scoreMeasures } from './measures/score/scoreMeasures.ts'
export { type ErrorAgainstBins, errorAgainstBins } from './model/errorAgainstBins.ts'
export { Model, readModel } from './model/model.ts'
export type { Predictor } from './model/predict.ts'
export type { MonitorReport } from './monitor/facts.ts'
export { Monitor, readMonitor, startMonitor } from './monitor/monitor.ts'
export type { BatchOptions, MonitorOptions } from './monitor/options.ts'
export { METHODS, type Method } from './options/options.ts'
export type { Row } from './quantize/signals.ts'
export type { RowStore } from './store/store.ts'
export type { Expectations, Shortfall } from './verify/expect.ts'
export { type Verification, type VerifyOptions, verify } from './verify/verify.ts'
