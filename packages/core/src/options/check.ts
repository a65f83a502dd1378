// Options as they were given, held against the table: unknown names, wrong values, and what the method does not read are refused.

import { FeatureBoostError } from '../common/errors.ts'
import { didYouMean } from '../common/nearest.ts'
import { showValue } from '../data/column.ts'
import { type Method, OPTIONS, type OptionName, type OptionSpec } from './options.ts'

/** Refuses options that the method does not read: ignored in silence, they would seem to do something. */
export function checkMethod(given: Readonly<Record<string, unknown>>, method: Method): void {
  for (const [name, value] of Object.entries(given)) {
    const { methods }: OptionSpec = OPTIONS[name as OptionName]
    if (value === undefined || methods === undefined || methods.includes(method)) continue
    const readers = methods.map(each => `"${each}"`).join(', ')
    throw new FeatureBoostError(
      'FB_OPTION_METHOD',
      `method "${method}" does not read the option "${name}".`,
      {
        found: value,
        expected:
          methods.length === 1 ? `method ${readers} with it` : `one of the methods ${readers} with it`,
        hint:
          given.method === undefined
            ? `Say method "${methods[0]}", or leave ${name} out.`
            : `Leave ${name} out, or take another method.`,
      },
    )
  }
}

/** Refuses unknown names (with the nearest known one) and values of the wrong type or outside their range. */
export function checkOptions(
  given: Readonly<Record<string, unknown>>,
  options: Readonly<Record<string, OptionSpec>> = OPTIONS,
): void {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(options, name)) {
      throw new FeatureBoostError('FB_OPTION_UNKNOWN', `there is no option "${name}".`, {
        found: name,
        hint: didYouMean(name, Object.keys(options)),
      })
    }
    if (value !== undefined) checkValue(name, options[name], value)
  }
  for (const [name, spec] of Object.entries(options)) {
    if (spec.type === 'column' && spec.required && given[name] === undefined) {
      throw new FeatureBoostError('FB_OPTION_VALUE', `the option "${name}" is needed.`, {
        expected: spec.help,
      })
    }
  }
}

function checkValue(name: string, spec: OptionSpec, value: unknown): void {
  if (spec.type === 'choices' && isTexts(value)) checkChoices(name, spec.choices, value)
  else if (!fits(spec, value)) {
    throw new FeatureBoostError('FB_OPTION_VALUE', `option "${name}" is ${showValue(value)}.`, {
      found: value,
      expected: describeRange(spec),
    })
  }
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(entry => typeof entry === 'string')

function checkChoices(name: string, choices: readonly string[], value: readonly string[]): void {
  const unknown = value.find(entry => !choices.includes(entry))
  const twice = value.find((entry, index) => value.indexOf(entry) < index)
  if (unknown === undefined && twice === undefined && value.length > 0) return
  const found = unknown ?? twice
  const problem = found === undefined ? 'is empty' : `names ${showValue(found)}${unknown ? '' : ' twice'}`
  throw new FeatureBoostError('FB_OPTION_VALUE', `option "${name}" ${problem}.`, {
    found: value,
    expected: `some of ${choices.join(', ')}`,
    ...(unknown !== undefined && { hint: didYouMean(unknown, choices) }),
  })
}

function fits(spec: OptionSpec, value: unknown): boolean {
  switch (spec.type) {
    case 'number':
    case 'integer': {
      if (typeof value !== 'number' || (spec.type === 'integer' && !Number.isInteger(value))) return false
      return spec.open ? value > spec.min && value < spec.max : value >= spec.min && value <= spec.max
    }
    case 'choice':
      return typeof value === 'string' && spec.choices.includes(value)
    case 'column':
    case 'text':
      return typeof value === 'string'
    case 'flag':
      return typeof value === 'boolean'
    case 'columns':
      return isTexts(value)
    case 'choices':
      // A list of texts has been looked at before.
      return false
    case 'object':
      return typeof value === 'object' && value !== null
    case 'function':
      return typeof value === 'function'
  }
}

export function describeRange(spec: OptionSpec): string {
  switch (spec.type) {
    case 'number':
    case 'integer':
      return `${spec.type === 'integer' ? 'a whole number' : 'a number'} ${spec.open ? `between ${spec.min} and ${spec.max}, both excluded` : `from ${spec.min} to ${spec.max}`}`
    case 'choice':
      return `one of ${spec.choices.join(', ')}`
    case 'column':
      return 'a column name'
    case 'choices':
      return `some of ${spec.choices.join(', ')}`
    case 'columns':
      return 'a list of column names'
    case 'text':
      return 'a text'
    case 'flag':
      return 'true or false'
    case 'object':
      return 'an object'
    case 'function':
      return 'a function'
  }
}
