import { expect, it } from 'vitest'
import { audit, makeTable } from '../../../src/index.ts'

it('a finding at some scores says from where to where: one of the levels that were asked for', async () => {
  // Group a is off where the score is 0.7, and right elsewhere.
  const rows = Array.from({ length: 4000 }, (_, row) => {
    const group = 'abcd'[row % 4]
    const score = [0.1, 0.3, 0.5, 0.7, 0.9][Math.floor(row / 4) % 5]
    const rate = group === 'a' && score === 0.7 ? 0.1 : score
    return { group, score, y: Number(((row * 7919) % 1000) / 1000 < rate) }
  })
  const table = makeTable({
    group: rows.map(({ group }) => group),
    score: rows.map(({ score }) => score),
    y: rows.map(({ y }) => y),
  })
  const found = await audit(table, { label: 'y', prediction: 'score', bins: 5, draws: 0, threads: 1 })
  const placed = found.worst.flatMap(({ scores }) => scores ?? [])
  expect(placed.length).toBeGreaterThan(0)
  expect(placed[0]).toEqual({ from: 3 / 5, to: 4 / 5 })
  for (const { from, to } of placed) expect(to - from).toBeCloseTo(1 / 5, 12)
})
