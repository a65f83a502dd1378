// What this library needs of WebAssembly, declared here because core is compiled without browser or Node types.

export interface WasmMemory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

interface WebAssemblyApi {
  Memory: new (limits: { initial: number; maximum: number }) => WasmMemory
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { exports: Record<string, unknown> }
}

/** Undefined where the platform has none. */
export const webAssembly = (globalThis as { WebAssembly?: WebAssemblyApi }).WebAssembly
