// Sizes of memory as people write them: 2GB, 512MB, 1.5GB. A gigabyte has 10^9 bytes, a gibibyte (GiB) 2^30.

import { InvalidArgumentError } from 'commander'

const UNITS: Readonly<Record<string, number>> = {
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
}

const SIZE = /^(\d+(?:\.\d+)?)\s*([kmgt]i?b)$/i

/** With less DuckDB does not start to work. */
const LEAST_BYTES = 200e6

export const bytesOf = (size: string): number => {
  const [, number, unit] = SIZE.exec(size.trim()) ?? []
  return Number(number) * (UNITS[unit?.toLowerCase()] ?? Number.NaN)
}

/** For a flag. */
export function memorySize(text: string): string {
  const bytes = bytesOf(text)
  if (Number.isNaN(bytes)) throw new InvalidArgumentError('Expected a size such as 2GB or 512MB.')
  if (bytes < LEAST_BYTES) throw new InvalidArgumentError('Expected at least 200MB.')
  return text.trim()
}

/** As DuckDB reads it, and people. */
export const sizeText = (bytes: number): string =>
  bytes >= 9.95e8 ? `${(bytes / 1e9).toFixed(1)}GB` : `${Math.round(bytes / 1e6)}MB`

/** What of --memory is for the database of an engine, and for the rows as they are in the file; the rest is for this process. */
export const WORK_SHARE = 0.35
export const READ_SHARE = 0.15
