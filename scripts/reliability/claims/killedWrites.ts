import { type Claim, counted, type Outcome, type Run } from '../claim.ts'
import { killWrites } from '../kills.ts'
import { WRITINGS } from '../writing.ts'

async function measure(run: Run): Promise<Outcome> {
  const { kills, leftFiles, newFiles, oldFiles, problems } = await killWrites(run)
  return {
    kept: problems.length === 0,
    figure: `${counted(kills, 'kill')} of ${WRITINGS.length} commands: ${counted(oldFiles, 'output')} the old file, ${newFiles.toLocaleString('en-US')} the new one, whole; ${counted(problems.length, 'anything else', 'anything else')}. ${counted(leftFiles, 'kill')} left a temporary file beside the output, which the next run took away.`,
    problems,
  }
}

export const killedWrites: Claim = {
  id: 'R12',
  title: 'kill -9 while files are written',
  promised: `Every command that writes (${WRITINGS.map(({ name }) => name).join(', ')}), killed at random moments, most of them while its output is under way, leaves the old file or the new one, whole; the next run works.`,
  anchor:
    'LightGBM: 0 of 60 killed saves left a whole file (measured). SQLite: 100 repeats of its crash test.',
  by: { unit: 'kills', short: WRITINGS.length, long: 1000, measure },
}
