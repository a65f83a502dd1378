import { type Claim, counted, type Outcome, type Run } from '../claim.ts'
import { runSuites } from '../suites.ts'

const SUITES = [
  'packages/core/test/engine/reference.test.ts',
  'packages/core/test/engine/memory.test.ts',
  'packages/core/test/engine/conformanceItself.test.ts',
  'packages/cli/test/engines/duckdb.test.ts',
  'packages/cli/test/engines/sql.test.ts',
]

async function measure({ folder }: Run): Promise<Outcome> {
  const { failed, passed, problems } = runSuites(folder, SUITES)
  return {
    kept: failed === 0 && passed > 0,
    figure: `${counted(passed, 'check')} of the reference engine, of memory with kernels and with their twin, and of DuckDB pass, ${failed} fail; each answer is compared with BigInt sums over rows.`,
    problems,
  }
}

export const conformance: Claim = {
  id: 'R5',
  title: 'Conformance',
  promised:
    'Every engine passes one suite (`@featureboost/core/testing`), which compares each answer with sums that share no code with any engine, and which engines that are wrong on purpose fail. Spark passes it in a suite of its own, on a cluster.',
  anchor: 'scikit-learn: `check_estimator`, 107 checks of an estimator.',
  by: { unit: 'time through the suites', long: 1, measure },
}
