// A memory and the kernels on it: WebAssembly where there is any, the twin where there is none or where it is asked for.

import { FeatureBoostError } from '../common/errors.ts'
import { asMemoryError } from '../common/memory.ts'
import { formatCount } from '../common/text.ts'
import { KERNELS_BASE64 } from './kernels.generated.ts'
import type { KernelMemory, Kernels } from './kernels.ts'
import { twinKernels } from './twin.ts'
import { type WasmMemory, webAssembly } from './webassembly.ts'

export type KernelChoice = 'auto' | 'wasm' | 'twin'

const PAGE = 65_536
const MAX_PAGES = 65_536

export function loadKernels(choice: KernelChoice): { memory: KernelMemory; kernels: Kernels } {
  const wasm = choice === 'twin' ? undefined : loadWasm()
  if (wasm !== undefined) return wasm
  if (choice === 'wasm') {
    throw new FeatureBoostError('FB_WORKER', 'this platform has no WebAssembly, or does not allow it here.', {
      hint: 'Use kernels: "auto" or "twin"; in a page, a content security policy may have to say wasm-unsafe-eval.',
    })
  }
  const memory = plainMemory()
  return { memory, kernels: twinKernels(memory) }
}

function loadWasm(): { memory: KernelMemory; kernels: Kernels } | undefined {
  const module = compile()
  if (webAssembly === undefined || module === undefined) return undefined
  const raw = openMemory(webAssembly)
  const { exports } = new webAssembly.Instance(module, { env: { memory: raw } })
  return { memory: wasmMemory(raw), kernels: { ...(exports as unknown as Kernels), kind: 'wasm' } }
}

function openMemory(platform: NonNullable<typeof webAssembly>): WasmMemory {
  try {
    return new platform.Memory({ initial: 1, maximum: MAX_PAGES })
  } catch (error) {
    throw asMemoryError(error) ?? error
  }
}

let compiled: { readonly module: object | undefined } | undefined

/** Once. Undefined also where the platform has WebAssembly but a page's content security policy forbids to compile. */
function compile(): object | undefined {
  if (compiled !== undefined) return compiled.module
  try {
    compiled = { module: webAssembly && new webAssembly.Module(decodeBase64(KERNELS_BASE64)) }
  } catch {
    compiled = { module: undefined }
  }
  return compiled.module
}

function wasmMemory(raw: WasmMemory): KernelMemory {
  return {
    untouched: PAGE,
    get buffer() {
      return raw.buffer
    },
    reserve(bytes) {
      const missing = Math.ceil((bytes - raw.buffer.byteLength) / PAGE)
      if (missing <= 0) return
      try {
        raw.grow(missing)
      } catch {
        throw outOfMemory(bytes)
      }
    },
  }
}

function plainMemory(): KernelMemory {
  let buffer = new ArrayBuffer(PAGE)
  return {
    untouched: PAGE,
    get buffer() {
      return buffer
    },
    reserve(bytes) {
      if (bytes <= buffer.byteLength) return
      try {
        const larger = new ArrayBuffer(Math.ceil(Math.max(bytes, 1.5 * buffer.byteLength) / PAGE) * PAGE)
        new Uint8Array(larger).set(new Uint8Array(buffer))
        buffer = larger
      } catch {
        throw outOfMemory(bytes)
      }
    },
  }
}

const outOfMemory = (bytes: number) =>
  new FeatureBoostError(
    'FB_MEMORY',
    `a shard needs ${formatCount(Math.ceil(bytes / 2 ** 20))} MiB, and cannot have them.`,
    {
      hint: 'Use more threads (each has its own memory of up to 4 GiB), fewer columns, or a machine with more memory.',
    },
  )

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** atob exists in browsers and Node alike, but not in every JavaScript engine; this is ten lines. */
function decodeBase64(text: string): Uint8Array {
  const clean = text.replace(/=+$/, '')
  const bytes = new Uint8Array(Math.floor((clean.length * 3) / 4))
  let [bits, buffered, length] = [0, 0, 0]
  for (const character of clean) {
    bits = (bits << 6) | ALPHABET.indexOf(character)
    buffered += 6
    if (buffered < 8) continue
    buffered -= 8
    bytes[length++] = (bits >> buffered) & 255
    bits &= (1 << buffered) - 1
  }
  return bytes
}
