// The flags of `featureboost report`.

import { AUDIT_OPTIONS, OPTIONS } from '@featureboost/core/internal'
import type { Command } from 'commander'
import { AUDIT_FLAGS, asciiFlag, flagOf, GROUPS_HELP, needs, plainFlag } from './flags.ts'

export function declareReport(command: Command): void {
  command
    .option('--label <column>', `${OPTIONS.label.help} (default with --model: the label of the model)`)
    .option('--prediction <column>', AUDIT_OPTIONS.prediction.help)
    .option('--model <file>', 'show what this model changes: before and after')
    .option('--groups <groups>', GROUPS_HELP)
    .option('--out <file>', 'where to write the report, an HTML file; - for stdout')
    .option('--force', 'overwrite --out', false)
    .option('--comparison <file>', 'what compare --json printed: methods side by side')
    .option('--include-rows', 'also the rows that moved most, as they are in the data', false)
  for (const name of [...AUDIT_FLAGS, 'except'] as const) {
    const flag = plainFlag(name, AUDIT_OPTIONS[name])
    command.addOption(name === 'segmentDepth' ? flagOf(name, AUDIT_OPTIONS[name]).default(2) : flag)
  }
  command
    .option('--json', 'print one JSON document', false)
    .addOption(asciiFlag())
    .addHelpText(
      'after',
      `
Examples:
  featureboost report loans.csv --label defaulted --prediction score --out report.html
  featureboost report loans.csv --model loans.fb.json --out report.html`,
    )
    .action(async (paths, options) => (await import('./commands/report.ts')).runReport(paths, options))
  needs(command, '--out')
}
