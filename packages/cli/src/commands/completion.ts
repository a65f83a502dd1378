// featureboost completion: a script that teaches a shell our commands and flags.

import type { Command } from 'commander'
import { bashCompletion } from '../completion/bash.ts'
import { fishCompletion } from '../completion/fish.ts'
import { type CommandSpec, describeProgram } from '../completion/spec.ts'
import { zshCompletion } from '../completion/zsh.ts'

const SCRIPTS: Readonly<Record<string, (commands: readonly CommandSpec[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
}

export const SHELLS = Object.keys(SCRIPTS)

export function runCompletion(shell: string, program: Command): void {
  process.stdout.write(SCRIPTS[shell](describeProgram(program)))
}
