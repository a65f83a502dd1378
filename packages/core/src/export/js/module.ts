// A model as one ES module without dependencies, and its types: for Node, browsers and workers at the edge. The code is the library's own
// (runtime.ts), so its predictions are those of `predictRow`.

import type { FeatureSchema } from '../../quantize/schema.ts'
import type { ScoringPlan } from '../plan.ts'
import { jsonText } from '../texts.ts'
import { RUNTIME_SOURCE } from './runtime.generated.ts'

export function jsModule(plan: ScoringPlan): string {
  return [
    `// Written by featureboost from the model ${plan.hash}. Do not edit: export the model again.`,
    `const { openScorer } = (() => {${RUNTIME_SOURCE.trim()} return featureboost })()`,
    `const scorer = openScorer(JSON.parse(${jsonText(plan)}))`,
    `/** The SHA-256 of the model that this was made from. */`,
    `export const modelHash = '${plan.hash}'`,
    `/** The corrected probability of one row; columns that are absent are missing. */`,
    'export const predict = scorer.predict',
    '/** Of many rows, in their order. */',
    'export const predictAll = scorer.predictAll',
    '',
  ].join('\n')
}

export function jsTypes({ features, start }: ScoringPlan): string {
  const score =
    start.kind === 'column' ? [`  readonly ${JSON.stringify(start.column)}: ${scoreType(start)}`] : []
  const others = features.filter(({ name }) => start.kind === 'constant' || name !== start.column)
  const columns = others.map(
    feature => `  readonly ${JSON.stringify(feature.name)}?: ${typeOf(feature)} | null | undefined`,
  )
  return [
    '/** One value per column; what is absent, null, NaN or an empty text is missing. Other columns do no harm. */',
    'export interface Row {',
    ...score,
    ...columns,
    '  readonly [column: string]: unknown',
    '}',
    '/** The SHA-256 of the model that this was made from. */',
    'export declare const modelHash: string',
    '/** The corrected probability of one row. Throws an error with a `code` where a value is not of its kind. */',
    'export declare const predict: (row: Row) => number',
    '/** Of many rows, in their order. */',
    'export declare const predictAll: (rows: Iterable<Row>) => Float64Array',
    '',
  ].join('\n')
}

const scoreType = ({ scale }: { readonly scale?: string }): string =>
  scale === undefined ? 'number | boolean' : 'number'

function typeOf(feature: FeatureSchema): string {
  switch (feature.kind) {
    case 'numeric':
      return feature.time === undefined ? 'number' : feature.time === 'time' ? 'string' : 'string | Date'
    case 'boolean':
      return 'boolean | 0 | 1 | string'
    case 'categorical':
      return feature.numbers ? 'string | number' : 'string | boolean'
  }
}
