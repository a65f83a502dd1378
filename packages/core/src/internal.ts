// @featureboost/core/internal: what the command line, the page, benches and tests use besides. No promise is made of it.

export {
  COMPARED_MEASURES,
  type ComparedMeasure,
  changesOf,
  comparedOf,
  findMeasure,
  judge,
  MEASURES,
  type MeasureChange,
  type MeasureKey,
  measureOf,
  measuresOf,
  type NamedEstimate,
  SHOWN_MEASURES,
} from './audit/measures.ts'
export {
  isSurelyOff,
  type ProtectedGroup,
  type ProtectedRow,
  type ProtectedScore,
  protectedRows,
} from './audit/protected.ts'
export type { AuditPhase } from './audit/settings.ts'
export {
  allSurelyOff,
  gravest,
  judgeAudit,
  type OffGroup,
  patternWords,
  surelyOff,
  type VerdictLevel,
} from './audit/verdict.ts'
export { isSure, type SmallGroup, sureGap } from './audit/worst/findings.ts'
export { type SaidGap, sayGap, sayPoints } from './audit/worst/say.ts'
export type { Pattern, Patterns, Significance, WorstGroups } from './audit/worst/worstGroups.ts'
export { type Boosted, boost, replay } from './boost/boost.ts'
export type { CheckpointEntry, RunIdentity } from './boost/checkpoint.ts'
export type { MendedGroup } from './boost/groups/mend.ts'
export type { StageLog } from './boost/stages.ts'
export type { ForestFate, NamedGroup, Round, StopReason } from './boost/trace.ts'
export type { Difference } from './certify/differences.ts'
export { type CertificateClaim, provenError, type Rung } from './certify/facts.ts'
export { type HeldOutPlan, planRows } from './certify/planRows.ts'
export type { CertifiedGroup } from './certify/protectedGroups.ts'
export type { WorstError, WorstErrors } from './certify/worstErrors.ts'
export type { GroupAuditors } from './classes/auditors.ts'
export { describeLeaves, describeUpdate } from './classes/describe.ts'
export type { FactorKind } from './classes/factors.ts'
export { matchRows } from './classes/matches.ts'
export { whereOf } from './classes/sql.ts'
export { asMemoryError, MORE_MEMORY } from './common/memory.ts'
export { didYouMean, nearestName } from './common/nearest.ts'
export { makeRandom, type Random } from './common/random.ts'
export { formatBound, formatCount, formatNumber, outward } from './common/text.ts'
export type { GroupChange } from './compare/beforeAfter.ts'
export { COMPARE_OPTIONS, type ComparisonStep } from './compare/compareOptions.ts'
export type { BestOfMeasure, ComparedMethod } from './compare/judgeMethods.ts'
export type { MeasuredScore } from './compare/methodScores.ts'
export { type ModelScores, scoreModelRows } from './compare/modelScores.ts'
export type { MethodFailure } from './compare/outOfFold.ts'
export { poolingRare, poolingRareOf } from './compare/rareValues.ts'
export type { Recommendation } from './compare/recommend.ts'
export {
  type FitVerdict,
  judgeChange,
  judgeCompared,
  provenSentence,
  type ScoreOutcome,
} from './compare/verdict.ts'
export { isWhollyMissing, missingColumn } from './data/column.ts'
export { countCopies } from './data/countCopies.ts'
export {
  ENCODINGS,
  type Encoding,
  isBigEndian,
  isUtf16,
  OTHER_ENCODINGS,
} from './data/encodings.ts'
export { FOREIGN_BYTES, findForeign } from './data/foreign.ts'
export { holdIfSmall } from './data/hold.ts'
export { typedColumn } from './data/infer.ts'
export { likelyPositive, likelyScale } from './data/likelyWords.ts'
export { MOST_COLUMNS } from './data/limits.ts'
export { asCategories, PLAIN_NUMBER, textsAsCategories } from './data/numberNames.ts'
export { probabilityOf, SCORE_SCALES, SCORE_WORDS, type ScoreScale } from './data/scoreScale.ts'
export { isSource } from './data/source.ts'
export {
  idSentence,
  looksLikeIds,
  MISSING_WORDS,
  type SuspectNumbers,
  suspectNumbers,
  type WrittenNumbers,
  writtenNumbersSentence,
} from './data/suspects.ts'
export type { ColumnInput } from './data/table.ts'
export { formatTime, type TimeKind } from './data/times.ts'
export { droppedSentence } from './data/wording.ts'
export {
  bestThreshold,
  decisionLadder,
  factsAt,
  type Ladder,
  type LadderGroup,
  type MistakeCosts,
  THRESHOLDS,
} from './decide/ladder.ts'
export { type DecisionLoss, readLosses } from './decide/losses.ts'
export { DECIDE_OPTIONS } from './decide/options.ts'
export type { EngineRows, RowChunk, RowSource, RowsShape } from './engine/engine.ts'
export { type EngineBuilder, openMemoryEngine } from './engine/engines.ts'
export type { EvidencePhase } from './evidence/collect.ts'
export { comparisonTable, type MethodsFound } from './evidence/comparison.ts'
export { estimateAudit, QUICKER_AUDIT, type TableShape } from './evidence/estimate.ts'
export type {
  About,
  AuditedRows,
  CertificateSummary,
  ColumnFacts,
  ComparisonRow,
  ComparisonTable,
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
  ProtectedEvidence,
  Segment,
  SegmentMap,
  SegmentPart,
  WorstGroup,
} from './evidence/groupEvidence.ts'
export { type MonitorEvidence, monitorEvidence } from './evidence/monitorEvidence.ts'
export { groupKey } from './evidence/segmentMap.ts'
export { EXPORT_TARGETS } from './export/export.ts'
export { DIALECT_NAMES } from './export/sql/dialects.ts'
export type { UsedParameters } from './fit/claim.ts'
export type { RoundsOnNewRows } from './fit/perRound.ts'
export { type FitPhase, readSettings } from './fit/settings.ts'
export type { TreeGrown } from './forest/growParts.ts'
export { continuousCalibrationError, continuousMulticalibrationError } from './measures/class/calibration.ts'
export type { AuditSummary } from './measures/class/summary.ts'
export type { Comparison, Comparisons } from './measures/score/compare.ts'
export type { ReliabilityBin } from './measures/score/ece.ts'
export {
  MCGRAD_RULES,
  type MceOptions,
  type MulticalibrationError,
  segmentError,
} from './measures/score/mce.ts'
export type { ModelData } from './model/data.ts'
export { isFittedTo, modelRowRoles } from './model/modelRows.ts'
export { type ColumnNews, NewsTally } from './model/unseen.ts'
export { advanceLabels } from './monitor/advance.ts'
export type { MonitorData } from './monitor/data.ts'
export type { TimelinePoint, WatchedColumn, WatchedGap, WatchedGroup } from './monitor/facts.ts'
export { parseMonitor } from './monitor/file.ts'
export { BATCH_OPTIONS, MONITOR_OPTIONS } from './monitor/options.ts'
export { reportOf } from './monitor/report.ts'
export { SearchFamily } from './monitor/search.ts'
export { BatchTally } from './monitor/tally.ts'
export { describeRange } from './options/check.ts'
export { AUDIT_OPTIONS, OPTIONS, type OptionName, type OptionSpec } from './options/options.ts'
export type { FeatureSchema } from './quantize/schema.ts'
export { describeColumn, rangeWords } from './quantize/words.ts'
export type { CurvePoint } from './round/curve.ts'
export type { OpenOptions, ProfileOptions, RowProfile } from './store/store.ts'
export type { Update } from './update/update.ts'
export { refuseContradictions } from './verify/contradictions.ts'
export { EXPECTATIONS, type ExpectationName, type ExpectedValue } from './verify/expect.ts'

