import type { SparkError } from '../../../src/engines/spark/errors.ts'

/** What a session refused something with. */
export const errorOf = async (work: Promise<unknown>): Promise<SparkError> =>
  work.then(
    () => {
      throw new Error('it went well')
    },
    error => error as SparkError,
  )
