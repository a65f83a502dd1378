// Arrow streams from a Spark server: what is wrong with one is told as something about its answer.

import { type Batch, joinBatches as joinAny } from '../../arrow/columns.ts'
import { ArrowError, type ArrowTrouble } from '../../arrow/error.ts'
import { readArrow as readAny } from '../../arrow/stream.ts'
import { SparkError } from './errors.ts'

const HINTS: Partial<Readonly<Record<ArrowTrouble, string>>> = {
  compressed:
    'Set spark.sql.execution.arrow.compression.codec to none: only batches that are not compressed are read.',
  dictionary: 'Cast the column to STRING.',
  type: 'Cast it in the query, for example to STRING or to BIGINT.',
}

function asAnswer<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ArrowError)) throw error
    const { column, message, trouble } = error
    const hint = HINTS[trouble]
    throw new SparkError({
      code: 'FB_SPARK_ANSWER',
      message,
      ...(column !== undefined && { column }),
      ...(hint !== undefined && { hint }),
    })
  }
}

/** Every batch of a stream; one without rows where it has a schema only. */
export const readArrow = (bytes: Uint8Array): Batch[] => asAnswer(() => readAny(bytes))

export const joinBatches = (batches: readonly Batch[]): Batch => asAnswer(() => joinAny(batches))
