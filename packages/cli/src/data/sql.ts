// Names and values in SQL. Nothing from outside reaches a statement but through these.

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** DuckDB takes some names for addresses, and for places at home: this is a file here. */
export const localPath = (path: string): string =>
  /^(~|[a-z][a-z0-9+.-]*:)/i.test(path) ? `./${path}` : path

/** And it takes names for patterns: one that matches this file alone. */
export const literalPath = (path: string): string => localPath(path).replaceAll(/[*?[]/g, '[$&]')

/** Files for DuckDB's readers, each read as it is named; folders of the form name=value give no columns. */
export const quoteFiles = (files: readonly string[]): string =>
  `${quoteList(files.map(literalPath))}, hive_partitioning = false`

export const quoteList = (texts: readonly string[]): string => `[${texts.map(quoteText).join(', ')}]`
