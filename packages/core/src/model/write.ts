// A model as text: JSON, one top-level key a line, sealed with the SHA-256 of its canonical form.

import { sha256 } from '../common/hash.ts'
import type { ModelData } from './data.ts'
import { canonicalJson } from './json.ts'

export const hashModel = (data: ModelData): string => sha256(canonicalJson(data))

export function serializeModel(data: ModelData, hash: string): string {
  const { format, version, ...rest } = data
  const lines = Object.entries({ format, version, hash, ...rest })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${JSON.stringify(key)}: ${writeValue(key, value)}`)
  return `{\n${lines.join(',\n')}\n}\n`
}

/** Updates and roundings take a line each, so that two model files can be compared by eye. */
function writeValue(key: string, value: unknown): string {
  if ((key !== 'updates' && key !== 'roundings') || !Array.isArray(value)) return canonicalJson(value)
  return value.length === 0 ? '[]' : `[\n  ${value.map(canonicalJson).join(',\n  ')}\n ]`
}
