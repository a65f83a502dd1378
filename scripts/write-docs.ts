// Writes docs/errors.md and docs/options.md from the tables that the library itself checks against, and files that are copies of others.

import { copyFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BASELINES } from '../packages/core/src/baselines/baselines.ts'
import { ERROR_CODES } from '../packages/core/src/common/errors.ts'
import { COMPARE_OPTIONS } from '../packages/core/src/compare/compareOptions.ts'
import { DECIDE_OPTIONS } from '../packages/core/src/decide/options.ts'
import { BATCH_OPTIONS, MONITOR_OPTIONS } from '../packages/core/src/monitor/options.ts'
import { describeRange } from '../packages/core/src/options/check.ts'
import { AUDIT_OPTIONS, OPTIONS, type OptionSpec } from '../packages/core/src/options/options.ts'

const ORIGIN = (source: string) =>
  `This page is written by \`npm run docs\` from \`${source}\`: change it there.`

export function errorsPage(): string {
  const rows = Object.entries(ERROR_CODES)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, meaning]) => [`\`${code}\``, meaning])
  return page(
    'Errors',
    [
      'Every error of the library is a `FeatureBoostError` with a `code` that does not change between versions and with',
      '`details`: `column`, `row` (counted from 1), `path`, `found`, `expected`, `hint`, as far as they are known. Its message',
      'says the same in words. The command line prints the same codes, for everything that it refuses about a file or a table.',
    ],
    ['code', 'meaning'],
    rows,
    'packages/core/src/common/errors.ts',
  )
}

export function optionsPage(): string {
  const head = ['option', 'takes', 'default', 'meaning']
  return page(
    'Options',
    [
      'An option that does not exist, a value outside its range, and an option that the method does not read are refused with',
      '`FB_OPTION_UNKNOWN`, `FB_OPTION_VALUE` and `FB_OPTION_METHOD`.',
      '',
      '## Of a fit',
      '',
      'The options of `fit(table, options)`. Only `label` is needed.',
      '',
      ...tableOf(head, optionRows(OPTIONS)),
      '',
      '## Methods',
      '',
      'What `method` may be. All but the first three are published methods ([baselines](baselines.md)), where everything that is not set is',
      'as in the original. Options of the table above that name methods are read by those methods only.',
      '',
      ...tableOf(['method', 'name', 'what it does'], METHOD_ROWS),
      '',
      '## Of an audit',
      '',
      'The options of `audit(table, options)`; `compareScores` takes these and `other`, the second score. `label` and',
      '`prediction` are needed.',
      '',
      ...tableOf(head, optionRows(AUDIT_OPTIONS)),
      '',
      '## Of decisions',
      '',
      'The options of `decide(model, table, options)` ([decide.md](decide.md)). `losses` is needed.',
      '',
      ...tableOf(head, optionRows(DECIDE_OPTIONS)),
      '',
      '## Of a monitor',
      '',
      'The options of `startMonitor(model, table, options)` ([monitor.md](monitor.md)). None is needed.',
      '',
      ...tableOf(head, optionRows(MONITOR_OPTIONS)),
      '',
      'Those of a batch, `monitor.add(table, options)`:',
      '',
      ...tableOf(head, optionRows(BATCH_OPTIONS)),
      '',
      '## Of a comparison of methods',
      '',
      'The options of `compareMethods(table, options)` ([compare.md](compare.md)). `label` and `prediction` are needed.',
    ],
    head,
    optionRows(COMPARE_OPTIONS),
    'packages/core/src/options/options.ts',
  )
}

const METHOD_ROWS: readonly string[][] = [
  [
    '`forest-rounds`',
    'The default',
    'A forest as below, then rounds of Algorithm 1 on predictions by forests that did not see the row: each corrects the group of two conditions that is most surely off, until none is. If such groups alone predict unseen rows better than the forest does, there is no forest.',
  ],
  [
    '`forest`',
    'Forests',
    'Cross-fitted trees that minimize log loss, with the score as one more feature; before them a slope and an intercept of its logit, if these surely help.',
  ],
  [
    '`rounds`',
    'FeatureBoost',
    'The rounds of the paper (Algorithm 1): with stop "certificate" down to a tolerance, with stop "validation" by correcting the group that is most surely off.',
  ],
  ...Object.values(BASELINES).map(({ help, name, title }) => [`\`${name}\``, title, help]),
]

const optionRows = (options: Readonly<Record<string, OptionSpec>>): string[][] =>
  Object.entries(options).map(([name, spec]) => {
    const { help, standard } = describeOption(spec)
    const { methods } = spec
    const readers = methods?.map(method => `\`${method}\``).join(', ')
    return [
      `\`${name}\``,
      describeRange(spec),
      standard,
      readers === undefined ? help : `${help} Only with ${readers}.`,
    ]
  })

/** A default is declared as a value, in words, or as the last sentence of the help. */
function describeOption(spec: OptionSpec): { help: string; standard: string } {
  const said = /^(?<help>.*) Default: (?<standard>.*)\.$/.exec(spec.help)?.groups
  if (said !== undefined) return { help: said.help, standard: said.standard }
  const { help } = spec
  if ('default' in spec && spec.default !== undefined) return { help, standard: `\`${spec.default}\`` }
  if ('defaultWords' in spec && spec.defaultWords !== undefined) return { help, standard: spec.defaultWords }
  return { help, standard: 'required' in spec && spec.required ? 'required' : 'none' }
}

function page(
  title: string,
  introduction: readonly string[],
  head: readonly string[],
  rows: readonly string[][],
  source: string,
): string {
  return `# ${title}\n\n${introduction.join('\n')}\n\n${tableOf(head, rows).join('\n')}\n\n${ORIGIN(source)}\n`
}

function tableOf(head: readonly string[], rows: readonly string[][]): string[] {
  const line = (cells: readonly string[]) =>
    `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)]
}

/** Files that are the same in two places, from the one where they are written: not every system has links. */
export const COPIES = [
  ['packages/core/src/export/python/runtime.py', 'python/featureboost/_runtime.py'],
] as const

function main(): void {
  const root = join(dirname(fileURLToPath(import.meta.url)), '..')
  const docs = join(root, 'docs')
  writeFileSync(join(docs, 'errors.md'), errorsPage())
  writeFileSync(join(docs, 'options.md'), optionsPage())
  for (const [from, to] of COPIES) copyFileSync(join(root, from), join(root, to))
  console.log('docs: errors.md and options.md written, and the runtime of the Python package')
}

const executed = process.argv[1]
if (executed !== undefined && realpathSync(executed) === fileURLToPath(import.meta.url)) main()
