// Runs our fit on one case, as a process of its own, and writes what runner.py writes for the peers. Bundled for plain node by
// processes.ts; the library itself is the built one.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fitWithTrace, makeTable } from '@featureboost/core'
import { type PartName, readDoubles, readFacts, readPart, readyColumns, writeDoubles } from './arrays.ts'

interface Request {
  readonly prepared: string
  readonly scores: string
  readonly out: string
  readonly settings: object
  readonly threads: number
}

const { out, prepared, scores, settings, threads } = JSON.parse(
  readFileSync(process.argv[2], 'utf8'),
) as Request
const facts = readFacts(prepared)

// The names of the two cannot meet those of columns.
const [LABEL, SCORE] = [' label', ' score']

function load(part: PartName) {
  const { columns, label } = readPart(prepared, facts, part)
  return makeTable({
    ...readyColumns(facts.features, columns),
    [LABEL]: label,
    [SCORE]: readDoubles(join(scores, `${part}.f64`)),
  })
}

const cpuSeconds = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1e6
}

async function timed<T>(work: () => T | Promise<T>) {
  const [wall, cpu] = [performance.now(), cpuSeconds()]
  const result = await work()
  return { result, time: { wall: (performance.now() - wall) / 1000, cpu: cpuSeconds() - cpu } }
}

/** The high-water mark of this program's own memory: maxRSS also knows what the process was before it. */
function peakBytes(): number {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'ascii'))!
    return Number(kilobytes) * 1024
  } catch {
    return process.resourceUsage().maxRSS * 1024
  }
}

const [calibration, test] = [load('calibration'), load('test')]
const bytesBeforeFit = peakBytes()
const fitted = await timed(() =>
  fitWithTrace(calibration, { threads, ...settings, label: LABEL, prediction: SCORE }),
)
const { model, trace } = fitted.result
const predicted = await timed(() => model.predict(test))
const peak = peakBytes()
writeDoubles(join(out, 'test.f64'), predicted.result)
const notes = { rounds: trace.keptCount, stopped: trace.stopReason }
const measured = { fit: fitted.time, predict: predicted.time, peakBytes: peak, bytesBeforeFit, notes }
writeFileSync(join(out, 'measured.json'), JSON.stringify(measured))
