// How large the certified class of a model is: what can be cut down so that a certificate says less.

import { certifiedClass } from '../certify/tolerance.ts'
import { compileAuditors } from '../classes/compile.ts'
import { declaredSplitCount } from '../classes/splits.ts'
import type { Model } from '../model/model.ts'
import { auditorsOf } from '../model/modelRows.ts'
import { coarseCount } from '../quantize/schema.ts'

export interface ClassSize {
  /** Of trees. */
  readonly depth?: number
  /** Columns that the class looks at, by name or through its terms. */
  readonly columns?: number
  /** Of trees. */
  readonly splits?: number
  /** Of declared groups, everyone included. */
  readonly groups?: number
}

export function classSize(model: Model): ClassSize {
  const { cellBudget, certificate, encoding, factors } = model.data
  const declared = compileAuditors(auditorsOf(model), factors, encoding)
  const shape = { coarseCounts: encoding.features.map(coarseCount) }
  const { space } = certifiedClass(declared, shape, certificate.claim.bins, cellBudget).compiled
  switch (space.kind) {
    case 'trees': {
      const columns = space.features.map(feature => encoding.features[feature])
      const splits = columns.reduce((sum, column) => sum + declaredSplitCount(column), 0)
      return { depth: space.depth, columns: columns.length, splits }
    }
    case 'partitions':
      return { groups: space.partitions.length }
    case 'signals':
      return { columns: space.signals.length }
  }
}

/** "decision trees of depth 2 on 7 columns (53 splits ...": how a certificate words a class of trees. Undefined for any other. */
export function readClassWords(words: string): ClassSize | undefined {
  const match = /^decision trees of depth ([\d,]+) on ([\d,]+) columns? \(([\d,]+) splits?/.exec(words)
  if (match === null) return undefined
  const [depth, columns, splits] = match.slice(1).map(count => Number(count.replaceAll(',', '')))
  return { depth, columns, splits }
}
