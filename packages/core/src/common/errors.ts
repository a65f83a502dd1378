// Errors are data: a code, the place, what was found, what was expected, what to do.
// Every code the library can throw stands in ERROR_CODES; docs/errors.md is written from it.

import { formatCount } from './text.ts'

/** All codes of errors, and what each means. */
export const ERROR_CODES = {
  FB_NO_ROWS: 'The table has no rows, or a fold that is needed has none.',
  FB_NO_FEATURES: 'No column is left to serve as a feature.',
  FB_COLUMN_LENGTH: 'Columns of one table differ in length.',
  FB_COLUMN_NAME: 'A column has an empty name, a name with a zero byte in it, or the name of another.',
  FB_COLUMN_UNKNOWN: 'A column was named that the table does not have.',
  FB_COLUMN_TWICE: 'One column was given two roles.',
  FB_COLUMN_KIND: 'A column holds values of the wrong kind, or of mixed kinds.',
  FB_SOURCE: 'Chunks of one source differ in their columns, or a second reading gave different rows.',
  FB_FILE_MISSING: 'A file that was named does not exist, or no file matches a pattern.',
  FB_FILE_FORMAT:
    'A file cannot be read: it has another format or encoding, is damaged, or you may not read it.',
  FB_FILE_LIMIT:
    'A file has more columns or rows, longer cells or lines, or deeper lists and objects than are read.',
  FB_FILE_WRITE: 'A file or stdout cannot be written, or a file would be overwritten.',
  FB_TABLE: 'A database does not have the table that was named, or has several tables and none was named.',
  FB_SQL: 'A query cannot be parsed or run, or is not a single query that only reads.',
  FB_FILE_ACCESS: 'A query or a view reads a file that was not named.',
  FB_CONFIG: 'A file of flags that was found, not named, sets a flag that reads, writes or overwrites files.',
  FB_NOT_FINITE: 'A number is infinite where a finite one is needed.',
  FB_MISSING_VALUE: 'A value is missing (or NaN) in a column that must be complete.',
  FB_LABEL_RANGE: 'A label lies outside 0 to 1.',
  FB_LABEL_CONSTANT: 'Every label is the same, so there is nothing to learn or audit.',
  FB_PREDICTION_RANGE: 'A prediction lies outside 0 to 1.',
  FB_WEIGHT_RANGE: 'A weight is negative, or the sum of the weights is too small or too large.',
  FB_FOLD_VALUE: 'A fold is neither "fit" nor "holdout".',
  FB_ARGUMENT: 'A function was given something that it cannot work on.',
  FB_OPTION_UNKNOWN: 'An option was named that does not exist.',
  FB_OPTION_VALUE: 'An option has a value of the wrong type or outside its range.',
  FB_OPTION_METHOD: 'An option was given that the method does not use.',
  FB_COMBINATION: 'These auditors and these factors do not form a class together.',
  FB_CUTS_TOO_MANY: 'Declared predicates need more cuts on one column than there are bins.',
  FB_CELL_BUDGET: 'An exhaustive search would need more histogram cells than its budget.',
  FB_FUNCTION: 'An auditor function is missing, threw, or returned something other than a number in -1 to 1.',
  FB_ABORTED: 'The work was cancelled through its AbortSignal.',
  FB_WORKER: 'A worker crashed, was ended from outside, or cannot be started here.',
  FB_MEMORY: 'A shard, a thread, a table or a statement for Spark needs more memory than is available.',
  FB_ENGINE_ROWS: 'A method learns from rows, and the engine answers with sums only.',
  FB_ENGINE_CLOSED: 'A question was put to an engine that had been closed.',
  FB_ENGINE_DATABASE: 'A database that holds the rows failed, or the file for it holds something else.',
  FB_MODEL_FORMAT: 'A model file is not a well-formed model.',
  FB_MODEL_VERSION: 'A model file has a format version that this library does not read.',
  FB_MODEL_HASH: 'A model file does not match its own hash: it was changed or damaged.',
  FB_MODEL_CONTRADICTION: 'A model file states numbers that cannot be true together.',
  FB_KEY: 'A file is not an Ed25519 key of the kind that is needed.',
  FB_SIGNATURE_MISSING: 'A model file has no signature beside it.',
  FB_SIGNATURE_FORMAT: 'A signature file is not well-formed.',
  FB_SIGNATURE_KEY: 'A model file was signed with another key.',
  FB_SIGNATURE_BYTES: 'A signature belongs to other bytes: the model file, or the signature, was changed.',
  FB_CHECKPOINT_OTHER: 'A checkpoint belongs to another fit: other rows, other options or another version.',
  FB_CHECKPOINT_DAMAGED: 'A checkpoint does not hold what it should: it was changed or damaged.',
  FB_CHECKPOINT_IN_USE: 'Another fit, which is still running, keeps its checkpoint in this folder.',
  FB_CHECKPOINT_THERE:
    'A folder holds the checkpoint of an interrupted fit, and continuing it was not asked for.',
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
  FB_LOSS: 'A loss is malformed, or the same action is best under it at every score.',
  FB_OUTPUT_TWICE: 'Two outputs of one command are the same file.',
  FB_OUTPUT_INPUT: 'An output is a file that the command reads.',
  FB_OUTPUT_KIND: 'An output is a device, a pipe, a socket, or a link that leads nowhere.',
  FB_OUTPUT_FOLDER: 'The folder of an output does not exist, or cannot hold a file of this name.',
  FB_TEMPORARY: 'The folder for temporary files does not exist, or cannot be written.',
  FB_SPARK_ADDRESS: 'The address of a Spark server is malformed, or would send a token in plain text.',
  FB_SPARK_UNREACHABLE:
    'No Spark server answers at an address, or it stopped answering and did not come back in time.',
  FB_SPARK_TOKEN: 'A Spark server requires a token, or rejects the one that was sent.',
  FB_SPARK_PERMISSION:
    'A Spark server does not permit a statement, or lacks the permission to carry it out, such as to write to a location.',
  FB_SPARK_SESSION: 'A Spark server no longer knows the session: it was restarted, or ended the session.',
  FB_SPARK_LOST:
    'The connection to a Spark server broke during a statement; whether it was carried out is not known.',
  FB_SPARK_ANSWER: 'An answer from a Spark server is damaged, or of a kind that is not understood.',
  FB_SPARK_LIMIT: 'A message from or to a Spark server is larger than one side accepts.',
  FB_SPARK_OVERFLOW: 'A number in a statement for Spark is too large for its type.',
  FB_SERVE_TOKEN: 'A request to the server has no token, or not the one that the server was started with.',
  FB_SERVE_ADDRESS: 'A request to the server is for an address, a method or a model that it does not have.',
  FB_SERVE_BODY: 'The body of a request to the server is not rows in the form that the request names.',
  FB_SERVE_LIMIT: 'A request to the server is larger than the limit, or arrived too slowly.',
  FB_SERVE_BUSY: 'The server is fully occupied, or is shutting down.',
  FB_USAGE: 'A command lacks something it needs, or was given flags or values that it does not accept.',
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

/** Every error of the library: a code that does not change, a sentence, and the details. */
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
