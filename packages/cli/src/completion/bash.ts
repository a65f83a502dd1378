// Completion for bash, from version 3.2 on.

import type { CommandSpec, Completes } from './spec.ts'

export function bashCompletion(commands: readonly CommandSpec[]): string {
  const names = [...commands.map(({ name }) => name), 'help', '--help', '--version']
  const values = commands.flatMap(({ flags, name }) =>
    flags.flatMap(({ flag, value }) =>
      value === undefined ? [] : [`    '${name} ${flag}') ${reply(value)}; return ;;`],
    ),
  )
  const flags = commands.map(
    ({ flags, name }) => `        ${name}) ${replyWords(flags.map(({ flag }) => flag))} ;;`,
  )
  const rest = commands.flatMap(({ argument, name }) =>
    argument === undefined ? [] : [`    ${name}) ${reply(argument)} ;;`],
  )
  return `# featureboost: completion for bash. Put into ~/.bashrc:
#   source <(featureboost completion bash)
_featureboost() {
  # One reply a line: names of files may have spaces.
  local IFS=$'\\n'
  local current="\${COMP_WORDS[COMP_CWORD]}"
  local previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local command="\${COMP_WORDS[1]}"
  COMPREPLY=()
  # --flag=value is three words here.
  if [ "$current" = '=' ]; then
    current=''
  elif [ "$previous" = '=' ]; then
    previous="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    ${replyWords(names)}
    return
  fi
  case "$command $previous" in
${values.join('\n')}
  esac
  case "$current" in
    -*)
      case "$command" in
${flags.join('\n')}
      esac
      return
      ;;
  esac
  case "$command" in
${rest.join('\n')}
    help) ${replyWords(commands.map(({ name }) => name))} ;;
  esac
}
complete -o filenames -F _featureboost featureboost
`
}

function reply(completes: Completes): string {
  if (completes.kind === 'words') return replyWords(completes.words)
  return completes.kind === 'file' ? 'COMPREPLY=($(compgen -f -- "$current"))' : ':'
}

const replyWords = (words: readonly string[]): string =>
  `COMPREPLY=($(compgen -W $'${words.join('\\n')}' -- "$current"))`
