// The groups that baselines look at.

import { describe, expect, it } from 'vitest'
import { baselineGroups } from '../../src/baselines/groups/groups.ts'
import { compileAuditors } from '../../src/classes/compile.ts'
import { groups } from '../../src/index.ts'
import type { Encoding } from '../../src/quantize/encoding.ts'
import { handRows } from './rows.ts'

const memberCounts = (rows: ReturnType<typeof handRows>) =>
  Object.fromEntries(rows.groups.map(({ member, name }) => [name, member.reduce((sum, one) => sum + one, 0)]))

const plain = (values: number[]) => ({ start: values.map(() => 1), label: values.map(() => 0) })

describe('the groups of baselines', () => {
  it('are every category with half a percent of the weight; missing values are none', () => {
    const bins = [...Array(300).fill(0), ...Array(100).fill(1), 2, 3, 3]
    const counts = memberCounts(handRows({ ...plain(bins), bins: [bins], binCounts: [4] }))
    expect(counts).toEqual({ 'x0 = a': 300, 'x0 = b': 100 })
    const weight = bins.map(bin => (bin === 2 ? 3 : 1))
    const weighted = memberCounts(handRows({ ...plain(bins), weight, bins: [bins], binCounts: [4] }))
    expect(weighted).toEqual({ 'x0 = a': 300, 'x0 = b': 100, 'x0 = c': 1 })
  })

  it('are the quarters of a number with many values', () => {
    const bins = Array.from({ length: 100 }, (_, row) => Math.floor(row / 5))
    const rows = handRows({ ...plain(bins), bins: [bins], binCounts: [22], ordered: [true] })
    expect(memberCounts(rows)).toEqual({
      'x0 <= 4': 25,
      '4 < x0 <= 9': 25,
      '9 < x0 <= 14': 25,
      'x0 > 14': 25,
    })
    const missing = handRows({
      ...plain(bins),
      bins: [bins.map(bin => (bin === 7 ? 21 : bin))],
      binCounts: [22],
      ordered: [true],
    })
    const inside = missing.groups.map(({ member }) => bins.map((bin, row) => bin === 7 && member[row] === 1))
    expect(inside.flat()).not.toContain(true)
  })

  it('are the values of a number with few, and its known values where there is one', () => {
    const bins = Array.from({ length: 80 }, (_, row) => row % 8)
    const few = handRows({ ...plain(bins), bins: [bins], binCounts: [10], ordered: [true] })
    expect(Object.values(memberCounts(few))).toEqual(Array(8).fill(10))
    const one = handRows({
      ...plain(bins),
      bins: [bins.map(bin => (bin === 0 ? 1 : 0))],
      binCounts: [2],
      ordered: [true],
    })
    expect(memberCounts(one)).toEqual({ 'x0 is known': 70 })
  })

  it('are the declared ones, where there are any, without everyone', () => {
    const auditors = groups(['region', { name: 'young', where: [{ column: 'age', atMost: 35 }] }])
    const rows = handRows({
      ...plain([0, 0, 0, 0]),
      bins: [
        [0, 1, 0, 1],
        [0, 0, 1, 1],
      ],
      binCounts: [3, 3],
      ordered: [false, true],
    })
    const known = { missing: false, coarse: [0] }
    const encoding: Encoding = {
      features: [
        { ...known, name: 'region', kind: 'categorical', categories: ['p', 'q'], pooled: [], coarse: [0, 1] },
        { ...known, name: 'age', kind: 'numeric', cuts: [35] },
      ],
      signals: [],
      functions: [],
    }
    const { space } = compileAuditors(auditors, 'table', encoding)
    const found = baselineGroups(space, encoding.features, rows)
    expect(found.map(({ member, name }) => [name, ...member])).toEqual([
      ['region = p', 1, 0, 1, 0],
      ['region = q', 0, 1, 0, 1],
      ['young', 1, 1, 0, 0],
    ])
  })
})
