// The options that a model file records, held against the table of options like those that a caller gives: unknown names, values out of
// range and what the method does not read are refused.

import { FeatureBoostError } from '../common/errors.ts'
import { checkMethod, checkOptions } from '../options/check.ts'
import { OPTIONS } from '../options/options.ts'
import { RECORDED_NAMES, type RecordedOptions } from '../options/recorded.ts'
import { type Entries, entriesOf, malformed, type Shape } from './shape.ts'

const RECORDED_TABLE = Object.fromEntries(RECORDED_NAMES.map(name => [name, OPTIONS[name]]))

export const readRecordedOptions: Shape<RecordedOptions> = (value, path) => {
  const copy = copyOf(entriesOf(value, path), path)
  if (copy.method === undefined) throw malformed(path, '"method" is absent')
  try {
    checkOptions(copy, RECORDED_TABLE)
    const options = copy as unknown as RecordedOptions
    checkMethod(copy, options.method)
    return options
  } catch (error) {
    if (!(error instanceof FeatureBoostError)) throw error
    throw malformed(path, error.message.replace(/^FB_\w+: /, '').replace(/\.$/, ''))
  }
}

/** All options that are recorded are numbers and texts; no other key comes along. */
function copyOf(entries: Entries, path: string): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(entries)) {
    if (!Object.hasOwn(RECORDED_TABLE, key)) throw malformed(path, `unknown key "${key.slice(0, 80)}"`)
    if (typeof value !== 'number' && typeof value !== 'string')
      throw malformed(`${path}.${key}`, 'expected a number or a text')
    copy[key] = value
  }
  return copy
}
