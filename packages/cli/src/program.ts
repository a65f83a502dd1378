// The command line, declared: commands, flags, help. Data goes to stdout, progress to stderr.

import { VERSION } from '@featureboost/core'
import { AUDIT_OPTIONS, COMPARE_OPTIONS, OPTIONS } from '@featureboost/core/internal'
import { Argument, Command, Help, Option } from 'commander'
import { runCompletion, SHELLS } from './commands/completion.ts'
import { runDemo } from './commands/demo.ts'
import { runPlan } from './commands/plan.ts'
import { runShow } from './commands/show.ts'
import { dataCommand, engineFlags, engineName, sparkFlags } from './dataCommand.ts'
import { declareDecide } from './decideCommand.ts'
import { declareExport } from './exportCommand.ts'
import {
  AUDIT_FLAGS,
  asciiFlag,
  COMPARE_FLAGS,
  chooseFrom,
  configFlag,
  FIT_FLAGS,
  flagOf,
  fromTable,
  GROUPS_HELP,
  needs,
  numberWithin,
  plainFlag,
  wholeNumber,
} from './flags.ts'
import { declareImport } from './importCommand.ts'
import { declareMonitor } from './monitorCommand.ts'
import { declareReport } from './reportCommand.ts'
import { declareServe } from './serveCommand.ts'
import { visiblePage } from './terminal/width.ts'

const DEMO_FILE = 'featureboost-demo.fb.json'

export function makeProgram(): Command {
  const program = new Command('featureboost')
    .description('Probabilities that are right for every group, with a certificate anyone can re-compute.')
    .version(VERSION)
    .showHelpAfterError('(run featureboost --help for all commands)')
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeErr: text => process.stderr.write(visiblePage(text)),
      outputError: (text, write) => write(text.replace(/^error: /, 'FB_USAGE: ')),
    })
    .configureHelp({ optionDescription: describeOption })
    .addHelpText(
      'after',
      `
Examples:
  featureboost demo
  featureboost fit loans.csv --label defaulted --prediction score --out loans.fb.json
  featureboost predict new.csv --model loans.fb.json --out scored.csv
  featureboost audit test.csv --model loans.fb.json --fail-over 0.03`,
    )
  addFit(program)
  addPredict(program)
  declareExport(program)
  declareImport(program)
  declareDecide(
    dataCommand(program, 'decide', 'the best action for every row by what errors cost, and what it costs'),
  )
  addAudit(program)
  declareReport(dataCommand(program, 'report', 'the audit, or before and after, as one HTML file'))
  declareMonitor(
    dataCommand(program, 'monitor', 'is a model still right? Batch after batch, however often you look', [
      '<state>',
      'a file that keeps what was seen; --start makes it',
    ]),
  )
  addCompare(program)
  addVerify(program)
  addKeys(program)
  addSign(program)
  declareServe(program.command('serve'))
  addStudio(program)
  addDemo(program)
  addPlan(program)
  addShow(program)
  addCompletion(program)
  return program
}

/** That a flag which stands alone is off unless it is given goes without saying. */
function describeOption(option: Option): string {
  return new Help().optionDescription(option).replace(/ ?\(default: (false|true)\)/, '')
}

