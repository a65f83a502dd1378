// What is done with a damaged file: it is read as the command line reads it and, where the page reads that format too, as the page does. It
// must be refused in words, with a code; or accepted, and then both must have read the same. Anything else is thrown.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fit, groups } from '@featureboost/core'
import { EXPECTATIONS, readLosses } from '@featureboost/core/internal'
import { CommanderError } from 'commander'
import { readExpectations } from '../../../packages/cli/src/commands/expectations.ts'
import { readGroups } from '../../../packages/cli/src/commands/readGroups.ts'
import { readList } from '../../../packages/cli/src/commands/readList.ts'
import { withConfig } from '../../../packages/cli/src/config.ts'
import { makeProgram } from '../../../packages/cli/src/program.ts'
import { checkExpectations } from '../../../packages/core/src/verify/expect.ts'
import { fixedOptions, fixedTable } from '../../../packages/core/test/model/models.ts'
import { readOrRefuse, refusalCode } from '../../../packages/studio/test/alike.ts'
import type { Stock } from './mutate.ts'
import { csvStock, gzipStock, jsonStock, parquetStock, settingsStock, zstdStock } from './stock.ts'

export interface FuzzKind {
  readonly stock: () => Stock | Promise<Stock>
  /** What came of it, for counting. */
  readonly read: (bytes: Buffer, folder: string) => Promise<string>
}

/** The code of a refusal; whatever is none is thrown on. Errors of ours are known by their name: sources and the built package have one each. */
function codeOf(error: unknown): string {
  if (error instanceof CommanderError) return 'usage'
  const { code, name } = error as { readonly code?: string; readonly name?: string }
  return name === 'FeatureBoostError' && code !== undefined ? code : refusalCode(error)
}

const place = (folder: string, name: string): string => {
  mkdirSync(folder, { recursive: true })
  return join(folder, name)
}

const tableReader =
  (name: string): FuzzKind['read'] =>
  (bytes, folder) =>
    readOrRefuse(name, bytes, place(folder, name))

/** Something that reads a file of settings and does what is done with it first. */
const settingsReader =
  (use: (path: string) => Promise<unknown>): FuzzKind['read'] =>
  async (bytes, folder) => {
    const path = place(folder, 'settings.json')
    writeFileSync(path, bytes)
    return await use(path).then(() => 'accepted', codeOf)
  }

export const FUZZ_KINDS: Readonly<Record<string, FuzzKind>> = {
  csv: { stock: csvStock, read: tableReader('x.csv') },
  'csv.gz': { stock: gzipStock, read: tableReader('x.csv.gz') },
  'csv.zst': { stock: zstdStock, read: tableReader('x.csv.zst') },
  json: { stock: jsonStock, read: tableReader('x.ndjson') },
  parquet: { stock: parquetStock, read: tableReader('x.parquet') },
  'file of flags': {
    stock: () => settingsStock('config'),
    read: settingsReader(path => withConfig(makeProgram(), ['fit', 'x.csv', '--config', path])),
  },
  'file of groups': {
    stock: () => settingsStock('groups'),
    read: settingsReader(async path => {
      const auditors = groups(await readGroups(`@${path}`))
      await fit(fixedTable, { ...fixedOptions, roundLimit: 1, threads: 1, auditors })
    }),
  },
  'file of losses': {
    stock: () => settingsStock('losses'),
    read: settingsReader(async path => readLosses(await readList(path, 'losses', '[]'))),
  },
  'file of expectations': {
    stock: () => settingsStock('expectations'),
    read: settingsReader(async path => {
      const found = await readExpectations([`@${path}`])
      checkExpectations(found as Readonly<Record<string, unknown>>)
      return EXPECTATIONS
    }),
  },
}
