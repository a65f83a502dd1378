// Errors are data: a code, the place, what was found, what was expected, what to do.
// Every code the library can throw stands in ERROR_CODES; docs/errors.md is written from it.

import { formatCount } from './text.ts'

export const ERROR_CODES = {
  FB_NO_ROWS: 'The table has no rows, or a fold that is needed has none.',
  FB_NO_FEATURES: 'No column is left to be a feature.',
  FB_COLUMN_LENGTH: 'Columns of one table differ in length.',
  FB_COLUMN_NAME: 'A column has an empty name, a name with a zero byte in it, or the name of another.',
  FB_COLUMN_UNKNOWN: 'A column was named that the table does not have.',
  FB_COLUMN_TWICE: 'One column was given two roles.',
  FB_COLUMN_KIND: 'A column holds values of the wrong kind, or of mixed kinds.',
  FB_SOURCE: 'Chunks of one source differ in their columns, or another reading gave other rows.',
  FB_FILE_MISSING: 'A file was named that is not there, or a pattern that no file matches.',
  FB_FILE_FORMAT: 'A file cannot be read: it is of another format or encoding, damaged, or not open to you.',
  FB_FILE_LIMIT:
    'A file has more columns or rows, longer cells or lines, or deeper lists and objects than are read.',
  FB_FILE_WRITE: 'A file or stdout cannot be written, or a file would be overwritten.',
  FB_TABLE: 'A database does not have the table that was named, or has several and none was named.',
  FB_SQL: 'A query cannot be read or run, or is not one query that only reads.',
  FB_FILE_ACCESS: 'A query or a view reads a file that was not named.',
  FB_CONFIG: 'A file of flags that was not named sets what reads, writes or overwrites files.',
  FB_NOT_FINITE: 'A number is infinite where a finite one is needed.',
  FB_MISSING_VALUE: 'A value is missing (or NaN) in a column that must be complete.',
  FB_LABEL_RANGE: 'A label lies outside 0 to 1.',
  FB_LABEL_CONSTANT: 'Every label is the same, so there is nothing to learn or audit.',
  FB_PREDICTION_RANGE: 'A prediction lies outside 0 to 1.',
  FB_WEIGHT_RANGE: 'A weight is negative, or the weights sum to too little or to too much.',
  FB_FOLD_VALUE: 'A fold is neither "fit" nor "holdout".',
  FB_ARGUMENT: 'A function was given something that it cannot work on.',
  FB_OPTION_UNKNOWN: 'An option was named that does not exist.',
  FB_OPTION_VALUE: 'An option has a value of the wrong type or outside its range.',
  FB_OPTION_METHOD: 'An option was given that the method does not read.',
  FB_COMBINATION: 'These auditors and these factors do not make a class together.',
  FB_CUTS_TOO_MANY: 'Declared predicates need more cuts on one column than there are bins.',
  FB_CELL_BUDGET: 'An exhaustive search would need more histogram cells than its budget.',
  FB_FUNCTION: 'An auditor function is missing, threw, or returned something other than a number in -1 to 1.',
  FB_ABORTED: 'The work was cancelled through its AbortSignal.',
  FB_WORKER: 'A worker crashed, was ended from outside, or cannot be had here.',
  FB_MEMORY: 'A shard, a thread or a table needs more memory than it can have.',
  FB_ENGINE_ROWS: 'A method learns from rows, and the engine answers with sums only.',
  FB_ENGINE_CLOSED: 'A question was put to an engine that had been closed.',
  FB_ENGINE_DATABASE: 'A database that holds the rows failed, or the file for it holds something else.',
  FB_MODEL_FORMAT: 'A model file is not a well-formed model.',
  FB_MODEL_VERSION: 'A model file has a format version that this library does not read.',
  FB_MODEL_HASH: 'A model file does not match its own hash: it was changed or damaged.',
  FB_MODEL_CONTRADICTION: 'A model file states numbers that cannot be true together.',
  FB_KEY: 'A file is no Ed25519 key of the kind that is needed.',
  FB_SIGNATURE_MISSING: 'A model file has no signature beside it.',
  FB_SIGNATURE_FORMAT: 'A signature file is not well-formed.',
  FB_SIGNATURE_KEY: 'A model file was signed with another key.',
  FB_SIGNATURE_BYTES: 'A signature is of other bytes: the model file, or the signature, was changed.',
  FB_CHECKPOINT_OTHER: 'A checkpoint is of another fit: other rows, other options or another version.',
  FB_CHECKPOINT_DAMAGED: 'A checkpoint does not hold what it should: it was changed or damaged.',
  FB_CHECKPOINT_IN_USE: 'Another fit, which is still running, keeps its checkpoint in this folder.',
  FB_CHECKPOINT_THERE:
    'A folder holds the checkpoint of a fit that was cut off, and nobody said to go on with it.',
  FB_IMPORT_FORMAT: 'A file to import is damaged, or is none of those that can be imported.',
  FB_IMPORT: 'A model of another package says something that a model file cannot say.',
  FB_NOT_CERTIFIED: 'A model that was imported has no certificate that could be verified.',
  FB_EXPORT: 'A model cannot be written in the form that was asked for.',
  FB_MONITOR_FORMAT: 'A file is not the state of a monitor, or was changed or damaged.',
  FB_MONITOR_MODEL: 'The state of a monitor belongs to another model.',
  FB_MONITOR_BATCH: 'The rows of a batch were recorded before.',
  FB_MONITOR_IN_USE: 'Another process is adding a batch to the same state of a monitor.',
  FB_ROUNDING: 'The model holds no rounding for this number of bins.',
  FB_PLAN: 'The parameters of a plan contradict each other.',
  FB_LOSS: 'A loss to decide by is not one, or one action is best by it whatever the score is.',
  FB_OUTPUT_TWICE: 'Two outputs of one command are the same file.',
  FB_OUTPUT_INPUT: 'An output is a file that the command reads.',
  FB_OUTPUT_KIND: 'An output is a device, a pipe, a socket, or a link that leads nowhere.',
  FB_OUTPUT_FOLDER: 'The folder of an output is not there, or takes no file of this name.',
  FB_TEMPORARY: 'The folder for temporary files is not there, or takes no files.',
  FB_SPARK_ADDRESS: 'The address of a Spark server is not one, or would send a token that anybody can read.',
  FB_SPARK_UNREACHABLE:
    'No Spark server answers at an address, or it stopped answering and did not come back in time.',
  FB_SPARK_TOKEN: 'A Spark server asks for a token, or does not take the one that was sent.',
  FB_SPARK_PERMISSION:
    'A Spark server does not permit what a statement does, or may not do it itself, such as write to a place.',
  FB_SPARK_SESSION:
    'A Spark server no longer knows the session: it was started again, or gave the session up.',
  FB_SPARK_LOST:
    'A Spark server was cut off from a statement and cannot go on with it; whether it was carried out is not known.',
  FB_SPARK_ANSWER: 'An answer from the address of a Spark server is damaged, or of a kind that is not read.',
  FB_SPARK_LIMIT: 'A message from or to a Spark server is larger than either side takes.',
  FB_SPARK_OVERFLOW: 'A number in a statement for Spark is too large for its type.',
  FB_SERVE_TOKEN: 'A request to the server brings no token, or another than the one it was started with.',
  FB_SERVE_ADDRESS: 'A request to the server is for an address, a method or a model that it does not have.',
  FB_SERVE_BODY: 'A request to the server holds something that is not rows in the form it names.',
  FB_SERVE_LIMIT: 'A request to the server is larger than it takes, or came too slowly.',
  FB_SERVE_BUSY: 'The server has as much to do as it takes on, or is about to end.',
  FB_USAGE: 'A command lacks something it needs, or was given flags or values that it cannot take.',
  FB_SYSTEM: 'The system refused something that the command needs, such as memory, files or a port.',
} as const

