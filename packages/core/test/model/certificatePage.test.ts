// CERTIFICATE.md against the code: the hashes that it gives to try are ours.

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { hashToHex } from '../../src/common/hash.ts'
import { hashContent } from '../../src/data/rowHash.ts'
import { tableFromRows } from '../../src/index.ts'

const page = readFileSync(new URL('../../src/model/CERTIFICATE.md', import.meta.url), 'utf8')

/** Age, member, region, score, lane a, lane b. */
const lines = Array.from(page.matchAll(/^\| (.* \| [0-9a-f]{8} \| [0-9a-f]{8}) \|$/gm), match =>
  match[1].split(' | '),
)

it('rows have the hashes that the page says', () => {
  const rows = lines.map(([age, member, region, score]) => ({
    age: age === 'missing' ? null : Number(age),
    member: member === 'missing' ? null : member === 'true',
    region,
    score: Number(score),
  }))
  const { a, b } = hashContent(tableFromRows(rows).columns, 1)
  const found = rows.map((_, row) => hashToHex({ a: a[row], b: b[row] }))
  expect(lines).toHaveLength(2)
  expect(found).toEqual(lines.map(line => line[4] + line[5]))
})
