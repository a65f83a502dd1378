// What there is to complete, read off the program itself: commands, their flags, what a flag takes.

import type { Command, Option } from 'commander'

/** What may stand in a place: one of some words, a file, or something that nobody can guess. */
export type Completes =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'file' }
  | { readonly kind: 'free' }

export interface FlagSpec {
  readonly flag: string
  readonly help: string
  /** Undefined: the flag stands alone. */
  readonly value: Completes | undefined
}

export interface CommandSpec {
  readonly name: string
  readonly help: string
  readonly flags: readonly FlagSpec[]
  /** Undefined: the command takes no argument. */
  readonly argument: Completes | undefined
}

const HELP: FlagSpec = { flag: '--help', help: 'display help for command', value: undefined }

export function describeProgram(program: Command): CommandSpec[] {
  return program.commands.map(command => ({
    name: command.name(),
    help: firstLine(command.description()),
    flags: [...command.options.flatMap(flagSpec), HELP],
    argument: argumentOf(command),
  }))
}

function flagSpec(option: Option): FlagSpec[] {
  const { argChoices, description, flags, long, required } = option
  if (long === undefined || long === null) return []
  // What follows a value that may be left out can be anything, so it is completed as if there were none.
  const value: Completes | undefined = !required
    ? undefined
    : argChoices !== undefined
      ? { kind: 'words', words: argChoices }
      : { kind: /<file>/.test(flags) ? 'file' : 'free' }
  return [{ flag: long, help: firstLine(description), value }]
}

/** All arguments of our commands are files, but for those with choices. */
function argumentOf({ registeredArguments }: Command): Completes | undefined {
  const [first] = registeredArguments
  if (first === undefined) return undefined
  return first.argChoices === undefined ? { kind: 'file' } : { kind: 'words', words: first.argChoices }
}

const firstLine = (text: string): string => text.split('\n')[0]
