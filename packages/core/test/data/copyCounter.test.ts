import { describe, expect, it } from 'vitest'
import { makeRandom } from '../../src/common/random.ts'
import { CopyCounter } from '../../src/data/copyCounter.ts'

/** Hashes of rows, about one in four of them like an earlier one. */
function drawHashes(count: number): (readonly [a: number, b: number])[] {
  const random = makeRandom(3)
  const word = () => random.integer(2 ** 31) * 2 - 2 ** 31
  const hashes: (readonly [number, number])[] = []
  while (hashes.length < count)
    hashes.push(
      hashes.length > 0 && random.next() < 0.25 ? hashes[random.integer(hashes.length)] : [word(), word()],
    )
  return hashes
}

describe('a counter of copies', () => {
  const hashes = drawHashes(60_000)

  it.each([0, 1000, 60_000])(
    'counts as a map does while its tables grow, with room for %i rows at first',
    room => {
      const counter = new CopyCounter()
      if (room > 0) counter.expect(room)
      const known = new Map<string, number>()
      for (const [a, b] of hashes) {
        const before = known.get(`${a} ${b}`) ?? 0
        known.set(`${a} ${b}`, before + 1)
        if (counter.count(a, b) !== before) expect.fail(`a row has ${before} copies before it`)
      }
      counter.close()
    },
  )

  it('knows where each was seen first', () => {
    const counter = new CopyCounter()
    const known = new Map<string, number>()
    for (const [row, [a, b]] of hashes.entries()) {
      const first = known.get(`${a} ${b}`) ?? row
      known.set(`${a} ${b}`, first)
      if (counter.first(a, b, row) !== first) expect.fail(`row ${row} was first seen in ${first}`)
    }
    counter.close()
  })
})
