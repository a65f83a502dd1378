import { type Claim, counted, type Outcome, type Run } from '../claim.ts'
import { runSuites } from '../suites.ts'

const SUITES = ['packages/studio/test/views/report.test.ts', 'packages/cli/test/hostileNames.test.ts']

async function measure({ folder }: Run): Promise<Outcome> {
  const { failed, passed, problems } = runSuites(folder, SUITES)
  return {
    kept: failed === 0 && passed > 0,
    figure: `${counted(passed, 'test')} pass and ${failed} fail, in Chromium, from file://: names and values of scripts, images, styles, terminal escapes and formulas are shown as text; nothing is requested; what is let in on purpose is stopped by the policy of the page. Firefox and WebKit are not measured for reports.`,
    problems,
  }
}

export const reportSafety: Claim = {
  id: 'R19',
  title: 'Safe reports',
  promised:
    'Whatever columns and values are called, a report, the page and the terminal show it as text: no script runs, nothing is requested, no cell of a saved table is a formula, no escape sequence reaches the terminal.',
  anchor: 'Reports by Evidently and datapane are megabytes in size, or load scripts from elsewhere.',
  by: { unit: 'time through the suites', long: 1, measure },
}
