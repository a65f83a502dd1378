// @featureboost/core/baselines: methods of others, each as a function of rows.

export type { Baseline, BaselineGroup, BaselineRows, BaselineSettings } from './baseline.ts'
export { BASELINES, type BaselineName } from './baselines.ts'
