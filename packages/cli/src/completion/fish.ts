// Completion for fish.

import type { CommandSpec, Completes } from './spec.ts'

export function fishCompletion(commands: readonly CommandSpec[]): string {
  const names = commands.map(({ name }) => name)
  const first = `not __fish_seen_subcommand_from ${names.join(' ')} help`
  const lines = commands.flatMap(({ argument, flags, help, name }) => {
    const within = `-n ${quote(`__fish_seen_subcommand_from ${name}`)}`
    return [
      `complete -c featureboost -n ${quote(first)} -f -a ${name} -d ${quote(help)}`,
      `complete -c featureboost ${within} ${argumentPart(argument)}`,
      ...flags.map(
        ({ flag, help: words, value }) =>
          `complete -c featureboost ${within} -l ${flag.slice(2)}${valuePart(value)} -d ${quote(words)}`,
      ),
    ]
  })
  return `# featureboost: completion for fish. Put into ~/.config/fish/config.fish:
#   featureboost completion fish | source
complete -c featureboost -n ${quote(first)} -f -a help -d 'display help for command'
complete -c featureboost -n '__fish_seen_subcommand_from help' -f -a ${quote(names.join(' '))}
${lines.join('\n')}
`
}

/** -F: files; -f: none. */
function argumentPart(argument: Completes | undefined): string {
  if (argument?.kind === 'file') return '-F'
  return argument?.kind === 'words' ? `-f -a ${quote(argument.words.join(' '))}` : '-f'
}

/** -r: a value is needed; -x: and it is no file. */
function valuePart(value: Completes | undefined): string {
  if (value === undefined) return ''
  if (value.kind === 'words') return ` -x -a ${quote(value.words.join(' '))}`
  return value.kind === 'file' ? ' -r -F' : ' -x'
}

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
