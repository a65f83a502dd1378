// Names and values in SQL. Nothing from outside reaches a statement but through these.

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`

export const quoteList = (texts: readonly string[]): string => `[${texts.map(quoteText).join(', ')}]`
