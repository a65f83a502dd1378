// The version of the library, as package.json says it: core reads no files, so it stands here again, and a test compares.

/** The version of the library. */
export const VERSION = '0.1.0'
