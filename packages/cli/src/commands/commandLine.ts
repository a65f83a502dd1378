// The command line of this process, as a shell takes it.

export const commandLine = (args: readonly string[] = process.argv.slice(2)): string =>
  ['featureboost', ...args].map(quoteWord).join(' ')

/** As it is where a shell sees nothing special in it; in single quotes otherwise. */
const quoteWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
