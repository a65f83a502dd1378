// The command line, declared: commands, flags, help. Data goes to stdout, progress to stderr.

import { describeRange, OPTIONS, type OptionName } from '@featureboost/core'
import { Command, InvalidArgumentError, Option } from 'commander'
import { runDemo } from './commands/demo.ts'
import { runPlan } from './commands/plan.ts'
import { runShow } from './commands/show.ts'

const DEMO_FILE = 'featureboost-demo.fb.json'

export function makeProgram(): Command {
  const program = new Command('featureboost')
    .description('Probabilities that are right for every group, with a certificate anyone can re-compute.')
    .version('0.1.0')
    .showHelpAfterError('(run featureboost --help for all commands)')
    .showSuggestionAfterError()
    .exitOverride()
  addDemo(program)
  addPlan(program)
  addShow(program)
  return program
}

function addDemo(program: Command): void {
  program
    .command('demo')
    .description('fit, audit and certify a made-up lending population whose truth is known')
    .option('--rows <n>', 'applicants to make up', wholeNumber, 100_000)
    .addOption(fromTable('seed', 7))
    .addOption(fromTable('epsilon'))
    .option('--out <file>', `where to write the model (default: ${DEMO_FILE}, overwritten)`)
    .option('--force', 'overwrite --out', false)
    .option('--json', 'print one JSON document', false)
    .option('--quiet', 'no progress', false)
    .addHelpText(
      'after',
      '\nExamples:\n  featureboost demo\n  featureboost demo --rows 20000 --epsilon 0.1 --json > demo.json',
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
    .addHelpText('after', `\nExample:\n  featureboost show ${DEMO_FILE}`)
    .action((path, options) => runShow(path, options))
}

/** A flag with the type, range, default and help of the library's option of that name. */
function fromTable(name: OptionName, fallback?: number | string): Option {
  const spec = OPTIONS[name]
  const option = new Option(`--${name} <value>`, spec.help)
  if (spec.type === 'choice') option.choices(spec.choices)
  if (spec.type === 'number' || spec.type === 'integer') {
    option.argParser((text: string) => {
      const value = Number(text)
      const inside =
        'open' in spec && spec.open
          ? value > spec.min && value < spec.max
          : value >= spec.min && value <= spec.max
      const whole = spec.type === 'number' || Number.isInteger(value)
      if (text.trim() === '' || !inside || !whole)
        throw new InvalidArgumentError(`Expected ${describeRange(spec)}.`)
      return value
    })
  }
  return option.default(fallback ?? ('default' in spec ? spec.default : undefined))
}

function wholeNumber(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1) return value
  throw new InvalidArgumentError('Expected a whole number from 1.')
}
