// featureboost.json: flags that need not be typed. Its values become arguments in front of those that were typed, so that
// both are read by the same parsers and the typed ones win.

import { existsSync } from 'node:fs'
import { FeatureBoostError } from '@featureboost/core'
import { nearestName } from '@featureboost/core/internal'
import { type Command, InvalidArgumentError, type Option } from 'commander'
import { isSparkAddress } from './engines/spark/address.ts'
import { CommandError } from './errors.ts'
import { readText } from './files.ts'

export const CONFIG_FILE = 'featureboost.json'

/** Flags that make no sense in a file. */
const NOT_IN_FILES = ['config', 'help', 'version']

/** Flags whose text may name a file: @groups.json, groups:@groups.json. */
const MAY_NAME_FILES = ['auditors', 'expect', 'groups']

interface Configured {
  readonly args: readonly string[]
  /** What was taken from the file, in words; undefined where nothing was. */
  readonly note: string | undefined
}

/** `typed`: what follows the name of the program. */
export async function withConfig(program: Command, typed: readonly string[]): Promise<Configured> {
  const [name, ...rest] = typed
  const command = program.commands.find(each => each.name() === name)
  const takesConfig = command?.options.some(({ long }) => long === '--config')
  const isHelp = rest.includes('--help') || rest.includes('-h')
  if (command === undefined || !takesConfig || isHelp) return { args: typed, note: undefined }
  const named = findValue(rest, '--config')
  const file = named ?? (existsSync(CONFIG_FILE) ? CONFIG_FILE : undefined)
  if (file === undefined) return { args: typed, note: undefined }
  const config = new ConfigFile(file, await readText(file), named !== undefined)
  const added = config.argumentsFor(program, command).filter(({ flag }) => !isTyped(rest, flag))
  // The file is one that the command reads, and that none of its outputs may be.
  const found = named === undefined ? [`--config=${file}`] : []
  const args = [name, ...found, ...added.flatMap(each => each.args), ...rest]
  const flags = [...new Set(added.map(({ flag }) => flag))]
  return { args, note: flags.length === 0 ? undefined : `From ${file}: ${flags.join(', ')}.` }
}

function findValue(args: readonly string[], flag: string): string | undefined {
  const index = args.findIndex(arg => arg === flag || arg.startsWith(`${flag}=`))
  if (index < 0) return undefined
  return args[index] === flag ? args[index + 1] : args[index].slice(flag.length + 1)
}

/** --audit and --no-audit are one flag. */
function isTyped(args: readonly string[], flag: string): boolean {
  const plain = flag.replace(/^--(no-)?/, '')
  return [`--${plain}`, `--no-${plain}`].some(each =>
    args.some(arg => arg === each || arg.startsWith(`${each}=`)),
  )
}

interface ConfiguredFlag {
  readonly flag: string
  readonly args: readonly string[]
}

class ConfigFile {
  readonly #file: string
  /** A file that was only found may have come with the folder: it decides nothing about which files are touched. */
  readonly #isNamed: boolean
  readonly #content: Readonly<Record<string, unknown>>

  constructor(file: string, text: string, isNamed: boolean) {
    this.#file = file
    this.#isNamed = isNamed
    try {
      this.#content = this.#record(JSON.parse(text), 'the file')
    } catch (error) {
      if (error instanceof CommandError) throw error
      throw this.#error(`is no JSON: ${(error as Error).message}.`)
    }
  }

