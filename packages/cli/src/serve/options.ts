// What the server can be told, and what holds where nothing is said.

export interface ServeLimits {
  /** Bytes of one body; of one line, in a stream. */
  readonly bodyBytes: number
  /** Rows of one request that is not a stream. */
  readonly rows: number
  /** Requests that may wait for their turn; more are turned away. */
  readonly queue: number
  /** Milliseconds that those before it in the line may take; who would wait longer is turned away. */
  readonly wait: number
  /** Milliseconds in which a body has to be there, or a stream to go on. */
  readonly patience: number
  /** Milliseconds that requests under way have when the server ends. */
  readonly grace: number
}

export const LIMITS: ServeLimits = {
  bodyBytes: 4 * 2 ** 20,
  rows: 10_000,
  queue: 64,
  wait: 500,
  patience: 10_000,
  grace: 10_000,
}
