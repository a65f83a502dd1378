// Methods side by side: what a comparison found, as the table that is shown.

import { COMPARED_MEASURES, comparedOf, measureOf } from '../audit/measures.ts'
import type { Estimate } from '../measures/score/scoredRows.ts'
import { clipText } from './caps.ts'
import type { ComparisonRow, ComparisonTable } from './evidence.ts'

type Measured = Readonly<Record<string, Estimate | undefined>>

/** What is read of a comparison: compareMethods answers with it, and `compare --json` prints it. */
export interface MethodsFound {
  readonly base: Measured
  readonly methods: readonly {
    readonly method: string
    readonly measures: Measured
    readonly fitSeconds: number
  }[]
  readonly failed: readonly { readonly method: string; readonly code: string }[]
  /** By the key of the measure. */
  readonly best: Readonly<
    Record<string, { readonly best: string; readonly ties: readonly string[] } | undefined>
  >
  readonly recommendation: { readonly sentence: string }
}

/** The score that was given, where it stands among methods. */
const BASE = 'base'
const MAX_METHODS = 50

export function comparisonTable(found: MethodsFound): ComparisonTable {
  const rows = [
    describe(found, { method: BASE, measures: found.base }),
    ...found.methods.slice(0, MAX_METHODS).map(each => describe(found, each)),
    ...found.failed
      .slice(0, MAX_METHODS)
      .map(
        ({ code, method }): ComparisonRow => ({ name: clipText(method), values: {}, best: [], error: code }),
      ),
  ]
  return {
    recommendation: clipText(found.recommendation.sentence, 600),
    // Those that were not measured are left out.
    measures: COMPARED_MEASURES.filter(key => rows.some(({ values }) => values[key] !== undefined)).map(
      key => ({
        key,
        name: comparedOf(key).name ?? measureOf(key).name,
      }),
    ),
    rows,
  }
}

function describe(
  { best }: MethodsFound,
  each: { readonly method: string; readonly measures: Measured; readonly fitSeconds?: number },
): ComparisonRow {
  const isBest = (key: string) => best[key]?.best === each.method || best[key]?.ties.includes(each.method)
  const values = COMPARED_MEASURES.flatMap(key => {
    const estimate = each.measures[key]
    // Numbers without bound, such as the log loss of a sure and wrong score, become null on their way through JSON.
    return estimate === undefined || !Number.isFinite(estimate.value) ? [] : [[key, estimate] as const]
  })
  return {
    name: clipText(each.method),
    values: Object.fromEntries(values),
    best: values.flatMap(([key]) => (isBest(key) ? [key] : [])),
    ...(each.fitSeconds !== undefined && { seconds: each.fitSeconds }),
  }
}