  /** The whole file is looked at, so that a mistake does not wait for its command. */
  argumentsFor(program: Command, command: Command): ConfiguredFlag[] {
    const commands = program.commands.filter(({ options }) => options.some(({ long }) => long === '--config'))
    const names = commands.map(each => each.name())
    const flags = new Map<string, ConfiguredFlag[]>()
    for (const [key, value] of Object.entries(this.#content)) {
      const named = commands.find(each => each.name() === key)
      if (named === undefined) throw this.#error(unknown('command', key, names))
      flags.set(key, this.#flagsOf(named, this.#record(value, `"${key}"`)))
    }
    return flags.get(command.name()) ?? []
  }

  #flagsOf(command: Command, given: Readonly<Record<string, unknown>>): ConfiguredFlag[] {
    const known = new Map(
      command.options.flatMap(option => {
        const name = option.long?.slice(2)
        return name === undefined || NOT_IN_FILES.includes(name) ? [] : [[name, option] as const]
      }),
    )
    return Object.entries(given).map(([key, value]) => {
      const option = known.get(key)
      // "audit": false is --no-audit.
      const negative = known.get(`no-${key}`)
      if (option === undefined && negative !== undefined && typeof value === 'boolean')
        return { flag: `--no-${key}`, args: value ? [] : [`--no-${key}`] }
      if (option === undefined)
        throw this.#error(unknown(`flag of ${command.name()}`, key, [...known.keys()]))
      if (!this.#isNamed && touchesFiles(key, option, value)) throw this.#notHere(command.name(), key)
      return { flag: `--${key}`, args: this.#argumentsOf(command.name(), key, option, value) }
    })
  }

  #argumentsOf(command: string, key: string, option: Option, value: unknown): string[] {
    const refuse = (expected: string): never => {
      throw this.#error(`"${key}" of "${command}" is ${JSON.stringify(value)}. ${expected}`)
    }
    const takesValue = option.required || option.optional
    if (typeof value === 'boolean' && !option.required) return value ? [`--${key}`] : []
    if (!takesValue) return refuse('Expected true or false.')
    const texts =
      textsOf(value, option) ?? refuse('Expected a text, a number or, for columns, a list of texts.')
    const choices = isList(option) ? undefined : option.argChoices
    for (const text of texts) {
      if (choices !== undefined && !choices.includes(text)) refuse(`Expected one of ${choices.join(', ')}.`)
      try {
        if (choices === undefined) option.parseArg?.(text, undefined as never)
      } catch (error) {
        if (error instanceof InvalidArgumentError) refuse(error.message)
        throw error
      }
    }
    return texts.map(text => `--${key}=${text}`)
  }

  #record(value: unknown, what: string): Readonly<Record<string, unknown>> {
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Readonly<Record<string, unknown>>
    throw this.#error(`${what} holds no object. Expected such as {"fit": {"label": "y", "epsilon": 0.05}}.`)
  }

  #notHere(command: string, key: string): FeatureBoostError {
    return new FeatureBoostError(
      'FB_CONFIG',
      `"${key}" of "${command}" says which files are read, written or overwritten.`,
      {
        path: this.#file,
        expected: 'no such flag in a file that was found in the working folder and not named',
        hint: `If the file is yours, name it with --config ${this.#file}; else type --${key} yourself.`,
      },
    )
  }

  #error(message: string): CommandError {
    const hint = this.#file === CONFIG_FILE ? ' If it is no file of flags, give it another name.' : ''
    return new CommandError(2, `${this.#file}: ${message}${hint}`)
  }
}

function touchesFiles(key: string, { flags }: Option, value: unknown): boolean {
  // An address would be sent the token of the environment.
  if (key === 'engine' && isSparkAddress(String(value))) return true
  if (['sql', 'force', 'work-schema', 'out-table'].includes(key) || /<(@?file|folder)\b/.test(flags))
    return true
  return MAY_NAME_FILES.includes(key) && [value].flat().some(text => /^@|:@/.test(String(text)))
}

/** A list is one flag given for each of its entries, where a flag may be given again. */
function textsOf(value: unknown, option: Option): string[] | undefined {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number' && Number.isFinite(value)) return [String(value)]
  if (!Array.isArray(value) || !value.every(entry => typeof entry === 'string')) return undefined
  if (option.flags.includes('<text>')) return value
  // A JSON list keeps commas and spaces in the names of columns.
  return isList(option) ? [JSON.stringify(value)] : undefined
}

/** Does one value hold several names? */
const isList = ({ flags }: Option): boolean => /<(columns|names)>/.test(flags)

function unknown(what: string, key: string, names: readonly string[]): string {
  const close = nearestName(key, names)
  return `there is no ${what} "${key}". ${close === undefined ? `Known: ${names.join(', ')}.` : `Did you mean "${close}"?`}`
}
