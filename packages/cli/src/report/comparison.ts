// report --comparison: what `compare --json` printed, read and checked.

import type { MethodsFound } from '@featureboost/core/internal'
import { CommandError } from '../errors.ts'
import { readText } from '../files.ts'

export async function readComparison(file: string): Promise<MethodsFound> {
  const refuse = (reason: string): never => {
    throw new CommandError(
      3,
      `${file} is no comparison: ${reason}. Expected what \`featureboost compare --json\` prints.`,
      { code: 'FB_FILE_FORMAT' },
    )
  }
  const text = await readText(file)
  let found: unknown
  try {
    found = JSON.parse(text)
  } catch (error) {
    return refuse((error as Error).message)
  }
  if (!isRecord(found)) return refuse('it holds no object')
  const { base, best, failed, methods, recommendation } = found
  if (!isMeasured(base)) return refuse('"base" has no measures')
  if (!Array.isArray(methods) || !methods.every(isMethod)) return refuse('"methods" is no list of methods')
  if (!Array.isArray(failed) || !failed.every(isFailure)) return refuse('"failed" is no list of methods')
  if (!isRecord(best) || !Object.values(best).every(isBest)) return refuse('"best" names no methods')
  if (!isRecord(recommendation) || typeof recommendation.sentence !== 'string')
    return refuse('"recommendation" has no sentence')
  return found as unknown as MethodsFound
}

type Shape = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Shape =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A number, or null where it was none that JSON knows. */
const isNumber = (value: unknown): boolean => value === null || typeof value === 'number'

const isMeasured = (value: unknown): boolean =>
  isRecord(value) &&
  Object.values(value).every(
    each => isRecord(each) && isNumber(each.value) && isNumber(each.low) && isNumber(each.high),
  )

const isMethod = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value.method === 'string' &&
  isMeasured(value.measures) &&
  typeof value.fitSeconds === 'number'

const isFailure = (value: unknown): boolean =>
  isRecord(value) && typeof value.method === 'string' && typeof value.code === 'string'

const isBest = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value.best === 'string' &&
  Array.isArray(value.ties) &&
  value.ties.every(tie => typeof tie === 'string')
