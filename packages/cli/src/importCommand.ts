// featureboost import, declared.

import { SCORE_SCALES } from '@featureboost/core/internal'
import { type Command, Option } from 'commander'
import { chooseFrom, needs } from './flags.ts'

export function declareImport(program: Command): void {
  const command = program
    .command('import')
    .description('a model of MCGrad, or a calibration of scikit-learn, as a model file')
    .argument('<file>', "what MCGrad's serialize() gave, or parameters of scikit-learn as JSON")
    .option('--prediction <column>', 'the column of the score that the model corrects')
    .option('--label <column>', 'the column of the outcome, for audits and monitors')
    .addOption(
      chooseFrom(
        new Option('--scale <scale>', 'how the score is written (default: probability)'),
        SCORE_SCALES,
      ),
    )
    .option('--out <file>', 'where to write the model')
    .option('--force', 'overwrite --out', false)
    .option('--json', 'print one JSON document', false)
    .addHelpText(
      'after',
      `
Examples:
  featureboost import mcgrad.json --prediction score --label defaulted --out mcgrad.fb.json
  featureboost import isotonic.json --prediction score --label defaulted --out isotonic.fb.json
  featureboost import sigmoid.json --prediction margin --scale logit --label defaulted --out sigmoid.fb.json`,
    )
    .action(async (path, options) => (await import('./commands/import.ts')).runImport(path, options))
  needs(command, '--prediction', '--label', '--out')
}
