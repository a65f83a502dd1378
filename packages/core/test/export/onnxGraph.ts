// Reads an ONNX file and runs its graph, slowly: the few operators that exports use, as their specification has them. So the graphs are
// held against `predict` where there is no onnxruntime, too.

type Tensor = { readonly dims: number[]; readonly data: (number | string | boolean)[] }
type Field = { readonly field: number; readonly value: bigint | Uint8Array }

function fieldsOf(bytes: Uint8Array): Field[] {
  const fields: Field[] = []
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asIntN(64, value)
    }
  }
  while (at < bytes.length) {
    const tag = Number(varint())
    if (tag % 8 === 0) fields.push({ field: tag >> 3, value: varint() })
    else {
      const length = Number(varint())
      fields.push({ field: tag >> 3, value: bytes.subarray(at, at + length) })
      at += length
    }
  }
  return fields
}

const bytesIn = (fields: readonly Field[], field: number) =>
  fields.flatMap(each => (each.field === field ? [each.value as Uint8Array] : []))
const textsIn = (fields: readonly Field[], field: number) =>
  bytesIn(fields, field).map(bytes => new TextDecoder().decode(bytes))
const integerIn = (fields: readonly Field[], field: number) =>
  Number(fields.find(each => each.field === field)?.value ?? 0n)

/** A packed field is as if its bytes were fields of kind 0 without tags. */
function packed(bytes: Uint8Array): number[] {
  const numbers: number[] = []
  let [value, shift] = [0n, 0n]
  for (const byte of bytes) {
    value |= BigInt(byte & 0x7f) << shift
    shift += 7n
    if (byte >= 0x80) continue
    numbers.push(Number(BigInt.asIntN(64, value)))
    value = 0n
    shift = 0n
  }
  return numbers
}

function tensorIn(bytes: Uint8Array): Tensor {
  const fields = fieldsOf(bytes)
  const dims = bytesIn(fields, 1).flatMap(packed)
  const [raw] = bytesIn(fields, 9)
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength)
  const type = integerIn(fields, 2)
  if (type === 2) return { dims, data: [...raw] }
  const data = Array.from({ length: raw.length / 8 }, (_, index) =>
    type === 11 ? view.getFloat64(8 * index, true) : Number(view.getBigInt64(8 * index, true)),
  )
  return { dims, data }
}

type Attribute = number | number[] | string[] | Tensor

function attributeIn(bytes: Uint8Array): [string, Attribute] {
  const fields = fieldsOf(bytes)
  const [name] = textsIn(fields, 1)
  const kind = integerIn(fields, 20)
  if (kind === 2) return [name, integerIn(fields, 3)]
  if (kind === 4) return [name, tensorIn(bytesIn(fields, 5)[0])]
  if (kind === 8) return [name, textsIn(fields, 9)]
  return [name, bytesIn(fields, 8).flatMap(packed)]
}

interface Node {
  readonly type: string
  readonly inputs: string[]
  readonly output: string
  readonly attributes: Readonly<Record<string, Attribute>>
}

export interface Graph {
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly operators: ReadonlySet<string>
  /** Versions by domain. */
  readonly opsets: Readonly<Record<string, number>>
  run(columns: Readonly<Record<string, (number | string)[]>>): number[]
}

export function readGraph(bytes: Uint8Array): Graph {
  const model = fieldsOf(bytes)
  const graph = fieldsOf(bytesIn(model, 7)[0])
  const nodes = bytesIn(graph, 1).map((node): Node => {
    const fields = fieldsOf(node)
    const attributes = Object.fromEntries(bytesIn(fields, 5).map(attributeIn))
    return {
      type: textsIn(fields, 4)[0],
      inputs: textsIn(fields, 1),
      output: textsIn(fields, 2)[0],
      attributes,
    }
  })
  const constants = bytesIn(graph, 5).map(bytes => [textsIn(fieldsOf(bytes), 8)[0], tensorIn(bytes)] as const)
  const names = (field: number) => bytesIn(graph, field).map(bytes => textsIn(fieldsOf(bytes), 1)[0])
  const outputs = names(12)
  return {
    inputs: names(11),
    outputs,
    operators: new Set(nodes.map(({ type }) => type)),
    opsets: Object.fromEntries(
      bytesIn(model, 8).map(bytes => [textsIn(fieldsOf(bytes), 1)[0], integerIn(fieldsOf(bytes), 2)]),
    ),
    run(columns) {
      const values = new Map<string, Tensor>(constants)
      for (const [name, data] of Object.entries(columns)) values.set(name, { dims: [data.length], data })
      for (const { attributes, inputs, output, type } of nodes)
        values.set(
          output,
          OPERATORS[type](
            inputs.map(name => values.get(name)!),
            attributes,
          ),
        )
      return values.get(outputs[0])!.data as number[]
    },
  }
}

