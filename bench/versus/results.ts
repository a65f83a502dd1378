// What a run finds, as it is written to the JSON file, and how seeds are put together.

import type { Estimate } from '@featureboost/core'
import type { Measured } from './processes.ts'
import { type Differences, MEASURES, type Measure } from './score.ts'

export type MethodResult =
  | {
      readonly values: Readonly<Record<Measure, number>>
      /** Method minus base; none for the base itself. */
      readonly againstBase?: Differences
      /** None for the base and the truth, which take no work. */
      readonly measured?: Measured
      /** Was the answer found among earlier ones? */
      readonly kept?: boolean
    }
  | { readonly failed: string }

/** One data set with one base score and one seed. */
export interface CaseResult {
  readonly data: string
  readonly base: string
  readonly seed: number
  readonly calibrationRows: number
  /** So many at most were asked for; absent: all. Where ids stay together, seeds differ in what there are. */
  readonly mostRows?: number | undefined
  readonly testRows: number
  /** In the order of the tables. */
  readonly methods: Readonly<Record<string, MethodResult>>
  /** Ours minus another method: first ours, then the other. */
  readonly ours: Readonly<Record<string, Readonly<Record<string, Differences>>>>
}

export interface Run {
  readonly command: string
  readonly date: string
  readonly commit: string
  readonly machine: {
    readonly processor: string
    readonly cores: number
    readonly memoryGiB: number
    readonly system: string
  }
  readonly threads: number
  readonly seeds: readonly number[]
  readonly versions: Readonly<Record<string, string>>
  readonly titles: Readonly<Record<string, string>>
  readonly cases: readonly CaseResult[]
}

/** JSON has no word for what is infinite or not a number: they become text. */
export const toJson = (run: Run): string =>
  JSON.stringify(
    run,
    (_, value: unknown) => (typeof value === 'number' && !Number.isFinite(value) ? String(value) : value),
    1,
  )

/** A table of the page: one data set with one base score over all its seeds. */
export interface Summary {
  readonly data: string
  readonly base: string
  readonly calibrationRows: number
  readonly testRows: number
  readonly seeds: readonly number[]
  readonly methods: Readonly<Record<string, MethodSummary>>
  readonly ours: Readonly<Record<string, Readonly<Record<string, Differences>>>>
}

/** Seconds by the clock, seconds of all threads together, bytes. */
export interface Cost {
  readonly fit: number
  readonly fitCpu: number
  readonly predict: number
  readonly peakBytes: number
}

export type MethodSummary =
  | {
      readonly values: Readonly<Record<Measure, number>>
      readonly againstBase?: Differences
      readonly cost?: Cost
    }
  | { readonly failed: string }

/** Groups cases that differ in the seed alone, in the order of their first appearance. */
export function summarizeCases(cases: readonly CaseResult[]): Summary[] {
  const groups = new Map<string, CaseResult[]>()
  for (const each of cases) {
    const key = JSON.stringify([each.data, each.base, each.mostRows])
    groups.set(key, [...(groups.get(key) ?? []), each])
  }
  return [...groups.values()].map(summarize)
}

function summarize(cases: readonly CaseResult[]): Summary {
  const [{ base, data }] = cases
  const names = [...new Set(cases.flatMap(each => Object.keys(each.methods)))]
  const methods = names.map(name => [name, summarizeMethod(cases.map(each => each.methods[name]))] as const)
  const ours: Record<string, Record<string, Differences>> = {}
  for (const our of new Set(cases.flatMap(each => Object.keys(each.ours)))) {
    ours[our] = {}
    for (const other of new Set(cases.flatMap(each => Object.keys(each.ours[our] ?? {})))) {
      const found = cases.map(each => each.ours[our]?.[other]).filter(each => each !== undefined)
      ours[our][other] = averageDifferences(found)
    }
  }
  return {
    data,
    base,
    calibrationRows: Math.round(mean(cases.map(each => each.calibrationRows))),
    testRows: Math.round(mean(cases.map(each => each.testRows))),
    seeds: cases.map(({ seed }) => seed),
    methods: Object.fromEntries(methods),
    ours,
  }
}

/** A method that failed with one seed has failed. */
function summarizeMethod(results: readonly (MethodResult | undefined)[]): MethodSummary {
  const done: Exclude<MethodResult, { failed: string }>[] = []
  for (const result of results) {
    if (result === undefined) return { failed: 'not run with every seed' }
    if ('failed' in result) return result
    done.push(result)
  }
  const values = averageOf(measure => mean(done.map(result => result.values[measure])))
  const differences = done.map(result => result.againstBase).filter(each => each !== undefined)
  const measured = done.map(result => result.measured).filter(each => each !== undefined)
  return {
    values,
    ...(differences.length > 0 && { againstBase: averageDifferences(differences) }),
    ...(measured.length > 0 && {
      cost: {
        fit: median(measured.map(({ fit }) => fit.wall)),
        fitCpu: median(measured.map(({ fit }) => fit.cpu)),
        predict: median(measured.map(({ predict }) => predict.wall)),
        peakBytes: Math.max(...measured.map(({ peakBytes }) => peakBytes)),
      },
    }),
  }
}

const averageOf = <T>(of: (measure: Measure) => T): Record<Measure, T> =>
  Object.fromEntries(MEASURES.map(measure => [measure, of(measure)])) as Record<Measure, T>

/**
 * The means of values and of the ends of intervals. Seeds draw from the same rows, so their errors go together: more seeds
 * make an interval steadier, not narrower.
 */
export const averageDifferences = (differences: readonly Differences[]): Differences =>
  averageOf((measure): Estimate => {
    const part = (end: keyof Estimate) => mean(differences.map(each => each[measure][end]))
    return { value: part('value'), low: part('low'), high: part('high') }
  })

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
