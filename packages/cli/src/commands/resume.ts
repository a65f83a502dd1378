// How to go on with a command that was interrupted: the same words, and --resume.

import { commandLine } from './commandLine.ts'

export function resumeCommand(args: readonly string[] = process.argv.slice(2)): string {
  return commandLine(args.includes('--resume') ? args : [...args, '--resume'])
}
