// The command that repeats a run of the page, byte for byte.

import { batchNameOf } from '../../../cli/src/monitor/reading.ts'
import type { FileWords } from '../data/open.ts'
import { namesOf, type Words } from '../data/roles.ts'
import type { BatchChoice } from '../worker/protocol.ts'
import { type Choice, isDefaultDepth, limitsFor, protectedNames, valuesFor, wordsFor } from './choice.ts'

interface CommandOptions extends FileWords {
  /** The file, by its name. */
  readonly file: string
  /** Only these rows, as a condition in SQL. */
  readonly where?: string
}

/** "loans.csv.gz" is "loans". */
export const stemOf = (file: string): string =>
  file.replace(/(\.(csv|tsv|tab|txt|parquet|pq|json|ndjson|jsonl))?(\.gz)?$/i, '') || 'data'

export const modelNameFor = (file: string): string => `${stemOf(file)}.fb.json`

export function fitCommand(choice: Choice, options: CommandOptions & { readonly out: string }): string {
  const { groups, roles } = choice
  const auditors =
    groups.kind === 'columns'
      ? [flag('auditors', `groups:${columnList(namesOf(roles, 'group'))}`)]
      : isDefaultDepth(groups.depth)
        ? []
        : [flag('auditors', `trees:${groups.depth}`)]
  return [
    ...start('fit', choice, options),
    ...roleFlag('fold', namesOf(roles, 'fold')),
    ...roleFlag('group-by', namesOf(roles, 'ids')),
    ...auditors,
    ...protectFlag(choice),
    ...Object.entries(valuesFor(choice)).map(([name, value]) => flag(dashed(name), String(value))),
    flag('out', options.out),
  ].join(' ')
}

export function auditCommand(choice: Choice, options: CommandOptions): string {
  const { groups, roles } = choice
  const declared = groups.kind === 'columns' ? [flag('groups', columnList(namesOf(roles, 'group')))] : []
  const others = namesOf(roles, 'fold', 'ids')
  const limits = Object.entries(limitsFor(choice)).map(([name, value]) => flag(dashed(name), String(value)))
  return [...start('audit', choice, options, others), ...declared, ...protectFlag(choice), ...limits].join(
    ' ',
  )
}

/** Adds the same batch to the same state. */
export function batchCommand(
  { again, name, unlabelled }: BatchChoice,
  { file, model, state, ...written }: FileWords & Record<'state' | 'model' | 'file', string>,
): string {
  return [
    ...['featureboost', 'monitor', path(state), path(file), flag('model', model)],
    ...writtenFlags(written),
    ...(name === batchNameOf(file) ? [] : [flag('batch', name)]),
    ...(unlabelled ? ['--unlabelled'] : []),
    ...(again ? ['--again'] : []),
  ].join(' ')
}

export const reportCommand = ({
  model,
  report,
  state,
}: Record<'state' | 'model' | 'report', string>): string =>
  ['featureboost', 'monitor', path(state), flag('model', model), flag('report', report)].join(' ')

function protectFlag(choice: Choice): string[] {
  const names = protectedNames(choice)
  return names.length === 0 ? [] : [flag('protect', columnList(names))]
}

function start(
  command: string,
  choice: Choice,
  { file, where, ...written }: CommandOptions,
  alsoOut: readonly string[] = [],
): string[] {
  const { roles, unread } = choice
  const out = [...namesOf(roles, 'out'), ...alsoOut, ...unread]
  return [
    'featureboost',
    command,
    path(file),
    ...writtenFlags(written),
    ...(where === undefined ? [] : [flag('sql', `select * from data where ${where}`)]),
    ...roleFlag('label', namesOf(roles, 'label')),
    ...roleFlag('prediction', namesOf(roles, 'score')),
    ...wordFlags(wordsFor(choice)),
    ...roleFlag('weight', namesOf(roles, 'weight')),
    ...(out.length > 0 ? [flag('except', columnList(out))] : []),
  ]
}

const writtenFlags = ({ decimal, encoding, missing = [] }: FileWords): string[] => [
  ...(encoding === undefined ? [] : [flag('encoding', encoding)]),
  ...(decimal === undefined ? [] : [flag('decimal', decimal)]),
  ...missing.map(text => flag('missing', text)),
]

const wordFlags = ({ categorical, dropMissingLabels, positive, scoreScale }: Words): string[] => [
  ...(positive === undefined ? [] : [flag('positive', positive)]),
  ...(scoreScale === undefined ? [] : [flag('score-scale', scoreScale)]),
  ...(categorical === undefined ? [] : [flag('categorical', columnList(categorical))]),
  ...(dropMissingLabels ? ['--drop-missing-labels'] : []),
]

const roleFlag = (name: string, columns: readonly string[]): string[] =>
  columns.slice(0, 1).map(column => flag(name, column))

const flag = (name: string, value: string): string => `--${name} ${quote(value)}`

const dashed = (name: string): string => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

/** A JSON list where a comma or a space at an end would be lost, or where a name would be taken for a file. */
const columnList = (names: readonly string[]): string =>
  names.some(name => /,|^\s|\s$|^[[@]/.test(name)) ? JSON.stringify(names) : names.join(',')

const path = (file: string): string => quote(file.startsWith('-') ? `./${file}` : file)

/** For a POSIX shell. */
const quote = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) && !text.startsWith('-') ? text : `'${text.replaceAll("'", `'\\''`)}'`
