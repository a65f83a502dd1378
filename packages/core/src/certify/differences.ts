// Verification: the certificate computed again, and every difference named.

import { inWordsOfNow } from './statements.ts'

export interface Difference {
  /** Where in the certificate: "tolerances[1].tolerance". */
  readonly path: string
  readonly stated: unknown
  readonly found: unknown
}

/** All places where two plain values differ; numbers must be equal to the last bit. What is stated may be in earlier words. */
export function findDifferences(stated: unknown, found: unknown, path = ''): Difference[] {
  if (stated === found || (typeof stated === 'string' && inWordsOfNow(stated) === found)) return []
  const comparable = isObject(stated) && isObject(found) && Array.isArray(stated) === Array.isArray(found)
  if (!comparable) return [{ path, stated, found }]
  const keys = [...new Set([...Object.keys(stated), ...Object.keys(found)])]
  const step = (key: string) =>
    Array.isArray(stated) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
  return keys.flatMap(key => findDifferences(stated[key], found[key], step(key)))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
