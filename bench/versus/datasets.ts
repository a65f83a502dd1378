// The data sets by name: real ones from files, whose base scores are fitted on rows of their own, and populations that
// bring their score along. Both come as columns with their parts of rows.

import { type Column, type Dataset, loadDataset } from '../data/dataset.ts'
import { splitByKey, splitRows } from '../data/split.ts'
import type { PartName } from './arrays.ts'
import { makePopulation } from './populations.ts'

export interface RealSpec {
  readonly kind: 'real'
  readonly file: string
  /** Codes that are names, although they look like numbers. */
  readonly categorical?: readonly string[]
  /** Ids: no features. With `splitBy`, rows of one id stay together. */
  readonly splitBy?: string
  /** Groups for the methods that want them declared are made of these columns. */
  readonly groupColumns: readonly string[]
}

export interface PopulationSpec {
  readonly kind: 'population'
  readonly population: string
  readonly calibrationRows: number
  readonly testRows: number
}

export type DataSpec = RealSpec | PopulationSpec

export const DATA: Readonly<Record<string, DataSpec>> = {
  adult: {
    kind: 'real',
    file: 'adult',
    groupColumns: ['sex', 'race', 'age', 'marital_status', 'education', 'native_country'],
  },
  bank: {
    kind: 'real',
    file: 'bank_marketing',
    groupColumns: ['age', 'job', 'marital', 'education', 'housing'],
  },
  diabetes: {
    kind: 'real',
    file: 'diabetes130',
    categorical: ['admission_type_id', 'discharge_disposition_id', 'admission_source_id'],
    splitBy: 'patient_nbr',
    groupColumns: ['race', 'gender', 'age', 'payer_code', 'medical_specialty'],
  },
  // Every column as a number, census codes too, as MCGrad's authors give them to their base model.
  acs: {
    kind: 'real',
    file: 'acs_income_2018',
    groupColumns: ['sex', 'rac1p', 'agep', 'mar', 'schl', 'cow'],
  },
  rare: { kind: 'population', population: 'rare', calibrationRows: 60_000, testRows: 60_000 },
  tiny: { kind: 'population', population: 'tiny', calibrationRows: 20_000, testRows: 40_000 },
  hard: { kind: 'population', population: 'hard', calibrationRows: 20_000, testRows: 20_000 },
  quick: { kind: 'population', population: 'tiny', calibrationRows: 3000, testRows: 3000 },
}

/** The scores of a data set that are to be corrected, each by its name. */
export const basesOf = (spec: DataSpec): readonly string[] =>
  spec.kind === 'real' ? ['poor', 'strong'] : ['given']

export interface SplitData {
  /** Features only. */
  readonly columns: Readonly<Record<string, Column>>
  readonly label: ArrayLike<number>
  readonly parts: Readonly<Record<PartName, readonly number[]>>
  readonly groupColumns: readonly string[]
  readonly given?: { readonly score: Float64Array; readonly truth: Float64Array }
}

/** 40 % base, 40 % calibration, 20 % test. */
const SHARES = [0.4, 0.4, 0.2]

/** `calibrationRows`: so many of the calibration rows, at most; the first ones of a population, a sample of real rows. */
export function loadSplit(spec: DataSpec, seed: number, calibrationRows?: number): SplitData {
  return spec.kind === 'real'
    ? splitReal(spec, loadReal(spec), seed, calibrationRows)
    : splitPopulation(spec, seed, calibrationRows)
}

const loadReal = ({ categorical, file }: RealSpec): Dataset =>
  loadDataset(file, categorical === undefined ? {} : { categorical })

export function splitReal(
  { groupColumns, splitBy }: Pick<RealSpec, 'groupColumns' | 'splitBy'>,
  { columns, label, rowCount }: Dataset,
  seed: number,
  calibrationRows?: number,
): SplitData {
  const [base, calibration, test] =
    splitBy === undefined ? splitRows(rowCount, SHARES, seed) : splitByKey(columns[splitBy], SHARES, seed)
  const features = Object.entries(columns).filter(([name]) => name !== label && name !== splitBy)
  return {
    columns: Object.fromEntries(features),
    label: columns[label] as number[],
    parts: { base, calibration: sampleRows(calibration, calibrationRows, seed), test },
    groupColumns,
  }
}

function sampleRows(rows: readonly number[], wanted: number | undefined, seed: number): readonly number[] {
  if (wanted === undefined || wanted >= rows.length) return rows
  const [sample] = splitRows(rows.length, [wanted / rows.length, 1 - wanted / rows.length], seed)
  return sample.map(index => rows[index])
}

function splitPopulation(
  { calibrationRows: all, population, testRows }: PopulationSpec,
  seed: number,
  wanted: number = all,
): SplitData {
  const { columns, label, score, truth } = makePopulation(population, all + testRows, seed)
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)
  return {
    columns,
    label,
    parts: { base: [], calibration: range(0, Math.min(all, wanted)), test: range(all, all + testRows) },
    groupColumns: Object.keys(columns),
    given: { score, truth },
  }
}
