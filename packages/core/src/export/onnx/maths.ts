// The arithmetic of predictions in ONNX: the additions, multiplications and divisions of common/logistic.ts, one by one, in the same order,
// so that each result is the same to the bit.

import { EXPONENTIAL, LN2_HIGH, LN2_LOW, LOGARITHM } from '../../common/logistic.ts'
import { ONE } from '../../common/units.ts'
import type { Graph, Value } from './graph.ts'
import { asDouble, indexOf } from './trees.ts'

const POWERS = Array.from({ length: 129 }, (_, index) => 2 ** (index - 64))

export class Maths {
  readonly graph: Graph

  constructor(graph: Graph) {
    this.graph = graph
  }

  add = (a: Value, b: Value): Value => this.graph.op('Add', [a, b])
  minus = (a: Value, b: Value): Value => this.graph.op('Sub', [a, b])
  times = (a: Value, b: Value): Value => this.graph.op('Mul', [a, b])
  divide = (a: Value, b: Value): Value => this.graph.op('Div', [a, b])
  floor = (a: Value): Value => this.graph.op('Floor', [a])
  not = (a: Value): Value => this.graph.op('Not', [a])
  where = (condition: Value, yes: Value, no: Value): Value => this.graph.op('Where', [condition, yes, no])
  isNaN = (a: Value): Value => this.graph.op('IsNaN', [a])
  clip = (a: Value, low: number, high: number): Value =>
    this.graph.op('Clip', [a, this.graph.double(low), this.graph.double(high)])

  isInfinite = (a: Value): Value =>
    this.graph.op('Equal', [this.graph.op('Abs', [a]), this.graph.double(Number.POSITIVE_INFINITY)])

  number = (value: number): Value => this.graph.double(value)

  /** Math.round: halves go up. */
  round = (a: Value): Value => {
    const low = this.floor(a)
    const up = this.graph.op('GreaterOrEqual', [this.minus(a, low), this.number(0.5)])
    return this.add(low, asDouble(this.graph, up))
  }

  /** An entry of a table, counted from 0; the index is a whole number in a double. */
  lookUp = (table: readonly number[], index: Value): Value =>
    this.graph.op('Gather', [this.graph.doubles(table), indexOf(this.graph, index)])

  #polynomial = (coefficients: readonly number[], x: Value): Value =>
    coefficients
      .slice(1)
      .reduce((sum, next) => this.add(this.times(sum, x), this.number(next)), this.number(coefficients[0]))

  #powerOfTwo = (k: Value): Value => this.lookUp(POWERS, this.add(k, this.number(64)))

  /** expOfStep, of a step as a number. */
  exp = (x: Value): Value => {
    const k = this.floor(this.add(this.times(x, this.number(Math.LOG2E)), this.number(0.5)))
    const high = this.minus(x, this.times(k, this.number(LN2_HIGH)))
    const rest = this.minus(high, this.times(k, this.number(LN2_LOW)))
    return this.times(this.#polynomial(EXPONENTIAL, rest), this.#powerOfTwo(k))
  }

  /** moveOdds. */
  moveOdds = (prediction: Value, step: Value): Value => {
    const one = this.number(ONE)
    const odds = this.times(prediction, this.exp(this.divide(step, one)))
    const share = this.divide(this.times(one, odds), this.add(odds, this.minus(one, prediction)))
    return this.floor(this.add(share, this.number(0.5)))
  }

  /** lnOfUnits. */
  ln = (units: Value): Value => {
    const { graph } = this
    const powers = graph.doubles(
      Array.from({ length: 24 }, (_, index) => 2 ** (index + 1)),
      [1, 24],
    )
    const reached = graph.op('GreaterOrEqual', [graph.op('Unsqueeze', [units, graph.integers([1])]), powers])
    const exponent = graph.op('ReduceSum', [asDouble(graph, reached), graph.integers([1])], {
      keepdims: { kind: 'integer', value: 0 },
    })
    const mantissa = this.divide(units, this.#powerOfTwo(exponent))
    const large = graph.op('Greater', [mantissa, this.number(Math.SQRT2)])
    const m = this.where(large, this.divide(mantissa, this.number(2)), mantissa)
    const scale = this.minus(this.add(exponent, asDouble(graph, large)), this.number(24))
    const s = this.divide(this.minus(m, this.number(1)), this.add(m, this.number(1)))
    const sum = this.#polynomial(LOGARITHM, this.times(s, s))
    const low = this.add(this.times(scale, this.number(LN2_LOW)), this.times(sum, s))
    return this.add(this.times(scale, this.number(LN2_HIGH)), low)
  }

  /** levelOf. */
  level = (units: Value, levels: number): Value => {
    const level = this.floor(this.divide(this.times(units, this.number(levels)), this.number(ONE)))
    return this.graph.op('Min', [level, this.number(levels - 1)])
  }
}
