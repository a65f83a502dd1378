import { killFits } from '../../kill.ts'
import { type Claim, counted, type Outcome, type Run } from '../claim.ts'

async function measure({ say, size }: Run): Promise<Outcome> {
  try {
    const { fits, kills, resumes, stepsFound } = await killFits({ kills: size, jobs: 1, say })
    return {
      kept: true,
      figure: `${counted(kills, 'kill')} of ${counted(fits, 'fit')}: all ended with the bytes of the undisturbed fit and left nothing else behind; ${counted(resumes, 'start')} found ${counted(stepsFound, 'step')} to continue from.`,
    }
  } catch (error) {
    const problem = (error as Error).message
    return { kept: false, figure: problem, problems: [problem] }
  }
}

export const killedFits: Claim = {
  id: 'R11',
  title: 'kill -9 while a model is fitted',
  promised:
    '`fit --checkpoint --resume`, killed at random moments again and again, ends with the bytes of an undisturbed fit; each kill makes at most one step be computed twice.',
  anchor: 'XGBoost tests that 4 rounds and 4 more equal 8; DuckDB tests with fork and SIGKILL.',
  by: { unit: 'kills', long: 1000, measure },
}
