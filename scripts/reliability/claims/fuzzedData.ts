import { type Claim, counted, type Outcome, type Run } from '../claim.ts'
import { type FuzzReport, fuzz } from '../fuzz/run.ts'

/** Kinds of files, and their shares of the size: where readers are our own or two have to agree there is more to find. */
const SHARES: Readonly<Record<string, number>> = {
  csv: 0.33,
  'csv.gz': 0.05,
  'csv.zst': 0.02,
  json: 0.2,
  parquet: 0.3,
  'file of flags': 0.025,
  'file of groups': 0.025,
  'file of losses': 0.025,
  'file of expectations': 0.025,
}

/** Of a process that reads them one after the other, with DuckDB in it. */
const MEMORY_LIMIT = 2 ** 30

async function measure({ folder, say, size }: Run): Promise<Outcome> {
  const reports: FuzzReport[] = []
  for (const kind of Object.keys(SHARES)) {
    reports.push(await fuzz(kind, { count: Math.round(SHARES[kind] * size), seed: 1, folder }))
    say(`${kind}: ${reports.at(-1)!.findings.length} findings`)
  }
  const findings = reports.flatMap(({ findings, kind }) =>
    findings.map(({ how, number, problem }) => `${kind} ${number} (${how}): ${problem.split('\n')[0]}`),
  )
  const slowest = reports.reduce((worst, each) => (each.slowest.ms > worst.slowest.ms ? each : worst))
  const slow = reports.filter(each => each.slowest.ms > 1000)
  const peak = Math.max(...reports.map(each => each.peakBytes))
  const count = (part: string) =>
    reports.reduce((sum, { outcomes }) => sum + sumOf(outcomes, name => name.includes(part)), 0)
  return {
    kept: findings.length === 0 && slow.length === 0 && peak <= MEMORY_LIMIT,
    figure: `${counted(size, 'file')} (${reports.map(each => `${each.kind} ${each.count.toLocaleString('en-US')}`).join(', ')}): ${counted(findings.length, 'finding')}; ${counted(count('accepted by both'), 'table')} read the same by the command line and the page; the slowest took ${Math.ceil(slowest.slowest.ms)} ms of CPU (${slowest.kind}), the most memory ${Math.ceil(peak / 2 ** 20)} MiB.`,
    problems: [
      ...findings,
      ...slow.map(each => `${each.kind} ${each.slowest.number}: ${each.slowest.ms.toFixed(0)} ms of CPU`),
    ],
  }
}

const sumOf = (outcomes: Readonly<Record<string, number>>, fits: (name: string) => boolean): number =>
  Object.entries(outcomes).reduce((sum, [name, times]) => sum + (fits(name) ? times : 0), 0)

export const fuzzedData: Claim = {
  id: 'R3',
  title: 'Damaged tables and settings',
  promised:
    'CSV, packed CSV, JSON, NDJSON and Parquet, files of flags, groups, losses and expectations, with bytes flipped, cut, lost, doubled and moved and odd tokens inserted: either refused in words, with a code, or read, and then the command line (DuckDB) and the page (our own readers, hyparquet) read the same. No crash, nothing that takes over a second of CPU, memory within 1 GiB for a process that reads thousands.',
  anchor:
    'DuckDB: 3,600 s of OSS-Fuzz for every change; of 200 damaged Parquet files, 20 were read silently by DuckDB and 76 by hyparquet (measured).',
  by: { unit: 'files', short: 800, long: 1_000_000, measure },
}
