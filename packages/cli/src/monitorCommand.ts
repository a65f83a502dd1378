// The flags of `featureboost monitor`.

import { BATCH_OPTIONS, MONITOR_OPTIONS } from '@featureboost/core/internal'
import type { Command } from 'commander'
import { asciiFlag, GROUPS_HELP, needs, plainFlag } from './flags.ts'

export function declareMonitor(command: Command): void {
  command
    .option('--model <file>', 'the model to watch')
    .option('--start', 'begin: the data are the reference, rows as they usually are', false)
  for (const name of ['delta', 'maxGap', 'protect', 'columns'] as const)
    command.addOption(plainFlag(name, MONITOR_OPTIONS[name]))
  command
    .option('--groups <groups>', `groups to watch by name, ${GROUPS_HELP}`)
    .option('--batch <name>', 'what the batch is called, such as its day (default: the name of the file)')
    .option('--again', BATCH_OPTIONS.again.help, false)
    .option('--unlabelled', BATCH_OPTIONS.unlabelled.help, false)
    .option('--dry-run', 'say what the batch shows, and record nothing', false)
    .option('--fail-on-alarm', 'end with code 4 if the score is surely off for some group', false)
    .option(
      '--fail-on-drift',
      'end with code 4 if a column or the score is surely not as in the reference',
      false,
    )
    .option('--report <file>', 'also write everything as one HTML file')
    .option('--force', 'overwrite --report, and with --start the state', false)
    .option('--json', 'print one JSON document', false)
    .addOption(asciiFlag())
    .addHelpText(
      'after',
      `
Examples:
  featureboost monitor watch.json loans.csv --model loans.fb.json --start --protect region
  featureboost monitor watch.json june.parquet --model loans.fb.json --fail-on-alarm
  featureboost monitor watch.json --model loans.fb.json --report watch.html`,
    )
    .action(async (state, paths, options) =>
      (await import('./commands/monitor.ts')).runMonitor(state, paths, options),
    )
  needs(command, '--model')
}
