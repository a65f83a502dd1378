// A graph of ONNX, put together step by step. A step that was asked for before is not added again.

import { ProtoMessage } from './protobuf.ts'

const UINT8 = 2
const INT64 = 7
const TEXT = 8
const DOUBLE = 11

/** Numbers of fields and kinds are those of onnx.proto. */
const KIND = { integer: 2, tensor: 4, integers: 7, texts: 8 } as const

/** The name of a value in the graph. */
export type Value = string

export type Attribute =
  | { readonly kind: 'integer'; readonly value: number }
  | { readonly kind: 'integers'; readonly value: readonly number[] }
  | { readonly kind: 'texts'; readonly value: readonly string[] }
  | { readonly kind: 'doubles'; readonly value: readonly number[] }
  | { readonly kind: 'bytes'; readonly value: readonly number[] }

export type Attributes = Readonly<Record<string, Attribute>>

/** Of the operators of machine learning, which have a domain of their own. */
const ML = 'ai.onnx.ml'
const ML_OPERATORS = ['TreeEnsemble', 'LabelEncoder']

export class Graph {
  readonly #prefix: string
  readonly #nodes: ProtoMessage[] = []
  readonly #tensors: ProtoMessage[] = []
  readonly #inputs: ProtoMessage[] = []
  readonly #known = new Map<string, Value>()
  #count = 0

  /** `taken`: names that are not ours to give. */
  constructor(taken: readonly string[]) {
    let prefix = 'fb'
    while (taken.some(name => name.startsWith(prefix))) prefix += '_'
    this.#prefix = prefix
  }

  /** One value per row. */
  input(name: string, kind: 'double' | 'text'): Value {
    const key = `input ${name}`
    if (!this.#known.has(key)) this.#inputs.push(valueInfo(name, kind === 'double' ? DOUBLE : TEXT))
    this.#known.set(key, name)
    return name
  }

  op(type: string, inputs: readonly Value[], attributes: Attributes = {}): Value {
    return this.#once(JSON.stringify([type, inputs, attributes]), name => {
      const node = new ProtoMessage()
      for (const input of inputs) node.text(1, input)
      node.text(2, name).text(4, type)
      for (const [key, attribute] of Object.entries(attributes)) node.message(5, attributeOf(key, attribute))
      if (ML_OPERATORS.includes(type)) node.text(7, ML)
      this.#nodes.push(node)
    })
  }

  double(value: number): Value {
    return this.#tensor(DOUBLE, [value], [])
  }

  doubles(values: readonly number[], dims: readonly number[] = [values.length]): Value {
    return this.#tensor(DOUBLE, values, dims)
  }

  integer(value: number): Value {
    return this.#tensor(INT64, [value], [])
  }

  integers(values: readonly number[]): Value {
    return this.#tensor(INT64, values, [values.length])
  }

  finish(result: Value, output: string): ProtoMessage {
    const last = new ProtoMessage().text(1, result).text(2, output).text(4, 'Identity')
    const graph = new ProtoMessage()
    for (const node of [...this.#nodes, last]) graph.message(1, node)
    graph.text(2, 'featureboost')
    for (const tensor of this.#tensors) graph.message(5, tensor)
    for (const input of this.#inputs) graph.message(11, input)
    return graph.message(12, valueInfo(output, DOUBLE))
  }

  #tensor(type: number, values: readonly number[], dims: readonly number[]): Value {
    // In JSON -0 is 0, and NaN is null.
    const key = `${type} ${dims} ${values.map(value => (Object.is(value, -0) ? '-0' : value)).join(' ')}`
    return this.#once(key, name => this.#tensors.push(tensorOf(type, values, dims).text(8, name)))
  }

  #once(key: string, make: (name: Value) => void): Value {
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const name = `${this.#prefix}${++this.#count}`
    make(name)
    this.#known.set(key, name)
    return name
  }
}

/** As many as there are rows. */
function valueInfo(name: string, type: number): ProtoMessage {
  const shape = new ProtoMessage().message(1, new ProtoMessage().text(2, 'rows'))
  const tensor = new ProtoMessage().integer(1, type).message(2, shape)
  return new ProtoMessage().text(1, name).message(2, new ProtoMessage().message(1, tensor))
}

function tensorOf(type: number, values: readonly number[], dims: readonly number[]): ProtoMessage {
  const tensor = new ProtoMessage()
  if (dims.length > 0) tensor.integers(1, dims)
  return tensor.integer(2, type).bytes(9, rawBytes(type, values))
}

/** Little-endian, whatever this machine has. */
function rawBytes(type: number, values: readonly number[]): Uint8Array {
  if (type === UINT8) return Uint8Array.from(values)
  const bytes = new Uint8Array(8 * values.length)
  const view = new DataView(bytes.buffer)
  values.forEach((value, index) => {
    if (type === DOUBLE) view.setFloat64(8 * index, value, true)
    else view.setBigInt64(8 * index, BigInt(value), true)
  })
  return bytes
}

function attributeOf(name: string, attribute: Attribute): ProtoMessage {
  const message = new ProtoMessage().text(1, name)
  switch (attribute.kind) {
    case 'integer':
      return message.integer(3, attribute.value).integer(20, KIND.integer)
    case 'integers':
      return message.integers(8, attribute.value).integer(20, KIND.integers)
    case 'texts':
      for (const text of attribute.value) message.text(9, text)
      return message.integer(20, KIND.texts)
    case 'doubles':
    case 'bytes': {
      const type = attribute.kind === 'doubles' ? DOUBLE : UINT8
      const tensor = tensorOf(type, attribute.value, [attribute.value.length])
      return message.message(5, tensor).integer(20, KIND.tensor)
    }
  }
}

/** Opset 21 has what is needed, with TreeEnsemble of doubles in version 5 of the operators of machine learning. */
export function modelBytes(graph: ProtoMessage, about: Readonly<Record<string, string>>): Uint8Array {
  const model = new ProtoMessage().integer(1, 10).text(2, 'featureboost').message(7, graph)
  model.message(8, new ProtoMessage().text(1, '').integer(2, 21))
  model.message(8, new ProtoMessage().text(1, ML).integer(2, 5))
  for (const [key, value] of Object.entries(about))
    model.message(14, new ProtoMessage().text(1, key).text(2, value))
  return model.finish()
}
