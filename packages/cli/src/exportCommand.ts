// featureboost export, declared.

import { DIALECT_NAMES, EXPORT_TARGETS } from '@featureboost/core/internal'
import { type Command, Option } from 'commander'
import { chooseFrom, columnList, needs, wholeNumber } from './flags.ts'

export function declareExport(program: Command): void {
  const command = program
    .command('export')
    .description('a model as SQL, JavaScript, Python or ONNX, to score where the rows are')
    .argument('<model>', 'a model file')
    .addOption(chooseFrom(new Option('--to <target>', 'what to write'), EXPORT_TARGETS))
    .option('--out <file>', 'where to write it; of JavaScript, its types go beside it')
    .option('--rounded [bins]', 'round to bin means, as multicalibration asks for', wholeNumber)
    .addOption(chooseFrom(new Option('--dialect <name>', 'of SQL: which database it is for'), DIALECT_NAMES))
    .option('--table <name>', 'of SQL: the table or view that holds the rows (default: data)')
    .option('--view <name>', 'of SQL: make a view of this name (default: the SELECT alone)')
    .option('--key <columns>', 'of SQL: keep these columns beside the score (default: all)', columnList)
    .option('--as <name>', 'of SQL and ONNX: the name of the corrected score (default: corrected)')
    .option('--force', 'overwrite --out', false)
    .option('--json', 'print one JSON document', false)
    .addHelpText(
      'after',
      `
Examples:
  featureboost export loans.fb.json --to sql --dialect postgres --table loans --view corrected_loans --out loans.sql
  featureboost export loans.fb.json --to js --out loans.mjs
  featureboost export loans.fb.json --to python --out loans_model.py
  featureboost export loans.fb.json --to onnx --out loans.onnx`,
    )
    .action(async (path, options) => (await import('./commands/export.ts')).runExport(path, options))
  needs(command, '--to', '--out')
}
