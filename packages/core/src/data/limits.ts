// Limits that hold wherever a file is read.

/** Columns of a table, unless somebody asks for more. */
export const MOST_COLUMNS = 2000
