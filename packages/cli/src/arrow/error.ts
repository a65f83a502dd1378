// What is wrong with an Arrow stream. Who reads one says it in their own words and with their own code.

export type ArrowTrouble =
  /** It is no Arrow stream, or leads outside of itself. */
  | 'damaged'
  /** A column has a type that is not read. */
  | 'type'
  | 'dictionary'
  | 'compressed'
  /** It has more rows than are taken. */
  | 'rows'

export class ArrowError extends Error {
  readonly trouble: ArrowTrouble
  readonly column: string | undefined

  constructor(trouble: ArrowTrouble, message: string, column?: string) {
    super(`${message}.`)
    this.trouble = trouble
    this.column = column
  }
}

export const damaged = (message: string): ArrowError => new ArrowError('damaged', message)
