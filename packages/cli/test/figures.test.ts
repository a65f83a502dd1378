import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FIGURES } from '../../../bench/figures/write-figures.ts'

describe('the figures of the docs', () => {
  it.each(Object.entries(FIGURES))('%s shows what the code computes today', async (name, draw) => {
    const committed = readFileSync(new URL(`../../../docs/figures/${name}`, import.meta.url), 'utf8')
    expect(await draw()).toBe(committed)
  })
})
