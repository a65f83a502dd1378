// --expect: what a model file is to claim, as epsilon=0.05,holdout=0.2 or as a JSON file. The library knows the names and compares.

import { type Expectations, FeatureBoostError } from '@featureboost/core'
import { EXPECTATIONS, type ExpectationName } from '@featureboost/core/internal'
import { readText } from '../files.ts'

/** Later ones count over earlier ones. */
export async function readExpectations(given: readonly string[]): Promise<Expectations> {
  const parts = await Promise.all(
    given.map(async text => (text.startsWith('@') ? fromFile(text.slice(1)) : fromText(text))),
  )
  return Object.assign({}, ...parts)
}

async function fromFile(path: string): Promise<Expectations> {
  const text = await readText(path)
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Expectations
  } catch {
    // Said below.
  }
  throw new FeatureBoostError('FB_OPTION_VALUE', 'not a JSON object.', {
    path,
    expected: 'names and values such as { "epsilon": 0.05, "holdout": 0.2 }',
  })
}

/** A comma ends a value only where a name and "=" come after it: the words of a class have commas, and lists do. */
function fromText(text: string): Expectations {
  const pairs = text.split(/,(?=\s*[A-Za-z]+=)/).map(pair => {
    const [, name, value] = /^\s*([A-Za-z]+)=(.*)$/s.exec(pair) ?? []
    if (name !== undefined) return [name, readValue(name, value.trim())]
    throw new FeatureBoostError('FB_OPTION_VALUE', `--expect has "${pair}".`, {
      found: pair,
      expected: `pairs such as epsilon=0.05,holdout=0.2, or @file.json. The names: ${Object.keys(EXPECTATIONS).join(', ')}`,
    })
  })
  return Object.fromEntries(pairs)
}

/** By what the library expects of that name; where it is no such value, as it is, and the library says what it should be. */
function readValue(name: string, text: string): unknown {
  const type = Object.hasOwn(EXPECTATIONS, name) ? EXPECTATIONS[name as ExpectationName].type : 'text'
  if (type === 'text') return text.replace(/^"(.*)"$/s, '$1')
  if (type === 'names' && !text.startsWith('[')) return text.split(',').map(each => each.trim())
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
