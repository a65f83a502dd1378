// The benchmark against the real packages of others: the same rows, the same threads, one scorer.
//
//   npx tsx bench/versus/run.ts [--data adult,bank,diabetes,acs:1,rare,tiny,hard] [--bases poor,strong,given] [--seeds 3]
//     [--from 1] [--calibration-rows all,2000] [--methods isotonic,sigmoid,mcgrad,mcgrad-tutorial,jin,hkrr,hjz,ours]
//     [--ours 'name={"option":value}']... [--threads 2] [--limit 3600] [--data-dir FOLDER] [--cache FOLDER] [--fresh]
//     [--python python3] [--out results.json] [--page docs/versus.md] [--quick]
//
// Build first (`npm run build`): ours runs the built library. What was prepared, and what a method answered, is kept in the
// cache and used again until the data, the method's settings, its version or the built library change; --fresh does all
// again. --quick is one small made-up data set and the fast peers, and fails if a method does. acs has to be asked for: MCGrad
// takes twenty minutes for one seed and one base score, HKRR may reach the limit (in seconds, for one method and case). acs:1 is
// acs with one seed, whatever --seeds says; seeds are counted from --from.

import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem, type } from 'node:os'
import { fileURLToPath } from 'node:url'
import { commandOf, readArguments, type Settings } from './arguments.ts'
import { environmentVersions, prepareEnvironment } from './environment.ts'
import { writePage } from './page.ts'
import type { Workshop } from './processes.ts'
import { type CaseResult, type Run, toJson } from './results.ts'
import { runCase } from './runCase.ts'
import { printTables } from './tables.ts'

async function main(): Promise<void> {
  const settings = readArguments(process.argv.slice(2))
  requireBuild()
  const python = prepareEnvironment(settings.cache, settings.python)
  const { cache, fresh, limit, threads } = settings
  const shop: Workshop = { cache, fresh, limit, threads, python, versions: environmentVersions(python) }
  const cases: CaseResult[] = []
  for (const { name: data, seeds } of settings.data) {
    for (const calibrationRows of settings.calibrationRows) {
      for (const seed of seeds) {
        const id = { data, seed, ...(calibrationRows !== undefined && { calibrationRows }) }
        cases.push(...(await runCase(shop, settings, id, text => console.error(text))))
        // After every case, so that an interrupted run leaves what it has.
        if (settings.out !== undefined)
          writeFileSync(settings.out, `${toJson(describeRun(settings, shop, cases))}\n`)
      }
    }
  }
  const run = describeRun(settings, shop, cases)
  console.log(printTables(run))
  if (settings.page !== undefined) writeFileSync(settings.page, writePage(run))
  if (settings.quick) checkQuick(run)
}

const CORE = fileURLToPath(new URL('../../packages/core/dist/index.js', import.meta.url))

function requireBuild(): void {
  if (!existsSync(CORE)) throw new Error('The library is not built: run `npm run build` first.')
}

function describeRun(settings: Settings, shop: Workshop, cases: readonly CaseResult[]): Run {
  const titles = settings.methods.map(({ name, title }) => [name, title] as const)
  return {
    command: commandOf(process.argv.slice(2)),
    date: new Date().toISOString().slice(0, 10),
    commit: commitOf(),
    machine: {
      processor: cpus()[0]?.model.trim() ?? 'unknown',
      cores: cpus().length,
      memoryGiB: Math.round(totalmem() / 2 ** 30),
      system: `${type()} ${release()}`,
    },
    threads: settings.threads,
    seeds: settings.seeds,
    versions: { Node: process.version.slice(1), ...shop.versions },
    titles: Object.fromEntries(titles),
    cases,
  }
}

function commitOf(): string {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], {
      encoding: 'utf8',
      cwd: fileURLToPath(new URL('.', import.meta.url)),
    }).trim()
  } catch {
    return 'unknown'
  }
}

/** Here no method has a reason to fail: each is small work for it. */
function checkQuick({ cases }: Run): void {
  const failed = cases.flatMap(({ methods }) =>
    Object.entries(methods).flatMap(([name, result]) =>
      'failed' in result ? [`${name}: ${result.failed}`] : [],
    ),
  )
  const count = cases.reduce((sum, { methods }) => sum + Object.keys(methods).length, 0)
  for (const each of failed) console.log(`failed: ${each}`)
  console.log(`versus: ${count - failed.length} passed, ${failed.length} failed`)
  if (failed.length > 0) process.exitCode = 1
}

await main()