/*
 * For engines and stores whose rows are in a database: what they say in SQL is said here for rows in this process.
 */

export { emptyHash, hashToHex, mixA, mixB } from './common/hash.ts'
export { MAX_STEP } from './common/logistic.ts'
export { MAX_TOTAL_WEIGHT, ONE } from './common/units.ts'
export type { Column } from './data/column.ts'
export type { CopyRule } from './data/copies.ts'
export { checkFolds } from './data/fold.ts'
export { countUnits, type FoldUnits, joinUnits, sumUnits } from './data/foldUnits.ts'
export type {
  LedgerChunk,
  LedgerFacts,
  LedgerRows,
  LedgerSample,
  RowLedger,
  WeightFacts,
} from './data/ledger.ts'
export { observationWeight } from './data/observations.ts'
export type { Presence } from './data/presence.ts'
export { constantLabel } from './data/probabilities.ts'
export { type RoleColumns, resolveRoles } from './data/resolve.ts'
export type { LearnableRows } from './data/roleRows.ts'
export {
  checkRowCount,
  checkRowLimit,
  checkSplit,
  foldHint,
  type Holdout,
  type Roles,
  type StartKind,
} from './data/roles.ts'
export { hashString } from './data/rowHash.ts'
export { SAMPLE_ROWS } from './data/rowSample.ts'
export { hasClock, isSameTime } from './data/times.ts'
export { chooseScaleBy } from './data/weights.ts'
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
  Noise,
  Outcome,
} from './engine/engine.ts'
export { isRowSource, sourceOf } from './engine/engineRows.ts'
export { type Checksum, type ColumnRange, fingerprintOf, joinChecksums } from './engine/fingerprint.ts'
export { offsetsOf } from './engine/offsets.ts'
export { needsKeys } from './engine/outcome.ts'
export { type SampledRows, type SampleRequest, sampleRule } from './engine/sample.ts'
export { makeBinScorer } from './engine/scorer.ts'
export { type Arithmetic, DUCKDB_ARITHMETIC, SPARK_ARITHMETIC } from './export/sql/arithmetic.ts'
export { movedByStepsSql, movedSql, treeStepsSql } from './export/sql/moves.ts'
export {
  addColumns,
  type Columns,
  cast,
  doubleSql,
  levelAmongSql,
  levelSql,
  roundSql,
  treeSql,
  within,
} from './export/sql/select.ts'
export { makeSorter } from './kernels/sorter.ts'
export type { Encoding as RowEncoding } from './quantize/encoding.ts'
export { binCount, coarseCount, coarseMap, missingBin } from './quantize/schema.ts'
export type { SignalSchema } from './quantize/signals.ts'
export { learnEncoding } from './store/encode.ts'
export { isLeaf, leafCount, type Split, selectLeaves, type Tree } from './update/update.ts'
