import { type Claim, counted, type Outcome, type Run } from '../claim.ts'
import { runSuites } from '../suites.ts'

async function measure({ folder }: Run): Promise<Outcome> {
  const { failed, passed, problems } = runSuites(folder, ['packages/core/test/measures/score/golden.test.ts'])
  return {
    kept: failed === 0 && passed > 0,
    figure: `${counted(passed, 'comparison')} with scikit-learn 1.7.2, relplot 1.0.3 and MCGrad 0.1.5 agree, ${failed} do not; the peers themselves are run again by \`.ci/peers\`.`,
    problems,
  }
}

export const measures: Claim = {
  id: 'R21',
  title: 'Measures',
  promised:
    'Measures of one score agree with those of scikit-learn, relplot and MCGrad on made-up and real data sets, to the last few digits where both compute the same thing.',
  anchor: 'the peers themselves',
  by: { unit: 'time through the data sets', long: 1, measure },
}
