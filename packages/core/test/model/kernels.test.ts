// Batch prediction says which kernels it runs on, and gives the same bytes on either.

import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Table } from '../../src/index.ts'
import { ROW_FUNCTIONS } from '../fit/tables.ts'
import { FIXED_ROWS, fitFixed, fitSmall, SMALL_KINDS } from './models.ts'

const TWIN = '../../src/kernels/twin.ts'

/** The library loaded anew, as it finds the platform now. */
async function loadAgain() {
  vi.resetModules()
  return await import('../../src/index.ts')
}

/** Predictions and rounded predictions of a model file, and what made them, by a library loaded anew. */
async function predictAgain(text: string) {
  const { readModel, tableFromRows } = await loadAgain()
  const model = readModel(text, { functions: ROW_FUNCTIONS })
  const rounded = model.round()
  const table: Table = tableFromRows(FIXED_ROWS)
  return {
    kernels: [model.kernels, rounded.kernels],
    predictions: [model.predict(table), rounded.predict(table)],
  }
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.doUnmock(TWIN)
  vi.resetModules()
})

describe.each(SMALL_KINDS)('a model of %s', kind => {
  it('predicts the same bytes with the kernels and with the twin, and says which', async () => {
    const text = (await fitSmall(kind)).toText()
    // With a twin that refuses to work, only the kernels can have run; without WebAssembly, only the twin.
    vi.doMock(TWIN, () => ({ twinKernels: () => expect.fail('the twin ran') }))
    const wasm = await predictAgain(text)
    vi.doUnmock(TWIN)
    vi.stubGlobal('WebAssembly', undefined)
    const twin = await predictAgain(text)
    expect(wasm.kernels).toEqual(['wasm', 'wasm'])
    expect(twin.kernels).toEqual(['twin', 'twin'])
    expect(twin.predictions).toEqual(wasm.predictions)
  })
})

describe('a page that may not compile WebAssembly', () => {
  it('predicts with the twin', async () => {
    const text = (await fitFixed('trees')).toText()
    const { predictions } = await predictAgain(text)
    class Forbidden {
      constructor() {
        throw new Error('refused by the content security policy')
      }
    }
    vi.stubGlobal('WebAssembly', { Module: Forbidden })
    expect(await predictAgain(text)).toEqual({ kernels: ['twin', 'twin'], predictions })
  })
})
