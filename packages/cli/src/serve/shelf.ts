// The models that are served, by name. A file that changes is read again; one that cannot be read is refused, and what was read
// before goes on serving. Requests hold the model they began with.

import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { FeatureBoostError, type Model, type Predictor } from '@featureboost/core'
import { CommandError } from '../errors.ts'
import { readModelFile } from '../files.ts'

export interface Served {
  readonly name: string
  readonly path: string
  readonly model: Model
  /** The model, or its predictions rounded. */
  readonly predictor: Predictor
  /** Columns that every row has to have. */
  readonly columns: readonly string[]
  readonly loadedAt: Date
}

export interface ShelfOptions {
  /** true: as many bins as the certificate speaks of. */
  readonly rounded?: number | true | undefined
  /** A file was read again, or could not be. */
  readonly onReload: (name: string, error?: unknown) => void
}

/** How often files are looked at, in milliseconds. */
const LOOK_EVERY = 1000

export class Shelf {
  readonly #served = new Map<string, Served>()
  /** Of the files as they were when they were last read, or could not be. */
  readonly #prints = new Map<string, string>()
  #timer: NodeJS.Timeout | undefined
  readonly #options: ShelfOptions
  /** One reading at a time, in the order that they were asked for. */
  #turn: Promise<void> = Promise.resolve()

  private constructor(options: ShelfOptions) {
    this.#options = options
  }

  static async open(named: readonly (readonly [string, string])[], options: ShelfOptions): Promise<Shelf> {
    const shelf = new Shelf(options)
    for (const [name, path] of named) {
      shelf.#prints.set(name, await printOf(path))
      shelf.#served.set(name, await read(name, path, options))
    }
    return shelf
  }

  get all(): readonly Served[] {
    return [...this.#served.values()]
  }

  /** The first one where no name is given. */
  find(name?: string): Served | undefined {
    return name === undefined ? this.#served.values().next().value : this.#served.get(name)
  }

  /** Reads every file again; resolves when all are done, whatever came of it. */
  reload(): Promise<void> {
    return Promise.all([...this.#served.keys()].map(name => this.#readAgain(name))).then(() => {})
  }

  /** Reads files again that have changed since they were read, also those that changed before it was told to watch. */
  watch(every = LOOK_EVERY): void {
    const look = async () => {
      for (const { name, path } of this.all)
        if ((await printOf(path)) !== this.#prints.get(name)) await this.#readAgain(name)
      if (this.#timer !== undefined) this.#timer = setTimeout(look, every).unref()
    }
    this.#timer = setTimeout(look, every).unref()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #readAgain(name: string): Promise<void> {
    this.#turn = this.#turn.then(async () => {
      const { path } = this.#served.get(name)!
      // Before it is read: what changes meanwhile is noticed at the next look.
      this.#prints.set(name, await printOf(path))
      try {
        const fresh = await read(name, path, this.#options)
        this.#served.set(name, fresh)
        this.#options.onReload(name)
      } catch (error) {
        this.#options.onReload(name, error)
      }
    })
    return this.#turn
  }
}

/** Differs where a file was written to or replaced. */
const printOf = async (path: string): Promise<string> =>
  stat(path, { bigint: true }).then(
    ({ ctimeNs, ino, mtimeNs, size }) => [ino, size, mtimeNs, ctimeNs].join(),
    () => 'none',
  )

async function read(name: string, path: string, { rounded }: ShelfOptions): Promise<Served> {
  const model = await readModelFile(path)
  const { encoding, start } = model.data
  if (encoding.functions.length > 0)
    throw new FeatureBoostError('FB_FUNCTION', 'the model needs functions, which no file can hold.', {
      path,
      hint: 'Score with the library, and pass the functions to readModel.',
    })
  const signals = encoding.signals.flatMap(signal => ('column' in signal ? [signal.column] : []))
  const names = [...encoding.features.map(feature => feature.name), ...signals]
  const predictor = rounded === undefined ? model : rounded === true ? model.round() : model.round(rounded)
  return {
    ...{ name, path, model, predictor },
    columns: [...new Set(start.kind === 'column' ? [...names, start.column] : names)],
    loadedAt: new Date(),
  }
}

/** `loans.fb.json`, named after the file, or `name=loans.fb.json`. */
export function namedModels(given: readonly string[]): [name: string, path: string][] {
  const named = given.map((text): [string, string] => {
    const at = text.indexOf('=')
    const name = at > 0 ? text.slice(0, at) : basename(text).replace(/(\.fb)?\.json$/, '')
    return [name, at > 0 ? text.slice(at + 1) : text]
  })
  for (const [index, [name, path]] of named.entries()) {
    if (!/^[\w.-]+$/.test(name) || path === '')
      throw new CommandError(
        2,
        `--model ${given[index]}: "${name}" cannot be the name of a model. Say --model NAME=FILE, with a name of letters, digits, ".", "-" and "_".`,
      )
    if (named.findIndex(([other]) => other === name) !== index)
      throw new CommandError(2, `--model: two models are named "${name}". Say --model NAME=FILE.`)
  }
  return named
}
