import { checkFiles } from '../bytes/files.ts'
import { type Claim, counted, type Outcome, type Run } from '../claim.ts'
import { runSuites } from '../suites.ts'

const SUITES = ['packages/core/test/fit/copies.test.ts', 'packages/core/test/fit/invariance.test.ts']

async function measure({ folder, say, size }: Run): Promise<Outcome> {
  say('order and chunks')
  const { failed, passed, problems } = runSuites(folder, SUITES, { COPIES_RUNS: String(size) })
  const files = await checkFiles(Math.max(2, Math.ceil(size / 200)), folder, say)
  return {
    kept: failed === 0 && passed > 0 && files.problems.length === 0,
    figure: `${counted(size, 'table')} full of copies, near copies and ties, with all methods and roles: ${counted(failed, 'broken sentence')} of ${passed + failed} about order, chunks and copies. ${counted(files.tables, 'table')} with columns of every kind, each as ${files.ways.join(', ')}: ${counted(files.problems.length, 'other model')}.`,
    problems: [...problems, ...files.problems],
  }
}

export const rowOrder: Claim = {
  id: 'R9',
  title: 'Order, chunks and files',
  promised:
    'A model has the same bytes in any order of its rows, in chunks of any size, and from CSV, TSV, NDJSON, Parquet or a database, packed or in several files.',
  anchor: 'scikit-learn checks the order of rows for `predict`, to 1e-9.',
  by: { unit: 'tables', long: 10_000, measure },
}
