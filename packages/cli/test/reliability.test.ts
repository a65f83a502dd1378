// docs/reliability.md is what the claims and the figures make of it, and every claim has a line.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CLAIMS } from '../../../scripts/reliability/claims.ts'
import { FIGURES_FILE, PAGE_FILE, writePage } from '../../../scripts/reliability/page.ts'

describe('the page of what holds', () => {
  const figures = JSON.parse(readFileSync(FIGURES_FILE, 'utf8'))

  it('is written from the figures: npm run reliability -- --page', () => {
    expect(readFileSync(PAGE_FILE, 'utf8')).toBe(writePage(figures))
  })

  it('has R1 to R23, in order', () => {
    expect(CLAIMS.map(({ id }) => id)).toEqual(Array.from({ length: 23 }, (_, index) => `R${index + 1}`))
  })

  it('has no figure of a claim that is not there', () => {
    expect(Object.keys(figures).filter(id => CLAIMS.every(claim => claim.id !== id))).toEqual([])
  })

  it('says of a claim that is not kept that it is not', () => {
    const broken = { R1: { date: '2026-01-01', size: 1, seconds: 2, kept: false, figure: 'one was read.' } }
    const page = writePage(broken)
    expect(page).toContain('**Does not hold.** one was read.')
    expect(page).toContain(
      '1 mutants of each kind of model (in full 100,000), 2 s; `npm run reliability -- --only R1 --size 1`',
    )
    expect(page).toContain('not measured yet')
  })
})
