// featureboost serve, declared.

import { type Command, Option } from 'commander'
import { chooseFrom, configFlag, needs, numberWithin, wholeNumber } from './flags.ts'
import { EVENTS } from './serve/log.ts'
import { LIMITS } from './serve/options.ts'

const PORT = { type: 'integer', min: 0, max: 65_535, help: '' } as const

export function declareServe(command: Command): void {
  const collect = (text: string, before: readonly string[] = []) => [...before, text]
  command
    .description('corrected scores over HTTP, from one model or several')
    .option(
      '--model <file>',
      'a model, or NAME=FILE; may be given again. The first one answers at /predict',
      collect,
    )
    .option('--host <address>', 'the address to listen at', '127.0.0.1')
    .option('--port <n>', 'the port to listen at; 0 for a free one', numberWithin(PORT), 8080)
    .option('--token-file <file>', 'clients have to send the token in this file (default: one is made up)')
    .option('--no-token', 'ask nobody for a token')
    .option('--rounded [bins]', 'predictions rounded to bin means, as predict has them', wholeNumber)
    .option('--body-limit <bytes>', `refuse larger bodies (default: ${LIMITS.bodyBytes})`, wholeNumber)
    .option('--row-limit <n>', `refuse more rows in one request (default: ${LIMITS.rows})`, wholeNumber)
    .option('--queue <n>', `requests that may wait; more get 503 (default: ${LIMITS.queue})`, wholeNumber)
    .option('--record <file>', 'append every row and its prediction to this file, a JSON object a line')
    .option('--no-watch', 'read model files again on SIGHUP only, and not when they change')
    .addOption(
      chooseFrom(new Option('--log <what>', 'what goes to stderr, as JSON a line').default('events'), EVENTS),
    )
    .addOption(configFlag())
    .addHelpText(
      'after',
      `
Examples:
  featureboost serve --model loans.fb.json
  featureboost serve --model loans.fb.json --model cards=other.fb.json --port 9000 --token-file token.txt`,
    )
    .action(async options => (await import('./commands/serve.ts')).runServe(options))
  needs(command, '--model')
}
