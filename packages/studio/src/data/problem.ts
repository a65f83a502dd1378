// What stands in the way of reading a file, said to a person: what was found, where, and what to do.

/** A file that cannot be read as a table. */
export class DataProblem extends Error {
  override readonly name = 'DataProblem'
}