// Commands that read data load DuckDB, which takes a moment; the others do without.
function addFit(program: Command): void {
  const command = dataCommand(
    program,
    'fit',
    'correct a score for every group: from data to a certified model',
  )
  for (const name of [...FIT_FLAGS, 'except'] as const) command.addOption(plainFlag(name, OPTIONS[name]))
  engineFlags(command)
  command
    .option(
      '--auditors <class>',
      'trees, trees:3 (a depth), linear, groups:sex,race or groups:@file.json (as --groups)',
      'trees',
    )
    .option('--groups <groups>', `what the audit before and after looks at, ${GROUPS_HELP}`)
    .option('--out <file>', 'where to write the model')
    .option('--force', 'overwrite --out, --report and --protect-out', false)
    .option('--checkpoint <folder>', 'keep every round here until the model is written')
    .option('--resume', 'go on with the fit that --checkpoint has kept, if there is one', false)
    .option('--no-audit', 'no audit before and after; for many rows, where it takes long')
    .addOption(plainFlag('budget', AUDIT_OPTIONS.budget))
    .option('--fail-if-worse', 'end with code 4 if held-out rows say that the score got worse', false)
    .option('--report <file>', 'also write before and after as one HTML file')
    .option('--protect-out <file>', 'also write the table of protected groups as CSV')
    .option('--details', 'all measures, charts, how it came about, and the certificate', false)
    .option('--json', 'print one JSON document', false)
    .addOption(asciiFlag())
    .addHelpText(
      'after',
      `
Examples:
  featureboost fit loans.csv --label defaulted --prediction score --out loans.fb.json
  featureboost fit 'part-*.parquet' --label y --prediction p --except id --group-by person --out m.fb.json
  featureboost fit bank.duckdb --sql "select * from loans where year < 2024" --label y --out m.fb.json
  featureboost fit large.parquet --label y --prediction p --checkpoint kept --resume --out m.fb.json
  featureboost fit larger.parquet --label y --prediction p --engine duckdb --memory 2GB --out m.fb.json
  featureboost fit --engine sc://spark:15002 --table main.bank.loans --label y --prediction p --out m.fb.json`,
    )
    .action(async (paths, options) => (await import('./commands/fit.ts')).runFit(paths, options))
  needs(command, '--label', '--out')
}

function addPredict(program: Command): void {
  const command = dataCommand(program, 'predict', 'the data again, with the corrected score of every row')
    .option('--model <file>', 'a model file')
    .option('--rounded [bins]', 'round to bin means, as multicalibration asks for', wholeNumber)
    .option('--out <file>', '.parquet, .csv, .tsv, .csv.gz, or - for CSV on stdout', '-')
    .addOption(
      new Option('--engine <name>', 'where rows are: memory, or sc://host:port/;token=... (Spark)').argParser(
        engineName,
      ),
    )
    .option('--out-table <name>', 'with --engine sc://..., the table to write')
    .option('--as <column>', 'name of the new column', 'corrected')
    .option('--neutralise', "put ' before text that a spreadsheet would run as a formula (CSV)", false)
    .option('--force', 'overwrite --out or --out-table', false)
    .option('--json', 'print one JSON document', false)
    .addHelpText(
      'after',
      `
Examples:
  featureboost predict new.csv --model loans.fb.json --out scored.parquet
  cat new.csv | featureboost predict - --model loans.fb.json > scored.csv
  featureboost predict --engine sc://spark:15002 --table main.bank.new --model m.fb.json --out-table main.bank.scored`,
    )
    .action(async (paths, options) => (await import('./commands/predict.ts')).runPredict(paths, options))
  sparkFlags(command)
  needs(command, '--model')
}

function addAudit(program: Command): void {
  const command = dataCommand(program, 'audit', 'how wrong a score is, for which groups, and is it noise?')
    .option('--label <column>', `${OPTIONS.label.help} (default with --model: the label of the model)`)
    .option('--prediction <column>', AUDIT_OPTIONS.prediction.help)
    .option('--model <file>', 'audit what this model predicts')
    .option('--groups <groups>', GROUPS_HELP)
  for (const name of [...AUDIT_FLAGS, 'except'] as const) {
    const flag = plainFlag(name, AUDIT_OPTIONS[name])
    command.addOption(name === 'segmentDepth' ? flagOf(name, AUDIT_OPTIONS[name]).default(2) : flag)
  }
  engineFlags(command)
  command
    .option(
      '--fail-over <error>',
      'end with code 4 if the worst multicalibration error on the rows can be over this',
      numberWithin({ type: 'number', min: 0, max: 1, help: '' }),
    )
    .option('--fail-on-finding', 'end with code 4 if any group is surely off', false)
    .option(
      '--max-gap <gap>',
      'end with code 4 if a group is surely off by more than this',
      numberWithin({ type: 'number', min: 0, max: 1, help: '' }),
    )
    .option('--report <file>', 'also write the audit as one HTML file')
    .option('--protect-out <file>', 'also write the table of protected groups as CSV')
    .option('--force', 'overwrite --report and --protect-out', false)
    .option('--details', 'also z and p of every group, and how many were searched', false)
    .option('--baseline <file>', 'what audit --json printed earlier: what changed, what got worse')
    .addOption(
      chooseFrom(new Option('--format <format>', 'how to print'), ['text', 'markdown', 'json']).default(
        'text',
      ),
    )
    .option('--json', 'the same as --format json', false)
    .addOption(asciiFlag())
    .addHelpText(
      'after',
      `
Examples:
  featureboost audit loans.csv --label defaulted --prediction score
  featureboost audit test.parquet --model loans.fb.json --fail-over 0.03 --format markdown
  featureboost audit new.csv --model loans.fb.json --baseline audit-of-may.json`,
    )
    .action(async (paths, options) => (await import('./commands/audit.ts')).runAudit(paths, options))
}