export type ErrorCode = keyof typeof ERROR_CODES

export interface ErrorDetails {
  readonly column?: string
  /** Counted from 1, as a person would. */
  readonly row?: number
  readonly path?: string
  readonly found?: unknown
  readonly expected?: string
  readonly hint?: string
}

export class FeatureBoostError extends Error {
  override readonly name = 'FeatureBoostError'
  readonly code: ErrorCode
  readonly details: ErrorDetails
  readonly #sentence: string

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(composeMessage(code, message, details))
    this.code = code
    this.details = details
    this.#sentence = message
  }

  /** The same, of a row among others. */
  atRow(row: number): FeatureBoostError {
    return new FeatureBoostError(this.code, this.#sentence, { ...this.details, row })
  }

  /** An error that came from another thread as data, its message already composed. */
  static revive(code: ErrorCode, message: string, details: ErrorDetails): FeatureBoostError {
    const error = new FeatureBoostError(code, '', details)
    error.message = message
    return error
  }
}

function composeMessage(code: ErrorCode, message: string, details: ErrorDetails): string {
  const place = [
    details.path,
    details.column === undefined ? undefined : `column "${details.column}"`,
    details.row === undefined ? undefined : `row ${formatCount(details.row)}`,
  ].filter(part => part !== undefined)
  const sentences = [
    `${code}${place.length > 0 ? ` ${place.join(', ')}` : ''}: ${message}`,
    details.expected === undefined ? undefined : `Expected ${details.expected}.`,
    details.hint,
  ]
  return sentences.filter(part => part !== undefined).join(' ')
}
