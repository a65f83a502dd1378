// MCGrad's saved model (MCGrad.serialize(), version 0.1 of the package): one LightGBM booster a round, each with a factor for the log
// odds, and the codes of categories.

import { entriesOf, flag, listOf, real, record, text } from '../model/shape.ts'
import type { FeatureSchema } from '../quantize/schema.ts'
import type { ForestUpdate } from '../update/update.ts'
import { categoricalColumn, type ImportedColumn, numericColumn, testsByFeature } from './columns.ts'
import { differenceOfRounds, type ImportDifference } from './difference.ts'
import { forestOf } from './forests.ts'
import { readBooster } from './lightgbm.ts'
import { type CategoryCodes, readCategoryCodes } from './pythonLiteral.ts'
import { notReadable } from './refuse.ts'

export interface ImportedRounds {
  readonly features: readonly FeatureSchema[]
  readonly updates: readonly ForestUpdate[]
  readonly difference: ImportDifference
  /** In sentences: where predictions are other ones than MCGrad's, by more than rounding. */
  readonly caveats: readonly string[]
}

const SCHEMA_VERSIONS = [1, 2]
const MOST_ROUNDS = 1000
const MOST_COLUMNS = 100_000

const roundShape = record({ booster: text, unshrink_factor: real })
const namesShape = listOf(text, MOST_COLUMNS)

export function readMcgrad(value: unknown): ImportedRounds {
  const file = entriesOf(value, '')
  if (file.schema_version !== undefined && !SCHEMA_VERSIONS.includes(file.schema_version as number))
    throw notReadable(
      'schema_version',
      `${JSON.stringify(file.schema_version)?.slice(0, 40)} where ${SCHEMA_VERSIONS.join(' or ')} was expected`,
      'A newer MCGrad wrote this file: update featureboost.',
    )
  const params = file.params === undefined ? {} : entriesOf(file.params, 'params')
  const names = { categorical: readNames(file, 'categorical'), numerical: readNames(file, 'numerical') }
  const hasEncoder = flag(file.has_encoder, 'has_encoder')
  const codes =
    hasEncoder && file.encoder !== undefined ? readCategoryCodes(text(file.encoder, 'encoder')) : undefined
  const featureCount = names.categorical.length + names.numerical.length
  const rounds = listOf(roundShape, MOST_ROUNDS)(file.mcgrad, 'mcgrad').map(
    ({ booster, unshrink_factor }, round) => {
      const path = `mcgrad[${round}].booster`
      // The last feature is the prediction.
      return { ...readBooster(booster, path, featureCount + 1), scale: unshrink_factor, path }
    },
  )
  const tests = testsByFeature(
    rounds.flatMap(({ trees }) => trees),
    featureCount + 1,
  )
  const columns = [
    ...names.categorical.map((name, index) =>
      categoricalColumn(name, tests[index], codesOf(codes, index, hasEncoder)),
    ),
    ...names.numerical.map((name, index) => {
      const feature = names.categorical.length + index
      return numericColumn(name, tests[feature], rounds[0]?.ranges[feature])
    }),
  ]
  return {
    features: columns.map(({ schema }) => schema),
    updates: rounds.map(round => forestOf(round, columns, round.path)),
    difference: differenceOfRounds(rounds),
    caveats: [...missingCaveats(columns), ...missingRowsCaveat(params)],
  }
}

const readNames = (file: Readonly<Record<string, unknown>>, kind: 'categorical' | 'numerical'): string[] => {
  const key = `${kind}_feature_names`
  if (file[key] === undefined || file[key] === null)
    throw notReadable(
      key,
      'the names of the columns are not there',
      'Load the model with MCGrad 0.1.5, fit it again, and serialize it.',
    )
  return namesShape(file[key], key)
}

function codesOf(codes: CategoryCodes | undefined, column: number, hasEncoder: boolean) {
  const found = codes?.get(column)
  if (hasEncoder && found === undefined) throw notReadable('encoder', `column ${column} has no categories`)
  return found
}

const missingCaveats = (columns: readonly ImportedColumn[]): string[] =>
  columns.flatMap(({ schema: { name }, tellsMissingApart }) =>
    tellsMissingApart
      ? [
          `In "${name}" MCGrad was fitted with missing values as a category of their own; here a category that it never saw counts as missing, too.`,
        ]
      : [],
  )

const missingRowsCaveat = (params: Readonly<Record<string, unknown>>): string[] =>
  params.allow_missing_segment_feature_values === false
    ? ['MCGrad was told to predict nothing for rows with missing values; here they are predicted.']
    : []
