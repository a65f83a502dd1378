// Who is in which group, both ways.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { membershipsOf } from '../../src/baselines/rows/memberships.ts'
import { ROOT } from '../../src/update/update.ts'

const groupOf = (member: readonly number[]) => ({ name: '', tree: ROOT, member: Uint8Array.from(member) })

describe('memberships', () => {
  it('list the rows of every group and the groups of every row', () => {
    const bits = fc.array(fc.array(fc.constantFrom(0, 1), { minLength: 7, maxLength: 7 }), { maxLength: 9 })
    fc.assert(
      fc.property(bits, members => {
        const { groupsOf, offsets, rowsOf } = membershipsOf(members.map(groupOf), 7)
        members.forEach((member, group) => {
          expect(Array.from(rowsOf[group])).toEqual(member.flatMap((inside, row) => (inside ? [row] : [])))
        })
        for (let row = 0; row < 7; row++) {
          const expected = members.flatMap((member, group) => (member[row] ? [group] : []))
          expect(Array.from(groupsOf.slice(offsets[row], offsets[row + 1]))).toEqual(expected)
        }
      }),
    )
  })

  it('know more groups than fit into two bytes', () => {
    const many = new Array(2 ** 16 + 2).fill(groupOf([0]))
    many[2 ** 16 + 1] = groupOf([1])
    expect(Array.from(membershipsOf(many, 1).groupsOf)).toEqual([2 ** 16 + 1])
  })
})
