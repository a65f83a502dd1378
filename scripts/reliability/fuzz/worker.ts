// Reads mutants of one kind, from one number to another, in a process of its own: should a reader crash it or never end, whoever started it
// knows at which number.
//
//   worker.ts KIND SEED FROM TO FOLDER

import { closeSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { makeMutant } from './mutate.ts'
import { FUZZ_KINDS } from './readers.ts'
import type { Finding, WorkerReport } from './run.ts'

const [kind, seed, from, to, folder] = process.argv.slice(2)
const { read, stock } = FUZZ_KINDS[kind]
const files = await stock()
const place = openSync(join(folder, 'number'), 'w')
const outcomes: Record<string, number> = {}
const findings: Finding[] = []
let slowest = { ms: 0, number: 0 }
for (let number = Number(from); number < Number(to); number++) {
  writeSync(place, String(number).padEnd(12), 0)
  const { bytes, how } = makeMutant(files, Number(seed), number)
  const before = process.cpuUsage()
  try {
    const outcome = await read(bytes, join(folder, 'work'))
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
  } catch (error) {
    const file = join(folder, `${kind.replaceAll(' ', '-')}-${seed}-${number}`)
    writeFileSync(file, bytes)
    findings.push({
      number,
      how,
      file,
      problem: error instanceof Error ? (error.stack ?? error.message) : String(error),
    })
  }
  const { system, user } = process.cpuUsage(before)
  const ms = (system + user) / 1000
  // The first one compiles the code.
  if (ms > slowest.ms && number > Number(from)) slowest = { ms, number }
}
closeSync(place)
mkdirSync(join(folder, 'work'), { recursive: true })
rmSync(join(folder, 'work'), { recursive: true })
const report: WorkerReport = {
  ...{ outcomes, findings, slowest },
  peakBytes: 1024 * process.resourceUsage().maxRSS,
}
writeFileSync(join(folder, 'report.json'), JSON.stringify(report))
