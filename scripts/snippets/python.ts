// The Python of README and docs, each block as a program of its own, in a folder with loans.csv and test.csv. X, y and X_new, which
// snippets for scikit-learn take for granted, are made before.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareEnvironment } from '../../bench/versus/environment.ts'
import { makeLendingPopulation, populationCsv } from '../../packages/cli/src/demo/population.ts'
import { ROOT } from '../site/pages.ts'
import { blocksOf } from './blocks.ts'

const REQUIREMENTS = join(ROOT, 'scripts/snippets/requirements.txt')
const LIMIT = 5 * 60_000

const GIVEN = `import pandas as pd
frame = pd.read_csv("loans.csv")
X, y = frame[["age", "debt_ratio", "months_at_job"]], frame["defaulted"]
X_new = X[:100]
`

/** How many ran. Throws with what the first failure says. */
export function runPython(pages: readonly string[]): number {
  const python = prepareEnvironment(join(ROOT, 'node_modules/.cache'), 'python3', REQUIREMENTS, [])
  const folder = mkdtempSync(join(tmpdir(), 'featureboost-python-'))
  try {
    for (const [name, seed] of [
      ['loans.csv', 7],
      ['test.csv', 8],
    ] as const)
      writeFileSync(join(folder, name), populationCsv(makeLendingPopulation({ rows: 1000, seed })))
    const blocks = pages.flatMap(page => blocksOf(page, 'python'))
    for (const { code, line, page } of blocks) {
      const { error, status, stderr, stdout } = spawnSync(python, ['-c', `${GIVEN}${code}`], {
        cwd: folder,
        encoding: 'utf8',
        timeout: LIMIT,
        env: {
          ...process.env,
          // Few rows: threads of scikit-learn would only wait for each other.
          OMP_NUM_THREADS: '1',
          PYTHONPATH: join(ROOT, 'python'),
          FEATUREBOOST_COMMAND: `"${process.execPath}" "${join(ROOT, 'packages/cli/bin/featureboost.js')}"`,
        },
      })
      if (status !== 0)
        throw new Error(`${page}, line ${line}: ends with ${error ?? status}:\n${stdout}${stderr}`)
    }
    return blocks.length
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