function addVerify(program: Command): void {
  const command = dataCommand(
    program,
    'verify',
    'compute the certificate of a model again; code 4 if it says something else',
  )
    .option('--model <file>', 'a model file')
    .option(
      '--expect <facts>',
      'what the file is to claim, as epsilon=0.05,holdout=0.2 or @file.json; may be given again',
      (text: string, before: readonly string[] = []) => [...before, text],
    )
    .option('--refit', 'repeat the fit too, and compare the whole file byte by byte', false)
    .option('--key <file>', 'a public key: the file has to be signed with its private one')
    .option('--signature <file>', 'the signature (default: the name of the model with .sig)')
    .addOption(plainFlag('threads', OPTIONS.threads))
    .option('--json', 'print one JSON document', false)
    .addOption(asciiFlag())
    .addHelpText(
      'after',
      `
Examples:
  featureboost verify loans.csv --model loans.fb.json
  featureboost verify loans.csv --model loans.fb.json --refit --expect epsilon=0.05,holdout=0.2
  featureboost verify loans.csv --model loans.fb.json --key bank.public.pem`,
    )
    .action(async (paths, options) => (await import('./commands/verify.ts')).runVerify(paths, options))
  engineFlags(command)
  needs(command, '--model')
}

function addCompare(program: Command): void {
  const command = dataCommand(
    program,
    'compare',
    'which method corrects a score best, on rows it has not seen?',
  )
  for (const name of [...COMPARE_FLAGS, 'except'] as const)
    command.addOption(plainFlag(name, COMPARE_OPTIONS[name]))
  command
    .addOption(
      chooseFrom(new Option('--format <format>', 'how to print (default: by --out, else table)'), FORMATS),
    )
    .option('--json', 'the same as --format json', false)
    .option('--out <file>', 'where to write it; then the recommendation alone is printed')
    .option('--force', 'overwrite --out', false)
    .addOption(asciiFlag())
    .addHelpText(
      'after',
      `
Examples:
  featureboost compare loans.csv --label defaulted --prediction score
  featureboost compare loans.csv --label defaulted --prediction score --methods forest,rounds --folds 10
  featureboost compare loans.csv --label defaulted --prediction score --group-by person --out methods.md`,
    )
    .action(async (paths, options) => (await import('./commands/compare.ts')).runCompare(paths, options))
  needs(command, '--label', '--prediction')
}

function addStudio(program: Command): void {
  program
    .command('studio')
    .description('the web page: load, audit, fit and take home, all on this machine')
    .option('--port <n>', 'a port of your choice (default: a free one)', wholeNumber)
    .option('--no-open', 'print the address and start no browser')
    .addHelpText('after', '\nExamples:\n  featureboost studio\n  featureboost studio --no-open --port 8080')
    .action(async options => (await import('./commands/studio.ts')).runStudio(options))
}
/** Of a comparison. */
const FORMATS = ['table', 'markdown', 'json']

