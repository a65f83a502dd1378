import { type Claim, counted, type Outcome, type Run } from '../claim.ts'
import { killWrites } from '../kills.ts'
import { WRITINGS } from '../writing.ts'

async function measure(run: Run): Promise<Outcome> {
  const { kills, leftFiles, newFiles, oldFiles, problems } = await killWrites(run)
  return {
    kept: problems.length === 0,
    figure: `${counted(kills, 'kill')} of ${WRITINGS.length} commands: ${counted(oldFiles, 'output')} held the old file, ${newFiles.toLocaleString('en-US')} the new one, intact; ${counted(problems.length, 'anything else', 'anything else')}. ${counted(leftFiles, 'kill')} left a temporary file next to the output, which the next run removed.`,
    problems,
  }
}

export const killedWrites: Claim = {
  id: 'R12',
  title: 'kill -9 while files are written',
  promised: `Every command that writes (${WRITINGS.map(({ name }) => name).join(', ')}), killed at random moments, mostly while its output is being written, leaves either the old file or the new one, intact; the next run works.`,
  anchor:
    'LightGBM: 0 of 60 killed saves left a complete file (measured). SQLite repeats its crash test 100 times.',
  by: { unit: 'kills', short: WRITINGS.length, long: 1000, measure },
}
