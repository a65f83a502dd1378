// What stands in the way of reading a file, said to a person: what was found, where, and what to do.

import { OTHER_ENCODINGS } from '@featureboost/core/internal'

/** A file that cannot be read as a table. `asks`: what a person can say of the file so that it can. */
export class DataProblem extends Error {
  override readonly name = 'DataProblem'

  constructor(
    message: string,
    readonly asks?: 'encoding',
  ) {
    super(message)
  }
}

export class NotUtf8 extends DataProblem {
  constructor() {
    super(
      `The file holds bytes that are no UTF-8. Say how it is encoded: ${OTHER_ENCODINGS.join(', ')}.`,
      'encoding',
    )
  }
}
