// The user's own functions of a row.

import { FeatureBoostError } from '../../common/errors.ts'
import { showValue } from '../../data/column.ts'
import type { Encoding } from '../../quantize/encoding.ts'
import type { FeatureSchema } from '../../quantize/schema.ts'
import type { SignalSchema } from '../../quantize/signals.ts'
import type { Tree } from '../../update/update.ts'
import type { FunctionAuditors } from '../auditors.ts'
import type { FactorKind } from '../factors.ts'
import type { Partition } from '../space.ts'
import { type AuditorKind, type Extension, PLAIN, type Refuse } from './kind.ts'

export const functionKind: AuditorKind<FunctionAuditors> = {
  ...PLAIN,
  check: checkFunctions,
  valueBins: ({ valueBins }) => valueBins ?? 1,
  factors: ({ valueBins }) => (valueBins === undefined ? 'weighted' : 'table'),
  refusal: ({ valueBins }, factors) =>
    valueBins === undefined && needsValues(factors)
      ? {
          message: `"${factors}" factors condition on the auditor's value, and these functions have no value bins.`,
          hint: 'Pass functions(..., { valueBins: 10 }), or use "weighted" factors.',
        }
      : undefined,
  extend: (auditors, { features }) => extend(auditors, features),
  space: (_auditors, factors, encoding) =>
    needsValues(factors)
      ? { kind: 'partitions', partitions: valuePartitions(encoding) }
      : {
          kind: 'signals',
          signals: encoding.signals.map((_, index) => index),
          span: false,
          budget: 1,
        },
  functions: auditors => auditors.functions,
}

const needsValues = (factors: FactorKind): boolean => factors === 'table' || factors === 'level-sets'

function checkFunctions({ functions, valueBins }: FunctionAuditors, refuse: Refuse): void {
  const named = Object.entries(functions ?? {})
  if (named.length === 0) refuse('no auditor functions are declared.', 'at least one function')
  for (const [name, entry] of named) {
    if (typeof entry !== 'function')
      refuse(`the auditor function "${name}" is ${showValue(entry)}.`, 'a function')
  }
  if (valueBins !== undefined && !(Number.isInteger(valueBins) && valueBins >= 2 && valueBins <= 64)) {
    refuse(`valueBins is ${valueBins}.`, 'a whole number from 2 to 64')
  }
}

/** A signal for each, and with value bins a feature, too. */
function extend({ functions, valueBins }: FunctionAuditors, features: readonly FeatureSchema[]): Extension {
  const names = Object.keys(functions)
  checkNames(names, features)
  const signals = names.map((name): SignalSchema => ({ kind: 'function', name }))
  if (valueBins === undefined) return { derived: [], signals, functions: names }
  const cuts = valueBinCuts(valueBins)
  const coarse = cuts.map((_, index) => index)
  const derived = names.map(
    (name): FeatureSchema => ({ kind: 'numeric', name, missing: false, cuts, coarse }),
  )
  return { derived, signals, functions: names }
}

function checkNames(names: readonly string[], features: readonly FeatureSchema[]): void {
  const taken = names.find(name => features.some(feature => feature.name === name))
  if (taken === undefined) return
  throw new FeatureBoostError(
    'FB_COLUMN_NAME',
    `an auditor function has the name of the column "${taken}".`,
    {
      column: taken,
      hint: 'Give the function its own name.',
    },
  )
}

/** Each function's value bins S', through the derived feature of its name. */
function valuePartitions(encoding: Encoding): Partition[] {
  return encoding.functions.map(name => {
    const feature = encoding.features.findIndex(candidate => candidate.name === name)
    const schema = encoding.features[feature] as FeatureSchema & { kind: 'numeric' }
    const tree = schema.cuts.reduceRight<Tree>(
      (rest, _, bin) => ({
        split: { kind: 'atMost', feature, bin, missing: false },
        yes: { leaf: bin },
        no: rest,
      }),
      { leaf: schema.cuts.length },
    )
    return { tree, words: `the values of ${name}`, indicator: false }
  })
}

/** Edges of the equal-width value bins of [-1,1], without the ends. */
export function valueBinCuts(valueBins: number): number[] {
  return Array.from({ length: valueBins - 1 }, (_, index) => -1 + (2 * (index + 1)) / valueBins)
}
