// Exact copies of rows: what the commands take them for, and that they say so.

import { beforeAll, describe, expect, it } from 'vitest'
import { openLoans, put, run } from './loans.ts'

openLoans()

/** 600 different rows, some of them several times. */
function csvOf(copiesOfFirst: number): string {
  const rows = Array.from({ length: 600 }, (_, row) => {
    const score = ((row * 37) % 100) / 100
    return `${(row * 61) % 599},${row % 3},${score},${Number((row * 7919) % 1000 < 1000 * score)}`
  })
  const copies = Array.from({ length: copiesOfFirst }, (_, copy) => rows[copy % 50])
  return ['x,g,score,y', ...rows, ...copies].join('\n')
}

const ROLES = ['--label', 'y', '--prediction', 'score']
const flat = (text: string) => text.replace(/\s+/g, ' ')

describe('rows that are exact copies of another', () => {
  beforeAll(() => {
    put('copies.csv', csvOf(120))
    put('few.csv', csvOf(5))
  })
  const fit = (file: string, ...more: string[]) =>
    run('fit', file, ...ROLES, '--method', 'platt', '--no-audit', '--force', '--out', 'c.fb.json', ...more)

  it('are told by fit where they are more than one in a hundred, with what follows from it', () => {
    expect(flat(fit('copies.csv').stdout)).toContain(
      '120 of 720 rows are exact copies of another row. What is certified for new rows counts them once; if they are different people, say --copies independent.',
    )
    expect(fit('copies.csv', '--copies', 'independent').stdout).not.toContain('copies')
    expect(fit('few.csv').stdout).not.toContain('copies')
    expect(JSON.parse(fit('few.csv', '--json').stdout).copiedRows).toBe(5)
    expect(run('verify', 'few.csv', '--model', 'c.fb.json').stdout).toContain('Verified.')
  })

  it('are told by audit, which counts every one unless told otherwise', () => {
    const audit = (...more: string[]) => run('audit', 'copies.csv', ...ROLES, ...more)
    expect(flat(audit().stdout)).toContain(
      '120 of 720 rows are exact copies of another row. They count as different people who are alike; if they are not, say --copies one.',
    )
    const [every, one] = [audit('--json'), audit('--copies', 'one', '--json')].map(({ stdout }) =>
      JSON.parse(stdout),
    )
    expect(every).toMatchObject({ copiedRows: 120, rows: 720, weight: 720, effectiveRows: 720 })
    expect(one).toMatchObject({ copiedRows: 120, rows: 720, weight: 720 })
    expect(one.effectiveRows).toBeLessThan(600)
    expect(one.brier.value).toBeCloseTo(every.brier.value, 12)
  })
})
