// How to go on with a command that was interrupted: the same words, and --resume.

/** The command line of this process as a shell takes it. */
export function resumeCommand(args: readonly string[] = process.argv.slice(2)): string {
  const words = args.includes('--resume') ? args : [...args, '--resume']
  return ['featureboost', ...words].map(quoteWord).join(' ')
}

/** As it is where a shell sees nothing special in it; in single quotes otherwise. */
const quoteWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
