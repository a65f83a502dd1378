// Fits of several methods to the same rows, for who compares them and keeps no model: without certificates, and the rows are
// brought into the engine once for all methods that take them in the same form.

import { isBaseline } from '../baselines/baselines.ts'
import { functionsOf } from '../classes/kinds/kinds.ts'
import { once } from '../common/once.ts'
import type { Table } from '../data/table.ts'
import { correctOnEngine, type Loaded, loadEngine } from '../fit/fit.ts'
import { type FitOptions, readSettings } from '../fit/settings.ts'
import { makePredictor, type Predictor } from '../model/predict.ts'
import type { Method } from '../options/options.ts'
import type { TrialRows } from './outOfFold.ts'

export class Trials implements TrialRows<Method> {
  readonly #rows: Table
  readonly #optionsOf: (method: Method) => FitOptions
  readonly #loads = new Map<string, Promise<Loaded>>()

  /** But for the method, and for what its kind needs, the options of all methods are the same. */
  constructor(rows: Table, optionsOf: (method: Method) => FitOptions) {
    this.#rows = rows
    this.#optionsOf = optionsOf
  }

  async load(method: Method): Promise<void> {
    await this.#loaded(method)
  }

  async fit(method: Method): Promise<Predictor> {
    const settings = readSettings(this.#optionsOf(method))
    const loaded = await this.#loaded(method)
    const { updates } = await correctOnEngine(loaded, settings)
    const { compiled, start } = loaded
    return makePredictor({ encoding: compiled.encoding, start, updates }, functionsOf(settings.auditors))
  }

  async close(): Promise<void> {
    for (const load of this.#loads.values()) {
      const loaded = await load.catch(() => undefined)
      await loaded?.close()
    }
  }

  /** Baselines leave the engine where it is, and look at their rows only; rounds move it. */
  #loaded(method: Method): Promise<Loaded> {
    const kind = isBaseline(method) ? 'baseline' : method
    const load = this.#loads.get(kind) ?? this.#load(method)
    this.#loads.set(kind, load)
    return load
  }

  async #load(method: Method): Promise<Loaded> {
    const loaded = await loadEngine(this.#rows, readSettings(this.#optionsOf(method)))
    const rows = once(() => loaded.learningRows())
    return { ...loaded, learningRows: rows }
  }
}
