import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Claim, counted, type Outcome, type Run } from '../claim.ts'
import type { SoakReport } from '../soak.ts'

const SOAK = fileURLToPath(new URL('../soak.ts', import.meta.url))
/** After a fifth of the work, what is needed is there. */
const MOST_GROWTH = 32 * 2 ** 20

async function measure({ size }: Run): Promise<Outcome> {
  const text = execFileSync(process.execPath, ['--expose-gc', '--import', 'tsx', SOAK, String(size)], {
    encoding: 'utf8',
  })
  const { aborts, bytes, fits, resources, threads }: SoakReport = JSON.parse(text)
  const growth = bytes.late - bytes.early
  const problems: string[] = []
  if (threads !== undefined && threads.after > threads.before)
    problems.push(`${threads.before} threads before, ${threads.after} after`)
  if (resources.after > resources.before)
    problems.push(`${resources.before} open handles before, ${resources.after} after`)
  if (growth > MOST_GROWTH)
    problems.push(`${Math.ceil(growth / 2 ** 20)} MiB more at the end than after a fifth`)
  const mebibytes = (value: number) => `${Math.round(value / 2 ** 20)} MiB`
  return {
    kept: problems.length === 0,
    figure: `${counted(fits, 'fit')} and ${counted(size, 'fit')} cancelled at random moments (${aborts} of them before they were done) in one process: ${threads?.before} threads before, ${threads?.after} after; ${resources.before} handles before, ${resources.after} after; memory ${mebibytes(bytes.early)} after a fifth of them and ${mebibytes(bytes.late)} at the end.`,
    problems,
  }
}

export const soakClaim: Claim = {
  id: 'R16',
  title: 'Soak',
  promised:
    'Hundreds of fits and cancelled fits in one process release their threads and their memory. A server under overload is not part of this yet.',
  anchor: 'Fastify tests timeouts and overflow.',
  by: { unit: 'fits, and as many cancelled ones', short: 15, long: 200, measure },
}
