// The same rows in files of every kind, and in several files: one model. (scripts/check-formats.ts does so with files of pyarrow and pandas.)

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { fit } from '@featureboost/core'
import { openData } from '../../../packages/cli/src/data/open.ts'
import { makeTable } from '../../formats/table.ts'
import { writeDuck, writeNdjson, writeText } from '../../formats/write.ts'

export interface FilesReport {
  readonly tables: number
  readonly ways: readonly string[]
  readonly problems: readonly string[]
}

export async function checkFiles(
  tables: number,
  folder: string,
  say: (line: string) => void,
): Promise<FilesReport> {
  const problems: string[] = []
  let ways: readonly string[] = []
  for (let seed = 1; seed <= tables; seed++) {
    const { features, roles } = makeTable(seed)
    const columns = [...features, ...roles]
    const at = (name: string) => join(folder, `${seed}-${name}`)
    const csv = writeText(at('rows.csv'), columns, ',')
    await writeDuck(at('table.duckdb'), at('rows.parquet'), columns)
    writeFileSync(at('rows.csv.gz'), gzipSync(readFileSync(csv)))
    const files: Readonly<Record<string, string | readonly string[]>> = {
      CSV: csv,
      'packed CSV': at('rows.csv.gz'),
      TSV: writeText(at('rows.tsv'), columns, '\t'),
      NDJSON: writeNdjson(at('rows.ndjson'), columns),
      Parquet: at('rows.parquet'),
      'a database': at('table.duckdb'),
      'three files of NDJSON': parts(columns, at),
    }
    ways = Object.keys(files)
    const text = features.filter(({ kind }) => kind === 'digits').map(({ name }) => name)
    const has = (role: string) => roles.some(({ name }) => name === role)
    const hashes = new Map<string, string>()
    for (const [way, paths] of Object.entries(files)) {
      const data = await openData(paths, { text })
      try {
        const model = await fit(data.source, {
          ...{ label: 'label', prediction: 'score', method: 'rounds', roundLimit: 3, threads: 1 },
          ...(has('weight') && { weight: 'weight' }),
          ...(has('fold') ? { fold: 'fold' } : { holdout: 0.2, ...(has('person') && { groupBy: 'person' }) }),
        })
        hashes.set(way, model.hash)
      } finally {
        await data.close()
      }
    }
    for (const [way, hash] of hashes)
      if (hash !== hashes.get('CSV')) problems.push(`table ${seed}: ${way} gives another model than CSV`)
    say(`${seed} of ${tables} tables`)
  }
  return { tables, ways, problems }
}

type Columns = Parameters<typeof writeNdjson>[1]

/** The rows, a third of them in each file. */
function parts(columns: Columns, at: (name: string) => string): string[] {
  const count = columns[0].cells.length
  return [0, 1, 2].map(part => {
    const [from, to] = [Math.floor((part * count) / 3), Math.floor(((part + 1) * count) / 3)]
    const some = columns.map(column => ({ ...column, cells: column.cells.slice(from, to) }))
    return writeNdjson(at(`part-${part}.ndjson`), some)
  })
}
