// onnxruntime in Node, installed once from the registry, without its scripts: those would fetch what only graphics cards need.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Model } from '../../packages/core/src/index.ts'
import { convertValue } from '../../packages/core/src/quantize/convert.ts'
import type { FeatureSchema } from '../../packages/core/src/quantize/schema.ts'
import type { Row } from '../../packages/core/src/quantize/signals.ts'
import { cacheFolder } from './cache.ts'

const VERSION = '1.30.0'

/** As far as it is used here. */
interface Runtime {
  readonly InferenceSession: { create(bytes: Uint8Array): Promise<Session> }
  readonly Tensor: new (type: string, data: Float64Array | string[], dims: readonly number[]) => unknown
}
interface Session {
  readonly inputNames: readonly string[]
  run(inputs: Record<string, unknown>): Promise<Record<string, { readonly data: Float64Array }>>
}

export interface NodeGraphs {
  /** Predictions in units. */
  score(bytes: Uint8Array, model: Model, rows: readonly Row[]): Promise<Float64Array>
}

export function openNodeGraphs(): NodeGraphs {
  const { InferenceSession, Tensor } = install()
  return {
    async score(bytes, { data: { encoding } }, rows) {
      const session = await InferenceSession.create(bytes)
      const schemas = new Map(encoding.features.map(feature => [feature.name, feature]))
      const inputs = session.inputNames.map(name => {
        const values = inputOf(schemas.get(name), name, rows)
        const type = Array.isArray(values) ? 'string' : 'float64'
        return [name, new Tensor(type, values, [rows.length])] as const
      })
      const { corrected } = await session.run(Object.fromEntries(inputs))
      return corrected.data.map(share => share * 2 ** 24)
    },
  }
}

/** What docs/export.md asks of whoever feeds the graph. */
function inputOf(schema: FeatureSchema | undefined, name: string, rows: readonly Row[]) {
  if (schema === undefined) return Float64Array.from(rows, row => row[name] as number)
  if (schema.kind === 'categorical') return rows.map(row => (convertValue(schema, row[name]) ?? '') as string)
  return Float64Array.from(rows, row => {
    const value = convertValue(schema, row[name]) ?? null
    return value === null ? Number.NaN : Number(value)
  })
}

function install(): Runtime {
  const folder = join(cacheFolder(), `onnxruntime-node-${VERSION}`)
  const done = join(folder, 'ready')
  if (!existsSync(done)) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
    const parameters = [
      'install',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      `onnxruntime-node@${VERSION}`,
    ]
    execFileSync('npm', parameters, { cwd: folder, stdio: ['ignore', process.stderr, process.stderr] })
    writeFileSync(done, '')
  }
  return createRequire(join(folder, 'package.json'))('onnxruntime-node') as Runtime
}
