import { type Claim, counted, type Outcome, type Run } from '../claim.ts'
import { runScript, runSuites } from '../suites.ts'

const DRAWS = 50

interface Found {
  readonly certificates: readonly {
    readonly name: string
    readonly kind: string
    readonly draws: number
    readonly falseOnes: number
    readonly reached: boolean
  }[]
}

async function measure({ folder, say, size }: Run): Promise<Outcome> {
  say('worlds')
  const worlds = ['--only', 'certificates', '--worlds', String(size), '--draws', String(DRAWS), '--json']
  const { isWell, text } = runScript(['bench/worlds.ts', ...worlds])
  if (!isWell) return { kept: false, figure: 'bench/worlds.ts failed.', problems: [text.slice(-500)] }
  const all = (JSON.parse(text) as Found).certificates.filter(({ kind }) => kind === 'all')
  const broken = all.filter(({ reached }) => !reached).map(({ name }) => name)
  const shares = all.map(
    ({ draws, falseOnes, name }) => `${name} ${falseOnes} of ${draws.toLocaleString('en-US')}`,
  )
  say('forgeries')
  const forged = runSuites(folder, ['packages/core/test/verify/forgeries.test.ts'])
  return {
    kept: broken.length === 0 && forged.failed === 0 && forged.passed > 0,
    figure: `${counted(size, 'simulated world')} x ${DRAWS} draws, false certificates at 95 %: ${shares.join('; ')}. Of forged model files, ${forged.passed} checks hold and ${forged.failed} fail.`,
    problems: [...broken, ...forged.problems],
  }
}

export const certificates: Claim = {
  id: 'R20',
  title: 'Certificates',
  promised:
    'At most one in 20 certificates for new rows at confidence 95 % is false, in worlds whose truth is known; a file whose numbers are not borne out by its rows is found by `verify`, `--expect` or `--refit` ([checked against the truth](truth.md)).',
  anchor: 'MCGrad: the p-value of its error is "not adjusted for multiple testing".',
  by: { unit: 'worlds', long: 200, measure },
}
