// Completion scripts, run by the shells they are for. bash is everywhere; zsh and fish where they are installed.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bashCompletion } from '../src/completion/bash.ts'
import { fishCompletion } from '../src/completion/fish.ts'
import { describeProgram } from '../src/completion/spec.ts'
import { zshCompletion } from '../src/completion/zsh.ts'
import { makeProgram } from '../src/program.ts'

const commands = describeProgram(makeProgram())
const names = commands.map(({ name }) => name)
const flagsOf = (name: string) =>
  commands.find(command => command.name === name)!.flags.map(({ flag }) => flag)
const GUARANTEES = ['multiaccuracy', 'multicalibration', 'level-set']

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'featureboost-completion-'))
  for (const name of ['loans.csv', 'my loans.csv', 'other.txt']) writeFileSync(join(folder, name), '')
  writeFileSync(join(folder, 'script.bash'), bashCompletion(commands))
  writeFileSync(join(folder, 'script.zsh'), zshCompletion(commands))
  writeFileSync(join(folder, 'script.fish'), fishCompletion(commands))
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

const has = (shell: string) => spawnSync(shell, ['--version']).status === 0

function run(shell: string, ...args: string[]): string[] {
  const { status, stderr, stdout } = spawnSync(shell, args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: 20_000,
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout.split('\n').filter(line => line !== '')
}

describe('what is completed', () => {
  it('is read off the program: every command, every flag, choices and files', () => {
    const program = makeProgram()
    expect(names).toEqual(program.commands.map(command => command.name()))
    const fit = commands.find(({ name }) => name === 'fit')!
    expect(fit.argument).toEqual({ kind: 'file' })
    const value = (flag: string) => fit.flags.find(each => each.flag === flag)!.value
    expect(value('--guarantee')).toEqual({ kind: 'words', words: GUARANTEES })
    expect(value('--out')).toEqual({ kind: 'file' })
    expect(value('--label')).toEqual({ kind: 'free' })
    expect(value('--json')).toBeUndefined()
    expect(commands.find(({ name }) => name === 'plan')!.argument).toBeUndefined()
  })
})

describe('bash', () => {
  const complete = (...words: string[]) => {
    const list = words.map(word => `'${word}'`).join(' ')
    const call = `source script.bash; COMP_WORDS=(featureboost ${list}); COMP_CWORD=${words.length}; _featureboost; printf '%s\\n' "\${COMPREPLY[@]}"`
    return run('bash', '--noprofile', '--norc', '-c', call).sort()
  }

  it('completes commands, flags, choices and files', () => {
    expect(complete('pr')).toEqual(['predict'])
    expect(complete('')).toEqual([...names, 'help', '--help', '--version'].sort())
    expect(complete('fit', '--')).toEqual([...flagsOf('fit')].sort())
    expect(complete('audit', 'loans.csv', '--form')).toEqual(['--format'])
    expect(complete('fit', '--guarantee', 'multic')).toEqual(['multicalibration'])
    expect(complete('fit', '--guarantee', '=', 'level')).toEqual(['level-set'])
    expect(complete('fit', '--guarantee', '=')).toEqual([...GUARANTEES].sort())
    expect(complete('fit', 'lo')).toEqual(['loans.csv'])
    expect(complete('fit', 'my')).toEqual(['my loans.csv'])
    expect(complete('predict', 'loans.csv', '--model', 'oth')).toEqual(['other.txt'])
    expect(complete('fit', '--label', '')).toEqual([])
    expect(complete('plan', '')).toEqual([])
    expect(complete('completion', '')).toEqual(['bash', 'fish', 'zsh'])
    expect(complete('help', 'ver')).toEqual(['verify'])
  })
})

describe.runIf(has('zsh'))('zsh', () => {
  // The two functions of zsh's completion system that are called, replaced by ones that print what they are given.
  const STUBS = `compdef() { : }; _arguments() { print -rl -- "$@" }; _describe() { print -rl -- "\${(@P)2}" }; source script.zsh`
  const complete = (...words: string[]) => {
    const list = words.map(word => `'${word}'`).join(' ')
    return run(
      'zsh',
      '-f',
      '-c',
      `${STUBS}; words=(featureboost ${list}); CURRENT=${words.length + 1}; _featureboost`,
    )
  }

  it('is given commands, and what each flag takes', () => {
    expect(complete('').map(line => line.split(':')[0])).toEqual(names)
    const fit = complete('fit', '--')
    for (const flag of flagsOf('fit'))
      expect(
        fit.some(line => line.includes(flag)),
        flag,
      ).toBe(true)
    expect(fit.find(line => line.startsWith('*--guarantee='))).toMatch(
      /:value:\(multiaccuracy multicalibration level-set\)$/,
    )
    expect(fit.find(line => line.startsWith('*--out='))).toMatch(/:value:_files$/)
    expect(fit.at(-1)).toBe('*:argument:_files')
    expect(complete('completion', '').at(-1)).toBe('*:argument:(bash zsh fish)')
  })
})

describe.runIf(has('fish'))('fish', () => {
  const complete = (line: string) =>
    run('fish', '--no-config', '-c', `source script.fish; complete -C '${line}'`).map(
      each => each.split('\t')[0],
    )

  it('completes commands, flags, choices and files', () => {
    expect(complete('featureboost pr')).toEqual(['predict'])
    expect(complete('featureboost fit --guar')).toEqual(['--guarantee'])
    expect(complete('featureboost fit --guarantee ')).toEqual(expect.arrayContaining(GUARANTEES))
    expect(complete('featureboost fit --guarantee ')).toHaveLength(3)
    expect(complete('featureboost fit lo')).toEqual(['loans.csv'])
    expect(complete('featureboost predict --model oth')).toEqual(['other.txt'])
    expect(complete('featureboost completion ').sort()).toEqual(['bash', 'fish', 'zsh'])
  })
})
