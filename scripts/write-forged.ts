// Writes genuine and forged model files with their rows into a folder, and a list of what refuses each, for verifiers of any make.
//
//   npx tsx scripts/write-forged.ts --out folder [--by read,verify]
//
// folder/BASE.csv           the rows of a base, as `featureboost fit` reads them
// folder/BASE.fb.json       the genuine file
// folder/forged-NN.fb.json  a forged one
// folder/forged.json        for each: name, file, rows, model (the genuine file), by (read, verify, expect or refit), path or code, expect
//
// --by: only files that these refuse; such are made without a fit of their own.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { valueAt } from '../packages/core/src/data/column.ts'
import type { Table } from '../packages/core/src/index.ts'
import { BASE_NAMES, BASES, fitBase, PROMISES } from '../packages/core/test/verify/bases.ts'
import { FORGERIES, makeForged } from '../packages/core/test/verify/forgeries.ts'

const { values } = parseArgs({ options: { out: { type: 'string' }, by: { type: 'string' } } })
if (values.out === undefined) throw new Error('Say where to write: --out folder')
const folder = values.out
mkdirSync(folder, { recursive: true })
const put = (name: string, text: string) => writeFileSync(join(folder, name), text)

/** No value of these tables has a comma or a quote. */
function csvOf({ columns, rowCount }: Table): string {
  const line = (row: number) => columns.map(column => valueAt(column, row) ?? '').join(',')
  const lines = Array.from({ length: rowCount }, (_, row) => line(row))
  return [columns.map(({ name }) => name).join(','), ...lines, ''].join('\n')
}

const genuine = new Map<string, string>()
for (const name of BASE_NAMES) {
  genuine.set(name, await fitBase(name))
  put(`${name}.csv`, csvOf(BASES[name].rows))
  put(`${name}.fb.json`, genuine.get(name)!)
}

const list = []
for (const [index, forgery] of FORGERIES.entries()) {
  const { base, by, code, name, path } = forgery
  if (values.by !== undefined && !values.by.split(',').includes(by)) continue
  const file = `forged-${String(index + 1).padStart(2, '0')}.fb.json`
  put(file, await makeForged(forgery, genuine.get(base)!))
  const refused = { by, ...(path !== undefined && { path }), ...(code !== undefined && { code }) }
  list.push({ name, file, rows: `${base}.csv`, model: `${base}.fb.json`, ...refused, expect: PROMISES[base] })
}
put('forged.json', `${JSON.stringify(list, null, 2)}\n`)
console.log(`${list.length} forged files of ${genuine.size} models in ${folder}`)
process.exit(0)