/** Of tensors of one or two dimensions, and of single values. */
function broadcast(compute: (...values: never[]) => number | boolean) {
  return (tensors: readonly Tensor[]): Tensor => {
    const rank = Math.max(...tensors.map(({ dims }) => dims.length))
    const padded = tensors.map(({ dims }) => [...Array<number>(rank - dims.length).fill(1), ...dims])
    const dims = Array.from({ length: rank }, (_, axis) => Math.max(...padded.map(each => each[axis])))
    const [rows, columns] = rank === 2 ? dims : [1, dims[0] ?? 1]
    const data = Array.from({ length: rows * columns }, (_, index) => {
      const [row, column] = [Math.floor(index / columns), index % columns]
      const own = tensors.map(({ data: each }, which) => {
        const [high, wide] = rank === 2 ? padded[which] : [1, padded[which][0] ?? 1]
        return each[(high === 1 ? 0 : row) * wide + (wide === 1 ? 0 : column)]
      })
      return compute(...(own as never[]))
    })
    return { dims, data }
  }
}

const numbers = (compute: (a: number, b: number) => number | boolean) => broadcast(compute as never)

const OPERATORS: Readonly<
  Record<string, (tensors: readonly Tensor[], attributes: Readonly<Record<string, Attribute>>) => Tensor>
> = {
  Add: numbers((a, b) => a + b),
  Sub: numbers((a, b) => a - b),
  Mul: numbers((a, b) => a * b),
  Div: numbers((a, b) => a / b),
  Min: numbers((a, b) => Math.min(a, b)),
  Equal: numbers((a, b) => a === b),
  Greater: numbers((a, b) => a > b),
  GreaterOrEqual: numbers((a, b) => a >= b),
  LessOrEqual: numbers((a, b) => a <= b),
  Floor: numbers(a => Math.floor(a)),
  Abs: numbers(a => Math.abs(a)),
  IsNaN: numbers(a => Number.isNaN(a)),
  And: broadcast(((a: boolean, b: boolean) => a && b) as never),
  Or: broadcast(((a: boolean, b: boolean) => a || b) as never),
  Not: broadcast(((a: boolean) => !a) as never),
  Where: broadcast(((condition: boolean, yes: number, no: number) => (condition ? yes : no)) as never),
  Clip: broadcast(((a: number, low: number, high: number) =>
    Number.isNaN(a) ? a : Math.max(low, Math.min(high, a))) as never),
  Cast: ([{ data, dims }]) => ({ dims, data: data.map(Number) }),
  Identity: ([tensor]) => tensor,
  Shape: ([{ dims }]) => ({ dims: [dims.length], data: dims }),
  Expand: ([{ data }, shape]) => ({
    dims: shape.data as number[],
    data: Array((shape.data as number[])[0]).fill(data[0]),
  }),
  Unsqueeze: ([{ data, dims }]) => ({ dims: [...dims, 1], data }),
  Squeeze: ([{ data, dims }]) => ({ dims: dims.slice(0, 1), data }),
  Concat: tensors => {
    const [rows] = tensors[0].dims
    const data = Array.from({ length: rows * tensors.length }, (_, index) => {
      const { data: column } = tensors[index % tensors.length]
      return column[Math.floor(index / tensors.length)]
    })
    return { dims: [rows, tensors.length], data }
  },
  Gather: ([table, index], { axis }) => {
    if (axis !== 1) {
      const data = (index.data as number[]).map(place => {
        if (!(place >= 0 && place < table.data.length)) throw new Error(`no place ${place} in a table`)
        return table.data[place]
      })
      return { dims: index.dims, data }
    }
    const [rows, columns] = table.dims
    const column = index.data[0] as number
    return {
      dims: [rows],
      data: Array.from({ length: rows }, (_, row) => table.data[row * columns + column]),
    }
  },
  ReduceSum: ([{ data, dims }]) => {
    const [rows, columns] = dims
    const sums = Array.from({ length: rows }, (_, row) =>
      (data as number[]).slice(row * columns, (row + 1) * columns).reduce((sum, value) => sum + value, 0),
    )
    return { dims: [rows], data: sums }
  },
  LabelEncoder: ([{ data, dims }], attributes) => {
    const keys = attributes.keys_strings as string[]
    const values = new Map(keys.map((key, index) => [key, (attributes.values_int64s as number[])[index]]))
    return {
      dims,
      data: (data as string[]).map(text => values.get(text) ?? (attributes.default_int64 as number)),
    }
  },
  TreeEnsemble: ([{ data, dims }], attributes) => {
    const list = (name: string) => attributes[name] as number[]
    const table = (name: string) => (attributes[name] as Tensor).data as number[]
    const targets = attributes.n_targets as number
    const [rows, columns] = dims
    const sums = Array<number>(rows * targets).fill(0)
    for (let row = 0; row < rows; row++) {
      for (const root of list('tree_roots')) {
        let [node, isLeaf] = [root, 0]
        while (isLeaf === 0) {
          const value = data[row * columns + list('nodes_featureids')[node]] as number
          const side = value <= table('nodes_splits')[node] ? 'true' : 'false'
          isLeaf = list(`nodes_${side}leafs`)[node]
          node = list(`nodes_${side}nodeids`)[node]
        }
        sums[row * targets + list('leaf_targetids')[node]] += table('leaf_weights')[node]
      }
    }
    return { dims: [rows, targets], data: sums }
  },
}
