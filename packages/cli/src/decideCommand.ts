// The flags of featureboost decide.

import { AUDIT_OPTIONS, DECIDE_OPTIONS, OPTIONS } from '@featureboost/core/internal'
import type { Command } from 'commander'
import { asciiFlag, GROUPS_HELP, needs, numberWithin, plainFlag } from './flags.ts'

const anyCost = numberWithin({ type: 'number', min: 0, max: 1e12, help: '' })

export function declareDecide(command: Command): void {
  command
    .option('--model <file>', 'a model file')
    .option('--cost-fp <cost>', 'what a false positive costs: "yes" where the outcome is 0', anyCost)
    .option('--cost-fn <cost>', 'what a false negative costs: "no" where the outcome is 1', anyCost)
    .option(
      '--threshold <score>',
      '"yes" from this score on: costs in the proportion that makes it the best threshold',
      numberWithin({ type: 'number', min: 0, max: 1, open: true, help: '' }),
    )
    .option('--losses <@file.json>', 'a list of losses, also of more actions than two; see docs/decide.md')
    .option('--groups <groups>', `what rules may look at besides the score, ${GROUPS_HELP}`)
    .addOption(plainFlag('protect', DECIDE_OPTIONS.protect))
    .addOption(plainFlag('bins', AUDIT_OPTIONS.bins))
    .addOption(plainFlag('confidence', AUDIT_OPTIONS.confidence))
    .addOption(plainFlag('draws', DECIDE_OPTIONS.draws))
    .addOption(plainFlag('seed', DECIDE_OPTIONS.seed))
    .addOption(plainFlag('threads', OPTIONS.threads))
    .option('--out <file>', 'the data again with corrected scores and actions: .parquet, .csv, .tsv, .csv.gz')
    .option('--as <column>', 'name of the column of corrected scores', 'corrected')
    .option('--neutralise', "put ' before text that a spreadsheet would run as a formula (CSV)", false)
    .option('--force', 'overwrite --out', false)
    .option('--json', 'print one JSON document', false)
    .addOption(asciiFlag())
    .addHelpText(
      'after',
      `
Examples:
  featureboost decide test.csv --model loans.fb.json --cost-fp 1 --cost-fn 5
  featureboost decide new.csv --model loans.fb.json --threshold 0.2 --out actions.csv
  featureboost decide test.csv --model loans.fb.json --losses @losses.json --protect region`,
    )
    .action(async (paths, options) => (await import('./commands/decide.ts')).runDecide(paths, options))
  needs(command, '--model')
}
