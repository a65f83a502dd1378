// Suites of the repository that prove a claim, run on their own, with more runs where they take that from the environment.

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface SuiteReport {
  readonly passed: number
  readonly failed: number
  readonly problems: readonly string[]
}

interface VitestResults {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

export function runSuites(
  folder: string,
  files: readonly string[],
  env: NodeJS.ProcessEnv = {},
): SuiteReport {
  const report = join(folder, 'vitest.json')
  const { stderr } = spawnSync(
    'npx',
    ['vitest', 'run', ...files, '--reporter', 'json', '--outputFile', report],
    { cwd: ROOT, encoding: 'utf8', env: { ...process.env, CI: '', ...env }, maxBuffer: 2 ** 28 },
  )
  if (!existsSync(report)) return { passed: 0, failed: 1, problems: [`no results: ${stderr.slice(-500)}`] }
  const { numFailedTests, numPassedTests, testResults } = JSON.parse(
    readFileSync(report, 'utf8'),
  ) as VitestResults
  return {
    passed: numPassedTests,
    failed: numFailedTests,
    problems: testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => fullName),
  }
}

/** A script of the repository; what it printed, and whether it ended well. */
export function runScript(args: readonly string[]): { readonly isWell: boolean; readonly text: string } {
  const { status, stderr, stdout } = spawnSync('npx', ['tsx', ...args], {
    ...{ cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 28 },
  })
  return { isWell: status === 0, text: status === 0 ? stdout : `${stdout}\n${stderr}` }
}
