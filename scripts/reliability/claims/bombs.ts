import { BOMBS, tryBomb } from '../bombs.ts'
import type { Claim, Outcome, Run } from '../claim.ts'
import { wrongEnd } from '../program.ts'

/** Of the whole process; Node and DuckDB take 200 MiB of it whatever they read. */
const MOST_BYTES = 512 * 2 ** 20
const MOST_CPU_SECONDS = 5

async function measure({ folder, say }: Run): Promise<Outcome> {
  const problems: string[] = []
  let [cpu, bytes] = [0, 0]
  let [cpuOf, bytesOf] = ['', '']
  for (const bomb of BOMBS) {
    const ended = await tryBomb(bomb, folder)
    const wrong = wrongEnd(ended) ?? (ended.code === 0 ? 'accepted' : undefined)
    if (wrong !== undefined) problems.push(`${bomb.name}: ${wrong}`)
    if (ended.cpuSeconds > MOST_CPU_SECONDS) problems.push(`${bomb.name}: ${ended.cpuSeconds} s of CPU`)
    if (ended.peakBytes > MOST_BYTES) problems.push(`${bomb.name}: ${mebibytes(ended.peakBytes)} MiB`)
    if (ended.cpuSeconds > cpu) [cpu, cpuOf] = [ended.cpuSeconds, bomb.name]
    if (ended.peakBytes > bytes) [bytes, bytesOf] = [ended.peakBytes, bomb.name]
    say(bomb.name)
  }
  return {
    kept: problems.length === 0,
    figure: `${BOMBS.length} bombs: ${BOMBS.length - problems.length} refused within both limits; the most CPU ${cpu.toFixed(1)} s (${cpuOf}), the most memory ${mebibytes(bytes)} MiB (${bytesOf}), the start of the program included.`,
    problems,
  }
}

const mebibytes = (bytes: number): number => Math.ceil(bytes / 2 ** 20)

export const bombs: Claim = {
  id: 'R4',
  title: 'Bombs',
  promised: `Small files that unpack to something huge, or hold a huge amount of one thing (${BOMBS.map(({ name }) => name).join('; ')}), are refused with a code within ${MOST_CPU_SECONDS} s of CPU and 512 MiB for the whole process, of which Node and DuckDB take some 200 MiB whatever is read.`,
  anchor: 'DuckDB: by its security policy, unbounded memory use is not a vulnerability.',
  by: { unit: 'time through the list', short: 1, long: 1, measure },
}
