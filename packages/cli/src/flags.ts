// Flags: those of the library's options, with their types, ranges, defaults and help; parsers of values; flags that are needed.

import { describeRange, OPTIONS, type OptionName, type OptionSpec } from '@featureboost/core'
import { type Command, InvalidArgumentError, Option } from 'commander'

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
  const value = spec.type === 'column' ? '<column>' : spec.type === 'columns' ? '<columns>' : '<value>'
  const option = new Option(`--${flag} ${value}`, `${spec.help}${suffix}`)
  if (spec.type === 'choice') option.choices(spec.choices)
  if (spec.type === 'columns') option.argParser(columnList)
  if (spec.type === 'number' || spec.type === 'integer') option.argParser(numberWithin(spec))
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
function columnList(text: string, before: readonly string[] = []): readonly string[] {
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
