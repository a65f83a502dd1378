// The flags of predict, for rows that are read here and for rows in Spark.

import type { SparkOptions } from './spark.ts'

export interface PredictOptions extends SparkOptions {
  readonly model: string
  /** true: as many bins as the certificate speaks of. */
  readonly rounded?: number | true
  readonly out: string
  /** A table in Spark. */
  readonly outTable?: string
  readonly as: string
  readonly neutralise: boolean
  readonly force: boolean
  readonly json: boolean
  readonly quiet: boolean
}
