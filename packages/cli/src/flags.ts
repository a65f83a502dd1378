// Flags: from the library's table of options, with its types, ranges and help; how their values are read; flags that are
// needed.

import {
  AUDIT_OPTIONS,
  COMPARE_OPTIONS,
  describeRange,
  nearestName,
  OPTIONS,
  type OptionName,
  type OptionSpec,
} from '@featureboost/core/internal'
import { type Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { CONFIG_FILE } from './config.ts'

/** Names of a table whose values can be typed: no objects, no functions. */
type FlagName<Table extends Record<string, OptionSpec>> = {
  [Name in keyof Table]: Table[Name]['type'] extends 'object' | 'function' ? never : Name
}[keyof Table]

/** Options of a table that are flags of the same name, and are handed on as they are. */
function flagsOf<Table extends Record<string, OptionSpec>, Other extends keyof Table>(
  table: Table,
  others: readonly Other[],
): Exclude<FlagName<Table>, Other>[] {
  const names = Object.keys(table).filter(
    name =>
      !['object', 'function'].includes(table[name].type) && !(others as readonly string[]).includes(name),
  )
  return names as Exclude<FlagName<Table>, Other>[]
}

/** Columns that are left out are read with the data; an audit may take its roles from a model. */
export const FIT_FLAGS = flagsOf(OPTIONS, ['except'])
export const AUDIT_FLAGS = flagsOf(AUDIT_OPTIONS, ['label', 'prediction', 'except'])
export const COMPARE_FLAGS = flagsOf(COMPARE_OPTIONS, ['except'])

/** Those of them that were given; the library knows the defaults of the others. */
export function given<Name extends string, Options extends Partial<Record<Name, unknown>>>(
  names: readonly Name[],
  options: Options,
): Pick<Options, Name & keyof Options> {
  const pairs = names.flatMap(name => (options[name] === undefined ? [] : [[name, options[name]]]))
  return Object.fromEntries(pairs) as Pick<Options, Name & keyof Options>
}

export const configFlag = (): Option =>
  new Option('--config <file>', `flags from a JSON file (default: ${CONFIG_FILE}, where there is one)`)

export const asciiFlag = (): Option =>
  new Option('--ascii', 'draw in plain letters, as where the locale is not UTF-8').default(false)

/** Asked for after the flags are known: a mistyped one is then told by its nearest name, and not as a flag that is lacking. */
export function needs(command: Command, ...flags: readonly string[]): void {
  command.hook('preAction', () => {
    for (const option of command.options) {
      if (!flags.includes(option.long ?? '') || command.getOptionValue(option.attributeName()) !== undefined)
        continue
      command.error(`error: required option '${option.flags}' not specified: ${option.description}`)
    }
  })
}

/** A flag with the type, range, default and help of the library's option of that name. */
export function fromTable(name: OptionName, fallback?: number | string): Option {
  const spec = OPTIONS[name]
  return flagOf(name, spec).default(fallback ?? ('default' in spec ? spec.default : undefined))
}

/** A flag without a value of its own: where it is not given, the library chooses. */
export function plainFlag(name: string, spec: OptionSpec): Option {
  const words =
    'defaultWords' in spec ? spec.defaultWords : 'default' in spec ? String(spec.default) : undefined
  return flagOf(name, spec, words === undefined ? '' : ` (default: ${words})`)
}

export function flagOf(name: string, spec: OptionSpec, suffix = ''): Option {
  const flag = name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
  const place = spec.type === 'flag' ? '' : ` ${PLACES[spec.type] ?? '<value>'}`
  const list = spec.type === 'columns' ? ' As a,b, or ["a, b"] where a name has a comma.' : ''
  const option = new Option(`--${flag}${place}`, `${spec.help}${list}${suffix}`)
  if (spec.type === 'choice') chooseFrom(option, spec.choices)
  if (spec.type === 'choices') chooseSome(option, spec.choices)
  if (spec.type === 'columns') option.argParser(columnList)
  if (spec.type === 'number' || spec.type === 'integer') option.argParser(numberWithin(spec))
  return option
}

/** Of --groups: by value, where --group-by names ids. */
export const GROUPS_HELP =
  'only these: every value of columns such as sex,race (["a, b"] for a name with a comma), or @file.json'

/** What stands for the value in the help. */
const PLACES: Partial<Record<OptionSpec['type'], string>> = {
  column: '<column>',
  columns: '<columns>',
  choices: '<names>',
}

/** Several of the choices, as columns are named. */
function chooseSome(option: Option, choices: readonly string[]): void {
  const one = chooseFrom(new Option('--one <name>'), choices)
  option.choices(choices)
  option.argParser((text: string, before?: readonly string[]) => {
    const names = columnList(text, before)
    for (const name of names) one.parseArg?.(name, undefined)
    return names
  })
}

/** As Commander's own choices, and with the nearest one to what was typed. */
export function chooseFrom<T extends Option | Argument>(option: T, choices: readonly string[]): T {
  const parse = (text: string): string => {
    if (choices.includes(text)) return text
    const close = nearestName(text, choices)
    const hint = close === undefined ? '' : ` Did you mean ${close}?`
    throw new InvalidArgumentError(`Expected one of ${choices.join(', ')}.${hint}`)
  }
  // Both classes have these two methods, with signatures that a union cannot call.
  const like = option as Option
  like.choices(choices)
  like.argParser(parse)
  return option
}

export function numberWithin(spec: Extract<OptionSpec, { min: number }>): (text: string) => number {
  return text => {
    const value = Number(text)
    const inside = spec.open ? value > spec.min && value < spec.max : value >= spec.min && value <= spec.max
    const whole = spec.type === 'number' || Number.isInteger(value)
    if (text.trim() === '' || !inside || !whole)
      throw new InvalidArgumentError(`Expected ${describeRange(spec)}.`)
    return value
  }
}

/** "a,b"; a JSON list where names have commas; the flag may be given again for more. */
export function columnList(text: string, before: readonly string[] = []): readonly string[] {
  if (!text.startsWith('[')) return [...before, ...text.split(',').map(name => name.trim())]
  try {
    const names: unknown = JSON.parse(text)
    if (Array.isArray(names) && names.every(name => typeof name === 'string')) return [...before, ...names]
  } catch {
    // Said below.
  }
  throw new InvalidArgumentError('Expected names such as a,b or a JSON list such as ["a, b", "c"].')
}

export function wholeNumber(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1) return value
  throw new InvalidArgumentError('Expected a whole number from 1.')
}
