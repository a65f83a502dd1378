// Completion for zsh.

import type { CommandSpec, Completes, FlagSpec } from './spec.ts'

export function zshCompletion(commands: readonly CommandSpec[]): string {
  const names = commands.map(({ help, name }) => `    ${quote(`${name}:${escapeColons(help)}`)}`)
  const cases = commands.map(({ argument, flags, name }) => {
    const specs = [
      ...flags.map(flagSpec),
      ...(argument === undefined ? [] : [`*:argument:${action(argument)}`]),
    ]
    return `    ${name})\n      _arguments -S \\\n${specs.map(spec => `        ${quote(spec)}`).join(' \\\n')}\n      ;;`
  })
  return `#compdef featureboost
# featureboost: completion for zsh. Put into ~/.zshrc, after compinit:
#   source <(featureboost completion zsh)
_featureboost() {
  local -a commands
  commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
    help)
      _describe command commands
      ;;
  esac
}
if [ "$funcstack[1]" = _featureboost ]; then
  _featureboost "$@"
else
  compdef _featureboost featureboost
fi
`
}

function flagSpec({ flag, help, value }: FlagSpec): string {
  const words = `[${escapeColons(help).replace(/[[\]]/g, bracket => `\\${bracket}`)}]`
  // "=": the value may stand after = or in the next word. "*": columns may be named again.
  return value === undefined ? `${flag}${words}` : `*${flag}=${words}:value:${action(value)}`
}

const action = (completes: Completes): string =>
  completes.kind === 'words' ? `(${completes.words.join(' ')})` : completes.kind === 'file' ? '_files' : ' '

const escapeColons = (text: string): string => text.replaceAll(':', '\\:')

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
