// How far an update moves predictions, in ONNX: what update/move.ts does to one row.

import { MAX_STEP } from '../../common/logistic.ts'
import { ONE } from '../../common/units.ts'
import {
  type CurveUpdate,
  type ForestUpdate,
  type LinearUpdate,
  leafCount,
  type PolynomialUpdate,
  type TableUpdate,
  type Tree,
  type Update,
} from '../../update/update.ts'
import { visitUpdate } from '../../update/visit.ts'
import type { Graph, Value } from './graph.ts'
import { Maths } from './maths.ts'
import { ensemble, searchTree, sumOfTrees, type TreeRows } from './trees.ts'

/** The rows of a graph between two updates. */
export interface GraphRows extends TreeRows {
  readonly signals: readonly Value[]
}

/** The next prediction, in units. */
export function moveInGraph(graph: Graph, update: Update, rows: GraphRows): Value {
  const move = new Moves(graph, rows)
  return visitUpdate<Value>(update, {
    table: table => move.table(table),
    linear: linear => move.linear(linear),
    forest: forest => move.forest(forest),
    curve: curve => move.curve(curve),
    polynomial: polynomial => move.polynomial(polynomial),
  })
}

class Moves {
  readonly #graph: Graph
  readonly #rows: GraphRows
  readonly #maths: Maths

  constructor(graph: Graph, rows: GraphRows) {
    this.#graph = graph
    this.#rows = rows
    this.#maths = new Maths(graph)
  }

  table({ levels, tree, values }: TableUpdate): Value {
    const { add, level, lookUp, number, times } = this.#maths
    const index = add(times(this.#leaf(tree), number(levels)), level(this.#rows.prediction, levels))
    return this.#landed(lookUp(values, index))
  }

  /** Doubles, added in the order of the signals. */
  linear({ coefficients, levels, signals }: LinearUpdate): Value {
    const { add, level, lookUp, number, round, times } = this.#maths
    const place = level(this.#rows.prediction, levels)
    const sum = signals.reduce((before, signal, k) => {
      const own = Array.from({ length: levels }, (_, each) => coefficients[each * signals.length + k])
      return add(before, times(lookUp(own, place), this.#rows.signals[signal]))
    }, number(0))
    return this.#landed(round(sum))
  }

  forest({ clip, link, scale, trees }: ForestUpdate): Value {
    const { add, clip: within, divide, floor, ln, minus, moveOdds, number, times } = this.#maths
    const { prediction } = this.#rows
    const weighed = trees.map(({ steps, tree }) => ({ tree, weights: steps }))
    const step = trees.length === 0 ? number(0) : sumOfTrees(this.#graph, weighed, this.#rows)
    const inside = within(prediction, clip, ONE - clip)
    if (link === 'identity') return within(add(inside, step), 0, ONE)
    const bounded = within(step, -MAX_STEP, MAX_STEP)
    if (scale === undefined) return moveOdds(inside, bounded)
    const difference = minus(ln(inside), ln(minus(number(ONE), inside)))
    const logit = floor(add(times(difference, number(ONE)), number(0.5)))
    const product = divide(times(number(scale), add(logit, bounded)), number(ONE))
    return moveOdds(number(ONE / 2), within(floor(add(product, number(0.5))), -MAX_STEP, MAX_STEP))
  }

  /** Products stay below 2^50, so that doubles are exact. */
  curve({ from, to }: CurveUpdate): Value {
    const { add, divide, floor, lookUp, minus, number, times } = this.#maths
    const { prediction } = this.#rows
    const inner = from.slice(1, -1)
    const tree = {
      tree: searchTree(inner),
      weights: Array.from({ length: inner.length + 1 }, (_, place) => place),
    }
    // At a place, and not only above it, the next piece begins.
    const found = ensemble(
      this.#graph,
      [tree],
      place => ({ column: prediction, atMost: place - 0.5 }),
      prediction,
    )
    const low = this.#graph.op('Squeeze', [found, this.#graph.integers([1])])
    const steps = (list: readonly number[]) => list.slice(1).map((value, index) => value - list[index])
    const width = lookUp(steps(from), low)
    const rise = times(lookUp(steps(to), low), minus(prediction, lookUp(from, low)))
    const doubled = add(times(number(2), rise), width)
    return add(lookUp(to, low), floor(divide(doubled, times(number(2), width))))
  }

  polynomial({ degree, tree, values }: PolynomialUpdate): Value {
    const { add, divide, floor, lookUp, number, times } = this.#maths
    const offset = times(this.#leaf(tree), number(degree + 1))
    const u = divide(this.#rows.prediction, number(ONE))
    let move = lookUp(values, add(offset, number(degree)))
    for (let power = degree - 1; power >= 0; power--)
      move = add(times(move, u), lookUp(values, add(offset, number(power))))
    return this.#landed(floor(add(move, number(0.5))))
  }

  #landed(move: Value): Value {
    const { add, clip } = this.#maths
    return clip(add(this.#rows.prediction, move), 0, ONE)
  }

  #leaf(tree: Tree): Value {
    const weights = Array.from({ length: leafCount(tree) }, (_, leaf) => leaf)
    return sumOfTrees(this.#graph, [{ tree, weights }], this.#rows)
  }
}
