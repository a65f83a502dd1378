// Hostile model files are refused, each with a code that says that the file is no model.

import { describe, expect, it } from 'vitest'
import { readModel } from '../../src/index.ts'
import { HOSTILE_MODELS } from './hostile.ts'

describe('a hostile model file', () => {
  it.each(HOSTILE_MODELS)('is refused: $name', ({ text }) => {
    expect(() => readModel(text())).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^FB_MODEL_(FORMAT|VERSION)$/) }),
    )
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('is none of those that are there already', () => {
    expect(new Set(HOSTILE_MODELS.map(({ name }) => name)).size).toBe(HOSTILE_MODELS.length)
    expect(HOSTILE_MODELS.length).toBeGreaterThanOrEqual(40)
  })
})
