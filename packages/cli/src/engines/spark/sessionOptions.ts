// What a session may be told, and what it tells: options, progress, and what went over the wire.

import type { StageProgress } from './messages.ts'
import type { RetryPolicy } from './retry.ts'

/** What runs, as the server tells it about every two seconds (4.0 and later). It counts tasks and bytes, not rows. */
export interface SparkProgress {
  readonly stages: readonly StageProgress[]
  readonly runningTasks: number
  /** Rows of the answer that have come. */
  readonly rowsReceived: number
}

export interface StatementOptions {
  /** Ends the statement on the server, too. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: SparkProgress) => void) | undefined
}

export interface SessionOptions extends StatementOptions {
  /** What a user should know: calls that the server does not have, and what that means. */
  readonly onNote?: ((note: string) => void) | undefined
  /** How long a broken connection is tried again. */
  readonly retry?: RetryPolicy
  readonly firstRetry?: RetryPolicy
  readonly connectMs?: number
  readonly deadlineMs?: number
  readonly silenceMs?: number
  /** Bytes of one message, either way. A server takes 128 MiB by default. */
  readonly messageLimit?: number
  /** Statements of at least so many bytes are sent compressed. */
  readonly compressFrom?: number
  /** The session whose id the address has is ours, and ends with us: of a run that was killed. */
  readonly takesOver?: boolean
  /** Certificates to trust besides those of the system, as PEM. */
  readonly certificates?: string | undefined
}

/** What went over the wire since the session was opened. */
export interface Travelled {
  readonly statementCount: number
  readonly reattachCount: number
  readonly bytesSent: number
  readonly bytesReceived: number
  readonly rowsReceived: number
}
