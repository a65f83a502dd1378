// The command line of this process, as a shell takes it.

export const commandLine = (args: readonly string[] = process.argv.slice(2)): string =>
  ['featureboost', ...args.map(withoutToken)].map(quoteWord).join(' ')

/** What is printed is read by others: a token of Spark is for whoever types it again. */
const withoutToken = (word: string): string =>
  word.replace(/^((?:--engine=)?sc:\/\/.*?;token=)[^;]*/is, '$1...')

/** As it is where a shell sees nothing special in it; in single quotes otherwise. */
const quoteWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
