// From a data set and a seed to the arrays that every method reads, and to the base scores on them.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Column, findDataset } from '../data/dataset.ts'
import {
  type CaseFacts,
  type Feature,
  groupsFile,
  PARTS,
  partFile,
  TRUTH_FILE,
  writeBytes,
  writeDoubles,
} from './arrays.ts'
import { hashFiles, hashFolder, keepFolder, keyOf } from './cache.ts'
import { DATA, loadSplit, type SplitData } from './datasets.ts'
import { groupColumnsOf, makeGroups } from './groups.ts'

/** What decides the arrays beside the data. Results hang on the arrays alone, so a change that leaves them as they are is cheap. */
const SOURCES = [
  'arrays',
  'datasets',
  'groups',
  'populations',
  'prepare',
  '../data/dataset',
  '../data/split',
].map(name => fileURLToPath(new URL(`${name}.ts`, import.meta.url)))

/** A data set with a seed: rows, and the score that some populations bring along. */
export interface CaseId {
  readonly data: string
  readonly seed: number
  /** So many calibration rows at most; all if left out. */
  readonly calibrationRows?: number
}

export interface Prepared {
  readonly folder: string
  /** Hash of the arrays. */
  readonly content: string
}

export async function prepareCase(cache: string, id: CaseId, fresh: boolean): Promise<Prepared> {
  const spec = DATA[id.data]
  const files = spec.kind === 'real' ? [findDataset(spec.file)] : []
  const key = keyOf({ ...id, sources: hashFiles(SOURCES), files: hashFiles(files) })
  const small = id.calibrationRows === undefined ? '' : `-${id.calibrationRows}`
  const name = `${id.data}-${id.seed}${small}-${key}`
  const { folder } = await keepFolder(join(cache, 'prepared', name), fresh, into => {
    writeCase(into, id, loadSplit(spec, id.seed, id.calibrationRows))
  })
  return { folder, content: hashFolder(folder) }
}

export function writeCase(folder: string, { data, seed }: CaseId, split: SplitData): void {
  const features = Object.entries(split.columns).map(([name, column]) => describeFeature(name, column))
  const encoded = features.map(feature => encodeColumn(feature, split.columns[feature.name]))
  const take = (column: ArrayLike<number>, rows: readonly number[]) =>
    Float64Array.from(rows, row => column[row])
  const calibration = encoded.map(column => take(column, split.parts.calibration))
  const groups = makeGroups(features, calibration, split.groupColumns)
  for (const part of PARTS) {
    const rows = split.parts[part]
    const columns = encoded.map(column => take(column, rows))
    writeDoubles(join(folder, partFile(part)), ...columns, take(split.label, rows))
    if (part !== 'base') writeBytes(join(folder, groupsFile(part)), groupColumnsOf(groups, columns))
    if (part !== 'base' && split.given !== undefined) {
      writeDoubles(join(folder, `${part}.given.f64`), take(split.given.score, rows))
    }
  }
  if (split.given !== undefined)
    writeDoubles(join(folder, TRUTH_FILE), take(split.given.truth, split.parts.test))
  const facts: CaseFacts = {
    data,
    seed,
    features,
    groups: groups.map(({ name }) => name),
    rowCounts: {
      base: split.parts.base.length,
      calibration: split.parts.calibration.length,
      test: split.parts.test.length,
    },
    truth: split.given !== undefined,
  }
  writeFileSync(join(folder, 'case.json'), `${JSON.stringify(facts, null, 2)}\n`)
}

function describeFeature(name: string, column: Column): Feature {
  if (!column.some(value => typeof value === 'string')) return { name, kind: 'number' }
  const present = new Set(column.filter(value => value !== null).map(String))
  return { name, kind: 'category', categories: [...present].sort() }
}

function encodeColumn({ categories }: Feature, column: Column): Float64Array {
  if (categories === undefined)
    return Float64Array.from(column, value => (value === null ? Number.NaN : Number(value)))
  const codes = new Map(categories.map((category, code) => [category, code]))
  return Float64Array.from(column, value => (value === null ? -1 : codes.get(String(value))!))
}