function addDemo(program: Command): void {
  program
    .command('demo')
    .description('fit, audit and certify a made-up lending population whose truth is known')
    .option('--rows <n>', 'applicants to make up', wholeNumber, 100_000)
    .addOption(fromTable('seed', 7))
    .addOption(fromTable('epsilon'))
    .option('--out <file>', `where to write the model (default: ${DEMO_FILE}, overwritten)`)
    .option('--csv <file>', 'also write the applicants there, a table to try the other commands on')
    .option('--force', 'overwrite --out and --csv', false)
    .option('--details', 'all measures, charts, how it came about, and the certificate', false)
    .option('--json', 'print one JSON document', false)
    .addOption(asciiFlag())
    .addOption(configFlag())
    .option('--quiet', 'no progress', false)
    .addHelpText(
      'after',
      '\nExamples:\n  featureboost demo\n  featureboost demo --rows 10000 --csv loans.csv\n  featureboost demo --rows 20000 --epsilon 0.1 --json > demo.json',
    )
    .action(options =>
      runDemo({
        ...options,
        out: options.out ?? DEMO_FILE,
        overwrite: options.out === undefined || options.force,
      }),
    )
}

function addPlan(program: Command): void {
  program
    .command('plan')
    .description('what an error of epsilon asks for: tolerance, bins, rounds, rows')
    .addOption(fromTable('epsilon'))
    .addOption(fromTable('guarantee'))
    .addOption(fromTable('factors', 'table'))
    .option('--depth <n>', 'depth of the auditing trees', wholeNumber, 2)
    .option('--features <n>', 'columns they look at', wholeNumber, 10)
    .option('--rows <n>', 'held-out rows at hand', wholeNumber)
    .option('--json', 'print one JSON document', false)
    .addOption(configFlag())
    .addHelpText(
      'after',
      '\nExamples:\n  featureboost plan --epsilon 0.05\n  featureboost plan --epsilon 0.02 --guarantee level-set --rows 1000000',
    )
    .action(options => runPlan(options))
}

function addShow(program: Command): void {
  program
    .command('show')
    .description('a model file in words: updates, columns, certificate')
    .argument('<model>', 'a model file')
    .option('--json', 'print one JSON document', false)
    .addOption(asciiFlag())
    .addHelpText('after', `\nExample:\n  featureboost show ${DEMO_FILE}`)
    .action((path, options) => runShow(path, options))
}

function addKeys(program: Command): void {
  const command = program
    .command('keys')
    .description('a pair of keys to sign model files with')
    .option('--out <name>', 'writes NAME.private.pem, for you alone, and NAME.public.pem')
    .option('--force', 'overwrite them', false)
    .option('--json', 'print one JSON document', false)
    .addHelpText('after', '\nExample:\n  featureboost keys --out bank')
    .action(async options => (await import('./commands/sign.ts')).runKeys(options))
  needs(command, '--out')
}

function addSign(program: Command): void {
  const command = program
    .command('sign')
    .description('sign a model file; verify --key checks it')
    .argument('<model>', 'a model file')
    .option('--key <file>', 'your private key')
    .option('--out <file>', 'where to write the signature (default: the name of the model with .sig)')
    .option('--force', 'overwrite it', false)
    .option('--json', 'print one JSON document', false)
    .addHelpText('after', '\nExample:\n  featureboost sign loans.fb.json --key bank.private.pem')
    .action(async (path, options) => (await import('./commands/sign.ts')).runSign(path, options))
  needs(command, '--key')
}

function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('a script that teaches your shell these commands and flags')
    .addArgument(chooseFrom(new Argument('<shell>', 'which shell'), SHELLS))
    .addHelpText(
      'after',
      `
Examples:
  source <(featureboost completion bash)          # in ~/.bashrc
  source <(featureboost completion zsh)           # in ~/.zshrc, after compinit
  featureboost completion fish | source           # in ~/.config/fish/config.fish`,
    )
    .action(shell => runCompletion(shell, program))
}
